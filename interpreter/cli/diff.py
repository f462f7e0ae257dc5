"""The command that holds two texts, cards, files or variants against each other."""

from __future__ import annotations

import argparse

from interpreter.authoring.distinguish import Difference
from interpreter.cli.output import give, progress, say
from interpreter.cli.proofs import NOT_DECIDED, asked, drawn, table
from interpreter.cli.usage import Usage
from interpreter.game.game import Game
from interpreter.game.loading import RulesError, load_rules
from interpreter.proofs import differences, sides, variants
from interpreter.proofs.playable import playable

_STATUS = {differences.SAME: 0, differences.DIFFERENT: 1, differences.NOT_DECIDED: NOT_DECIDED}


def diff(args: argparse.Namespace) -> int:
    """Say whether two things mean the same; 0 if so, 1 if not, 4 if it is not decided."""
    return asked(args, lambda: _diff(args))


def _diff(args: argparse.Namespace) -> int:
    under = tuple(args.under)
    loaded = load_rules(args.game, under, tests=False)
    if loaded.compiled.report.errors:
        raise RulesError(loaded.compiled.report.errors, loaded.sources)
    of = sides.Game(args.game, loaded, under)
    one, two = of.side(args.a), of.side(args.b)
    if isinstance(one, sides.Under) and isinstance(two, sides.Under):
        if under:
            raise Usage("--under is for texts, cards and files; variants are held against `base`")
        with progress("playing both"):
            found = variants.compare_variants(loaded, one, two)
        _tell_variants(found, args.json)
        return _STATUS[found.verdict]
    pairs = differences.pairs(one, two)
    game = playable(loaded, under)
    with progress("comparing", len(pairs)) as advance:
        compared = []
        for number, (a, b) in enumerate(pairs, 1):
            compared.append(differences.compare(game, a, b))
            advance(number, len(pairs))
    made = differences.Together(tuple(compared), differences.alone(one, two))
    if args.json:
        give(made.as_json())
    else:
        for each in made.compared:
            _tell(game, each)
        for title in made.alone:
            say(f"“{title}” is in one of the files alone")
    return _STATUS[made.verdict]


def _tell(game: Game, made: differences.Compared) -> None:
    """What came of two texts, with the position drawn."""
    say(f"A: “{made.one.label}”\nB: “{made.two.label}”")
    if made.verdict == differences.SAME:
        say("They mean the same: their canonical forms are equal.", "bold green")
        return
    for name, one, two in made.printed:
        say(f"They are printed differently: {name.replace('_', ' ')} {one} by A, {two} by B.")
    found = made.found
    if isinstance(found, Difference):
        say(f"They differ {found.how}:", "bold red")
        if found.position is not None:
            show_lines(drawn(game, found.position))
        at = f" at {found.place}" if found.place else ""
        say(f"“{found.title}”{at}: {found.one} by A, {found.two} by B.")
        for name, grounds in zip("AB", found.grounds, strict=True):
            for ground in grounds:
                clause = game.rules_source.clauses.get(ground.clause)
                cites = f" [{', '.join(clause.cites)}]" if clause and clause.cites else ""
                say(f"  {name}: {ground.said}{cites}")
    elif found is not None:
        say(f"Their texts are not equal in canonical form, and {found}.", "bold yellow")


def show_lines(lines: list[str]) -> None:
    """Lines, each as it is."""
    for line in lines:
        say(line)


def _tell_variants(found: variants.Overlays, as_json: bool) -> None:
    if as_json:
        give(found.as_json())
        return
    if not found.rows:
        say("They mean the same: every clause is equal in canonical form.", "bold green")
        return
    rows = [["sort", "", "clause", "shown"]]
    for row in found.rows:
        clause = row.change.clause
        cites = f" [{', '.join(clause.cites)}]" if clause.cites else ""
        through = f" (by {row.through})" if row.through else ""
        where = row.shown.how + through if row.shown is not None else "not decided"
        rows.append([row.change.sort, row.change.how, clause.id + cites, where])
    show_lines(table(rows))
    told = set[str]()
    for row in found.rows:
        if row.shown is None or row.shown.how in told:
            continue
        told.add(row.shown.how)
        say(f"\n{row.shown.how[0].upper()}{row.shown.how[1:]}:", "bold")
        show_lines(drawn(row.shown.state.game, row.shown.state.position))
        say(f"  {found.one.label}: {row.shown.one}")
        say(f"  {found.two.label}: {row.shown.two}")
    if any(row.shown is None for row in found.rows):
        say(f"\nNot decided is what none of {found.tried} showed.")
