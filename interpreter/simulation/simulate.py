"""Monte-Carlo simulation: many games by bots, their results and which clauses never fired.

The same seed gives the same games, and the same hash over them, on any machine.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interpreter.game.game import Game
from interpreter.simulation.engines import AUTO, FEW, NATIVE, REFERENCE, Manner, Plays
from interpreter.simulation.outcome import Outcome
from interpreter.simulation.processes import WorkerLost, in_processes
from interpreter.simulation.reachable import COUNTED, never_fired
from rulelang.core.values import Json

HAPPENING = ("event", "procedure")

GameFactory = Callable[[int], Game]  # the game for a number of players, made in each process


@dataclass
class Simulation:
    """The results of many games of one ruleset, perhaps with several numbers of players."""

    game: str
    games: int = 0
    finished: int = 0
    not_decided: int = 0  # games that rules or a bot broke off
    moves: int = 0
    seconds: float = 0.0
    scores: list[list[int]] = field(default_factory=list)
    never_fired: list[str] = field(default_factory=list)
    # clause -> in how many games it fired
    seen: dict[str, int] = field(default_factory=dict)
    # event -> title of a piece -> in how many games it took part in the event
    played: dict[str, dict[str, int]] = field(default_factory=dict)
    # titles in play that took part in no event of any game
    never_played: list[str] = field(default_factory=list)
    hash: str = ""
    faults: list[str] = field(default_factory=list)
    stopped: str = ""  # why not all games were played, if they were not
    by_players: dict[int, dict[str, int]] = field(default_factory=dict)
    # engine -> how many games it played
    engines: dict[str, int] = field(default_factory=dict)
    told: bool = True  # is it known which clauses counted?

    @property
    def engine(self) -> str:
        """The engine that played: the native one, if it played any game."""
        return NATIVE if NATIVE in self.engines else next(iter(self.engines), "")

    def as_json(self) -> dict[str, Json]:
        """The results as plain data.

        With several numbers of players, `by_players` counts the games finished with each.
        """
        found: dict[str, Json] = {
            "game": self.game,
            "games": self.games,
            "finished": self.finished,
            "not_decided": self.not_decided,
            "moves": self.moves,
            "seconds": round(self.seconds, 3),
            "scores": self.scores,
            "never_fired": self.never_fired,
            "seen": self.seen,
            "played": self.played,
            "never_played": self.never_played,
            "hash": self.hash,
            "engine": self.engine,
        }
        if len(self.engines) > 1:
            found["engines"] = dict(sorted(self.engines.items()))
        if not self.told:
            found["clauses_told"] = False
        if len(self.by_players) > 1:
            found["by_players"] = {
                str(players): counts for players, counts in self.by_players.items()
            }
        if self.stopped:
            found["stopped"] = self.stopped
        return {**found, "faults": self.faults} if self.faults else found


INTERRUPTED = "it was interrupted"


def simulate(
    games: Sequence[Game],
    count: int,
    seed: int,
    bot: str | Manner = "random",
    progress: Callable[[int], None] | None = None,
    processes: int = 1,
    make: GameFactory | None = None,
) -> Simulation:
    """The results of `count` games of each of these games, all of one ruleset.

    With `make` they are played in so many processes; the results are the same. Where it is
    interrupted, or a process is ended from outside, they are those of the games played so far.
    """
    found = Simulation(games[0].id)
    digest = hashlib.sha256()
    started = time.perf_counter()
    fired: Counter[str] = Counter()
    played: Counter[tuple[str, str]] = Counter()
    tasks = [(game.players, seed * 1_000_003 + number) for game in games for number in range(count)]
    manner = Manner(bot) if isinstance(bot, str) else bot
    if manner.engine == AUTO and len(tasks) < FEW:
        manner = replace(manner, engine=REFERENCE)
    plays = {game.players: Plays(game, manner) for game in games}
    if make is not None and processes > 1:
        making = Making(make, manner)
        outcomes = in_processes(_Worker.play, tasks, processes, _Worker.begin, making)
    else:
        outcomes = _in_turn(tasks, plays)
    try:
        for number, outcome in enumerate(outcomes, 1):
            _add(found, outcome, number)
            fired.update(outcome.fired)
            played.update(outcome.played)
            digest.update(outcome.digest.encode())
            if progress is not None:
                progress(number)
    except KeyboardInterrupt:
        found.stopped = INTERRUPTED
    except WorkerLost as error:
        found.stopped = str(error)
    found.seconds = time.perf_counter() - started
    found.hash = digest.hexdigest()
    found.told = all(play.tells for play in plays.values())
    _summarize(found, games, fired, played)
    return found


def _summarize(
    found: Simulation,
    games: Sequence[Game],
    fired: Counter[str],
    played: Counter[tuple[str, str]],
) -> None:
    """Fill in which clauses fired and which pieces were played, over all games."""
    if found.told:
        missed = (clause for game in games for clause in never_fired(game, set(fired)))
        found.never_fired = list(dict.fromkeys(missed))
        found.seen = _seen(games, fired)
    for (event, title), number in sorted(played.items()):
        found.played.setdefault(event, {})[title] = number
    titles = dict.fromkeys(
        piece.design.title for game in games for piece in game.setup.pieces if piece.design.title
    )
    seen = {title for _, title in played}
    found.never_played = [title for title in titles if title not in seen]


def _seen(games: Sequence[Game], fired: Counter[str]) -> dict[str, int]:
    """In how many games each clause counted, in the order of the rules."""
    clauses = {c.id: c.kind for game in games for c in game.rules_source.clauses.values()}
    return {
        clause: fired[clause]
        for clause, kind in clauses.items()
        if kind in (*COUNTED, *HAPPENING) and fired[clause]
    }


def _add(found: Simulation, outcome: Outcome, number: int) -> None:
    found.games += 1
    found.engines[outcome.engine] = found.engines.get(outcome.engine, 0) + 1
    own = found.by_players.setdefault(outcome.players, {"games": 0, "finished": 0, "moves": 0})
    own["games"] += 1
    own["moves"] += outcome.moves
    found.moves += outcome.moves
    if outcome.fault:
        found.not_decided += 1
        found.faults.append(f"game {number}: {outcome.fault}")
        return
    own["finished"] += outcome.finished
    found.finished += outcome.finished
    found.scores.append(list(outcome.scores))


# -------------------------------------------------------------------- in one process or several
Task = tuple[int, int]  # players, seed


def _in_turn(tasks: Iterable[Task], plays: Mapping[int, Plays]) -> Iterator[Outcome]:
    for players, seed in tasks:
        yield plays[players].outcome(seed)


@dataclass(frozen=True)
class Making:
    """How a process makes games and plays them."""

    make: GameFactory
    manner: Manner


class _Worker:
    """The state of a worker process: what plays the games it has made, by number of players."""

    making: Making
    plays: dict[int, Plays]

    @classmethod
    def begin(cls, making: Making) -> None:
        cls.making, cls.plays = making, {}

    @classmethod
    def play(cls, task: Task) -> Outcome:
        players, seed = task
        if players not in cls.plays:
            how = cls.making
            cls.plays[players] = Plays(how.make(players), how.manner)
        return cls.plays[players].outcome(seed)
