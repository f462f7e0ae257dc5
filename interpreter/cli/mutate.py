"""The command that breaks rules one way at a time and sees which scenarios notice."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from interpreter.cli.output import give, progress, say
from interpreter.cli.proofs import asked, table
from interpreter.cli.usage import Usage
from interpreter.game.loading import RulesError, folder_of, load_rules, rulebook_of, shown
from interpreter.proofs import mutation
from interpreter.proofs.sides import Unaskable


def mutate(args: argparse.Namespace) -> int:
    """Judge mutants; 0 if every one was noticed, 1 if some survived."""
    return asked(args, lambda: _mutate(args))


def _mutate(args: argparse.Namespace) -> int:
    loaded = load_rules(args.game, (), [(shown(Path(path)), Path(path)) for path in args.added])
    if loaded.compiled.report.errors:
        raise RulesError(loaded.compiled.report.errors, loaded.sources)
    if not loaded.compiled.rules.scenarios:
        raise Unaskable(
            f"{args.game} has no scenarios that could notice anything: write some first"
        )
    made = mutation.Mutation(loaded, rulebook_of(folder_of(args.game)))
    made.prepare()
    drawn = made.drawn(args.sample, args.seed, args.cards)
    if not drawn:
        raise Unaskable(f"{args.game} has nothing that could be broken so")
    with progress("breaking rules", len(drawn)) as advance:
        found = mutation.judged(made, drawn, advance)
    survived = [v for v in found if v.verdict in mutation.ALIVE]
    scenarios = [v.scenario for v in survived if v.scenario]
    if args.out is not None:
        _write(args.out, "\n".join([f"for {loaded.id}\n", *scenarios]))
    if args.json:
        counts = dict(Counter(v.verdict for v in found))
        give({"made": len(found), "verdicts": counts, "mutants": [v.as_json() for v in found]})
    else:
        _tell(found, survived)
    return 1 if survived else 0


def _write(out: str, text: str) -> None:
    try:
        Path(out).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Usage(f"{out} cannot be written: {error.strerror}") from error


def _tell(found: list[mutation.Verdict], survived: list[mutation.Verdict]) -> None:
    for line in table(_by_section(found)):
        say(line)
    for section in dict.fromkeys(v.section for v in survived):
        say(f"{section}:", "bold")
        for v in survived:
            if v.section == section:
                _tell_survivor(v)
    others = Counter(v.mutant.clause for v in found if v.verdict == mutation.OTHER_CARDS)
    if others:
        clauses = ", ".join(f"{clause} ({n})" for clause, n in others.items())
        say(f"{mutation.OTHER_CARDS}, without effect with those there are: {clauses}")
    real = [v for v in found if v.verdict not in (mutation.OTHER_CARDS, mutation.EQUIVALENT)]
    killed = len(real) - len(survived)
    rate = f" ({100 * killed // len(real)} %)" if real else ""
    say(f"{len(found)} mutants, {killed} of {len(real)} killed{rate}", "bold")


def _tell_survivor(v: mutation.Verdict) -> None:
    cites = f" [{', '.join(v.cites)}]" if v.cites else ""
    say(f"{v.verdict}: {v.mutant.clause}{cites}, {v.mutant.way}", "bold yellow")
    if v.shown is None:
        say("  no position that shows it was found within the bounds")
        return
    say(f"  it shows {v.shown.how}: {v.shown.one}; broken: {v.shown.two}")
    if v.scenario:
        say("  a scenario that would notice, to be checked by hand and pasted:")
        say()
        say(v.scenario)


def _by_section(found: list[mutation.Verdict]) -> list[list[str]]:
    """How many mutants had which verdict, by section of the rulebook."""
    rows = [["section", "made", "killed", "survived", "for other cards", "equivalent"]]
    for section in dict.fromkeys(v.section for v in found):
        own = [v for v in found if v.section == section]
        count = Counter(v.verdict for v in own)
        lived = sum(count[verdict] for verdict in mutation.ALIVE)
        apart = (count[mutation.OTHER_CARDS], count[mutation.EQUIVALENT])
        numbers = (len(own), count[mutation.KILLED], lived, *apart)
        rows.append([section, *map(str, numbers)])
    return rows
