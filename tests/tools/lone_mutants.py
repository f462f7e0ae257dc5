"""Mutants of the native engine alone: does the comparison with the reference find them?

The core objects of which a module is made are changed in one point (see `mutants.py`), those of the
reference are not; then both play the same random games of `tests/good`, and all that
`native_peer.py` compares is compared. Only that a statement reads otherwise is not told. A mutant
is found if something differs. Of one that is not it is told why, as far as that can be seen: the
module was left to the reference, could not be lowered, or nothing that was played differed.

    python tests/tools/lone_mutants.py [--seed N] [--sample N] [--games N] [--construct X] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import mutants
import native_peer

from interpreter.game.game import Game
from interpreter.model.errors import RulelangError
from interpreter.native.runtime import Instance

CHOICES = 60  # of each game


@dataclass(frozen=True)
class Verdict:
    """What came of a mutant: where it was found, and what hid it where it was not."""

    mutant: mutants.Mutant
    found: str | None
    why: str = ""


@contextmanager
def reading_aside() -> Iterator[None]:
    """What is decided is not compared: a changed statement reads otherwise whatever it means."""
    usual = native_peer.same

    def same(what: str, theirs: object, mine: object) -> None:
        if what != "what is decided":
            usual(what, theirs, mine)

    native_peer.same = same
    try:
        yield
    finally:
        native_peer.same = usual


def changed(program: mutants.Program, mutant: mutants.Mutant) -> Game | None:
    """The game of a program with its rules changed; none where nothing in them can be."""
    rewriter = mutants.Rewriter(mutant)
    loaded = mutants.rewritten(program.loaded, rewriter)
    return native_peer.reference(loaded) if rewriter.count else None


def difference(program: mutants.Program, module: Instance, games: int) -> tuple[str | None, str]:
    """What differs in so many games, and what was left to the reference."""
    usual, tally = native_peer.reference(program.loaded), native_peer.Tally()
    for seed in range(games):
        try:
            native_peer.play(usual, module, seed, CHOICES, tally)
        except native_peer.Difference as told:
            return str(told)[:120], ""
        except (ValueError, IndexError, KeyError) as error:  # a value of no meaning
            return f"{type(error).__name__}: {error}"[:120], ""
    return None, next(iter(tally.left), "")


def judged(mutant: mutants.Mutant, among: list[mutants.Program], games: int) -> Verdict | None:
    """What comes of a mutant; none where it can be made nowhere."""
    made, reasons = False, set[str]()
    for program in among:
        try:
            game = changed(program, mutant)
        except (RulelangError, AssertionError, ValueError):
            reasons.add("no game")
            continue
        if game is None:
            continue
        made, tally = True, native_peer.Tally()
        try:
            module = native_peer.instance_of(game, tally)
        except Exception as error:  # a core object that no author can write
            return Verdict(mutant, f"{program.name}: not lowered ({type(error).__name__})")
        if module is None:
            reasons.add(f"not lowered: {next(iter(tally.not_lowered))}")
            continue
        told, left = difference(program, module, games)
        if told is not None:
            return Verdict(mutant, f"{program.name}: {told}")
        reasons.add(f"left to the reference: {left}" if left else "nothing played differs")
    return Verdict(mutant, None, "; ".join(sorted(reasons))) if made else None


def main() -> int:
    """Draw mutants, compare, print what came of it."""
    parser = argparse.ArgumentParser(description="Mutants of the native engine alone.")
    parser.add_argument("--seed", type=int, default=0, help="which mutants are drawn")
    parser.add_argument("--sample", type=int, help="how many are drawn; all unless given")
    parser.add_argument("--games", type=int, default=3, help="of each program")
    parser.add_argument("--construct", help="only mutants of constructs that begin so")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    drawn = [
        m
        for m in mutants.all_mutants()
        if m.patch is None and m.construct.startswith(given.construct or "")
    ]
    if given.sample is not None:
        drawn = random.Random(given.seed).sample(drawn, min(given.sample, len(drawn)))
    among, verdicts = mutants.programs(), list[Verdict]()
    with reading_aside():
        for mutant in drawn:
            verdict = judged(mutant, among, given.games)
            if verdict is not None:
                verdicts.append(verdict)
                if not given.json and verdict.found is None:
                    print(f"not found: {mutant.name} ({verdict.why})", flush=True)
    missed = [v for v in verdicts if v.found is None]
    found = len(verdicts) - len(missed)
    if given.json:
        rows = [{"mutant": v.mutant.name, "why": v.why} for v in missed]
        print(json.dumps({"made": len(verdicts), "found": found, "not_found": rows}))
    else:
        part = 100 * found / max(1, len(verdicts))
        print(f"{len(verdicts)} mutants, {found} found ({part:.1f} %)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
