"""Monte-Carlo simulation: many games by bots, their results and which clauses never fired.

The same seed gives the same games, and the same hash over them, on any machine.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from interpreter.bots.agents import BOTS, Agent
from interpreter.engine.decisions import Decision, Option
from interpreter.engine.ranking import ranking
from interpreter.game.game import Game, Illegal, State
from interpreter.model.values import Fault
from interpreter.simulation.reachable import lasting, shut_out
from rulelang.core.types import OptionalT, PieceT, element
from rulelang.core.values import Json, numbers
from rulelang.diagnostics.english import counted

COUNTED = (
    "line",
    "sentence",
    "action",
    "end",
    "reaction",
    "latch",
)  # clauses that some game should see
HAPPENING = ("event", "procedure")

GameFactory = Callable[[int], Game]  # the game for a number of players, made in each process


@dataclass(frozen=True)
class Outcome:
    """The result of one game, small enough to be sent from one process to another."""

    players: int
    finished: bool
    moves: int
    scores: tuple[int, ...]
    digest: str
    fired: frozenset[str]
    fault: str = ""  # why the game is not decided, if it is not
    # pairs of an event and the title of a piece that took part in it
    played: frozenset[tuple[str, str]] = frozenset()


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
        }
        if len(self.by_players) > 1:
            found["by_players"] = {
                str(players): counts for players, counts in self.by_players.items()
            }
        if self.stopped:
            found["stopped"] = self.stopped
        return {**found, "faults": self.faults} if self.faults else found


INTERRUPTED = "it was interrupted"


class WorkerLost(Exception):
    """A process that played games was ended from outside; says so."""


class BotError(Exception):
    """A bot answered with an illegal option, or raised; the message says which and why."""


def bots_move(agent: Agent, state: State, decision: Decision) -> State:
    """The state after a bot's answer.

    Raises BotError when the bot raises or answers with an illegal option, and Fault when the rules
    lead to a dead end.
    """
    try:
        option = agent(state, decision)
    except Fault:
        raise
    except Exception as error:
        if (why := decision.dead_end()) is not None:
            raise Fault(why) from error
        raise BotError(f"the bot of player {decision.player + 1} failed: {error!r}") from error
    if not isinstance(option, Option):
        raise BotError(
            f"the bot of player {decision.player + 1} answered {option!r}, which is no option"
        )
    try:
        return state.choose(option)
    except Illegal as error:
        if (why := decision.dead_end()) is not None:
            raise Fault(why) from error
        raise BotError(
            f"the bot of player {decision.player + 1} chose what cannot be chosen: {error}"
        ) from error


def open_decision(state: State) -> Decision:
    """The first open decision; raises Fault if there is none, or the game has reached its bound."""
    decisions = state.decisions
    if not decisions:
        raise Fault("nobody has anything to decide and the game is not over")
    if state.moves >= state.game.rules_source.max_moves:
        raise Fault(
            f"the game has reached its bound of {state.game.rules_source.max_moves} moves; "
            "give it an `end` that comes, or set `moves` under `game`"
        )
    return decisions[0]


def play_out(state: State, agents: list[Agent], kept: bool = True) -> State:
    """The final state of a game played on from `state` with an agent in each seat.

    Raises BotError when an agent raises or answers illegally, and Fault when the rules do. Unless
    `kept`, earlier states are dropped: thousands of them take a gigabyte, and only undo and
    records need them.
    """
    while not state.over:
        state = _after_one(state, agents)
        if not kept:
            state.parent = None
    return state


def _after_one(state: State, agents: list[Agent]) -> State:
    decision = open_decision(state)
    return bots_move(agents[decision.player], state, decision)


def play_game(game: Game, seed: int, bot: str) -> Outcome:
    """One game with the same bot in every seat.

    Where rules or a bot break off, the game is not decided: the outcome says why, and has what was
    played until then.
    """
    fired = game.rules.fired
    fired.clear()
    judged = frozenset(
        e.clause for e in game.rules_source.extensions if e.kind in ("rules", "define")
    )
    agents = [
        _without_imagined(BOTS[bot](seed * 64 + p), fired, judged) for p in range(game.players)
    ]
    state: State | None = None
    try:
        state = game.start(seed)
        while not state.over:
            state = _after_one(state, agents)
            state.parent = None  # thousands of them take a gigabyte
        scores = tuple(state.scores())
        _rank_anew(state)
        fired |= lasting(game)
    except (Fault, BotError) as error:
        moves, digest = (state.moves, state.digest()) if state is not None else (0, "")
        why = f"{error} (after {counted(moves, 'choice')})"
        return Outcome(game.players, False, moves, (), digest, frozenset(fired), why)
    finished = any(
        ending.name == state.ended_by for ending in game.rules_source.endings
    ) or state.ended_by in ("game", "flow")
    return Outcome(
        game.players,
        finished,
        state.moves,
        scores,
        state.digest(),
        frozenset(fired),
        played=frozenset(_played(state)),
    )


def _rank_anew(state: State) -> None:
    """Work out the ranking with nothing kept, so that all clauses that count there are noted."""
    at_end = state.position.copy()
    at_end.memos = {}
    ranking(state.game.rules, at_end)


def _played(state: State) -> Iterator[tuple[str, str]]:
    """Pairs of an event that happened and the title of a piece that took part in it."""
    events, pieces = state.game.rules_source.events, state.game.setup.pieces
    for entry in state.log:
        if entry.kind != "event":
            continue
        for (_, value), (_, t) in zip(entry.args, events[entry.name].params, strict=True):
            several = isinstance(element(t), PieceT)
            if value is not None and (
                several or isinstance(t.of if isinstance(t, OptionalT) else t, PieceT)
            ):
                for piece in numbers(value if several else (value,)):
                    if pieces[piece].design.title:
                        yield entry.name, pieces[piece].design.title


def _without_imagined(agent: Agent, fired: set[str], judged: frozenset[str]) -> Agent:
    """The agent, without the clauses that count only in the plays it imagines.

    Clauses in `judged` (what texts permit or forbid) still count where an option is judged.
    """

    def choose(state: State, decision: Decision) -> Option:
        before = frozenset(fired)
        try:
            return agent(state, decision)
        finally:
            fired.intersection_update(before | judged)

    return choose


def simulate(
    games: Sequence[Game],
    count: int,
    seed: int,
    bot: str = "random",
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
    tasks = [
        (game.players, seed * 1_000_003 + number, bot) for game in games for number in range(count)
    ]
    if make is not None and processes > 1:
        outcomes = _in_processes(tasks, processes, make)
    else:
        outcomes = _in_turn(tasks, games)
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
    _summarize(found, games, fired, played)
    return found


def _summarize(
    found: Simulation,
    games: Sequence[Game],
    fired: Counter[str],
    played: Counter[tuple[str, str]],
) -> None:
    """Fill in which clauses fired and which pieces were played, over all games."""
    found.never_fired = list(
        dict.fromkeys(clause for game in games for clause in never_fired(game, set(fired)))
    )
    clauses = {c.id: c.kind for game in games for c in game.rules_source.clauses.values()}
    found.seen = {
        clause: fired[clause]
        for clause, kind in clauses.items()
        if kind in (*COUNTED, *HAPPENING) and fired[clause]
    }
    for (event, title), number in sorted(played.items()):
        found.played.setdefault(event, {})[title] = number
    titles = dict.fromkeys(
        piece.design.title for game in games for piece in game.setup.pieces if piece.design.title
    )
    seen = {title for _, title in played}
    found.never_played = [title for title in titles if title not in seen]


def _add(found: Simulation, outcome: Outcome, number: int) -> None:
    found.games += 1
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
Task = tuple[int, int, str]  # players, seed, bot


def _in_turn(tasks: Iterable[Task], games: Sequence[Game]) -> Iterator[Outcome]:
    known = {game.players: game for game in games}
    for players, seed, bot in tasks:
        yield play_game(known[players], seed, bot)


def _in_processes(tasks: list[Task], processes: int, make: GameFactory) -> Iterator[Outcome]:
    """The outcomes in the order of the tasks, whichever process plays each.

    Raises WorkerLost after those that were played when a process is ended from outside.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, initializer=_Worker.begin, initargs=(make,))
    lost, whole = 0, False
    try:
        for future in [pool.submit(_Worker.play, task) for task in tasks]:
            try:
                outcome = future.result()
            except BrokenProcessPool:
                lost += 1
            else:
                yield outcome
        whole = True
    finally:
        if not whole:  # whoever leaves early does not wait for the games that are being played
            for worker in set(multiprocessing.active_children()) - before:
                worker.terminate()
        pool.shutdown(cancel_futures=True)
    if lost:
        raise WorkerLost(
            "a process that played games was ended from outside, perhaps because memory ran out"
        )


class _Worker:
    """The state of a worker process: the games it has made, by number of players."""

    make: GameFactory
    games: dict[int, Game]

    @classmethod
    def begin(cls, make: GameFactory) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Control-C is for the one who waits for all
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_DFL)
        cls.make, cls.games = staticmethod(make), {}

    @classmethod
    def play(cls, task: Task) -> Outcome:
        players, seed, bot = task
        if players not in cls.games:
            cls.games[players] = cls.make(players)
        return play_game(cls.games[players], seed, bot)


def never_fired(game: Game, fired: set[str]) -> list[str]:
    """The clauses that could count in this game and are not among those that did.

    They are table lines, actions, ends, reactions, latches and sentences of cards in play. A
    clause that the settings make impossible, or that asks for a piece that is not in play, is
    not missed.
    """
    known = fired | shut_out(game)
    return [
        c.id
        for c in game.rules_source.clauses.values()
        if c.kind in COUNTED and not c.owner.startswith("pattern") and c.id not in known
    ]
