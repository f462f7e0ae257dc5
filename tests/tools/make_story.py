"""Makes the recorded game of four that a test replays.

Run `python tests/tools/make_story.py` after the rules it was played by have changed. Four players
would rather build than pass and never bid much; of the first games in which an election is held
and a fire breaks out, the one that pays most is kept.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from interpreter.engine.decisions import Decision, Option
from interpreter.game.game import Game, State, load

RECORD = Path(__file__).resolve().parents[1] / "records" / "a_city_of_four.json"
SEEDS = range(1, 41)
WANTED = {
    "event happen",
    "event hire",
    "procedure hold_election",
    "procedure elect_mayor",
    "event consent",
    "event cast_votes",
}
MOST = 2  # the most that is bid or voted in one go
IDLE = ("pass", "declare")


def game_of_four() -> Game:
    """SimCity for four with the deck that has a council."""
    return load("simcity", players=4, options={"deck": "council_city"})


def eager(decision: Decision, rng: random.Random) -> Option:
    """Any option but passing, and small numbers rather than large ones."""
    options = [o for o in decision.options() if o.value not in IDLE] or list(decision.options())
    small = [
        o
        for o in options
        if isinstance(o.value, int) and o.name in ("n", "amount", "votes") and o.value <= MOST
    ]
    return rng.choice(small or options)


def play(game: Game, seed: int) -> State:
    """One whole game."""
    rng, state = random.Random(seed), game.start(seed)
    while not state.over:
        state = state.choose(eager(state.decisions[0], rng))
    return state


def main() -> None:
    """Write the record."""
    game = game_of_four()
    best: State | None = None
    for seed in SEEDS:
        game.rules.fired.clear()
        state = play(game, seed)
        fires = any("Fire!" in clause for clause in game.rules.fired)
        if (
            game.rules.fired >= WANTED
            and fires
            and (best is None or sum(state.scores()) > sum(best.scores()))
        ):
            best = state
    if best is None:
        raise SystemExit("no game had all that is wanted")
    RECORD.write_text(json.dumps(game.record(best), separators=(",", ":")) + "\n", "utf-8")
    print(f"{RECORD.name}: {best.moves} choices, {best.scores()}")


if __name__ == "__main__":
    main()
