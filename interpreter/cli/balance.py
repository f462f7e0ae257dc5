"""The command that asks whether added cards are too strong, and what a variant changes."""

from __future__ import annotations

import argparse
from pathlib import Path

from interpreter.authoring.progress import Advance
from interpreter.bots.agents import BOTS
from interpreter.cli.interrupts import interruptible
from interpreter.cli.output import complain, deliver, give, progress, say, show
from interpreter.cli.rules import loaded_with, options_of
from interpreter.cli.usage import Usage
from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded, load_rules, overlay, shown
from interpreter.simulation import comparison
from interpreter.simulation.balance import (
    ALIKE,
    Balance,
    balance,
    told,
)
from interpreter.simulation.charts import Interval, Section, page
from interpreter.simulation.comparison import MEASURES, Comparison, compared
from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import counted


def measure(args: argparse.Namespace) -> int:
    """Play with and without what a file adds, or a variant; tell what differs."""
    names = _named(args)
    if not names:
        args.added = [*args.added, args.file]
    added = loaded_with(args)
    if added.compiled.report.errors:
        show(added.compiled.report.errors, added.sources, error=True)
        complain(f"left out: {', '.join(added.compiled.refused)}")
    plain = added if names else _without_last(args)
    new = [name for name in added.compiled.rules.variants if name not in _variants(plain)]
    cards = {} if names else _cards(plain, added, args.like)
    if cards:
        return _measure_cards(args, (plain, added), cards)
    if args.like is not None:
        raise Usage("--like names a title that cards are compared with, and there are no cards")
    return _measure_variants(args, added, names or new)


def _named(args: argparse.Namespace) -> list[str]:
    """The variant that is named in place of a file, if it is none of a file."""
    if Path(args.file).exists():
        return []
    known = _variants(loaded_with(args))
    if args.file in known:
        return [args.file]
    if Path(args.file).suffix:
        return []
    hint = nearest(args.file, known, 1)
    told = f"; did you mean {hint[0]!r}?" if hint else ""
    raise Usage(f"there is neither a file nor a variant {args.file!r}{told}")


def _variants(loaded: Loaded) -> list[str]:
    return [*loaded.compiled.rules.variants]


def _without_last(args: argparse.Namespace) -> Loaded:
    """The rules without the file that is measured."""
    files = [(shown(Path(p)), Path(p)) for p in args.added[:-1]]
    return load_rules(args.game, tuple(args.variant), files, tests=False)


def _measure_cards(
    args: argparse.Namespace, pair: tuple[Loaded, Loaded], cards: dict[str, list[str]]
) -> int:
    """Measure cards beside those they are compared with."""
    found = []
    for count in args.players or [None]:
        plain, added = _games(args, pair, ((), ()), count)
        with interruptible(), progress("playing", args.games) as advance:
            found.append(_balance(args, (plain, added), cards, advance))
    _keep(args, [_page_of(one) for one in found] if args.html is not None else [])
    deliver(lambda: _deliver(args, found))
    verdicts = {one.verdict(card) for one in found for card in one.cards}
    return 0 if verdicts <= {ALIKE} else 1


def _measure_variants(args: argparse.Namespace, loaded: Loaded, names: list[str]) -> int:
    """Measure what each of these variants changes."""
    found = []
    for name in names:
        for count in args.players or [None]:
            with interruptible(), progress("playing", args.games) as advance:
                found.append(_compared(args, loaded, name, count, advance))
    _keep(args, [_page_of_variant(one) for one in found] if args.html is not None else [])
    deliver(lambda: _deliver_variants(args, found))
    verdicts = {one.verdict(measure) for one in found for measure in one.measures}
    return 0 if verdicts <= {ALIKE} else 1


def _games(
    args: argparse.Namespace,
    pair: tuple[Loaded, Loaded],
    variants: tuple[tuple[str, ...], tuple[str, ...]],
    count: int | None,
) -> tuple[Game, Game]:
    """The two games for so many players, each under the variants of the command line and more."""
    options, (one, two) = options_of(args), variants
    chosen = tuple(args.variant)
    return (
        game_of(pair[0], count, (*chosen, *one), options),
        game_of(pair[1], count, (*chosen, *two), options),
    )


def _balance(
    args: argparse.Namespace,
    pair: tuple[Game, Game],
    cards: dict[str, list[str]],
    advance: Advance,
) -> Balance:
    return balance(
        pair,
        cards,
        (args.bot, BOTS[args.bot]),
        (args.games, args.seed or 0),
        args.least,
        lambda done: advance(done, args.games),
    )


def _compared(
    args: argparse.Namespace, loaded: Loaded, name: str, count: int | None, advance: Advance
) -> Comparison:
    """What a variant changes, of a game for so many players."""
    pair = _games(args, (loaded, overlay(loaded, [*args.variant, name])), ((), (name,)), count)
    bot, games = (args.bot, BOTS[args.bot]), (args.games, args.seed or 0)
    for found in compared(pair, name, bot, games, args.least):
        advance(found.games, args.games)
    return found


def _cards(plain: Loaded, added: Loaded, like: str | None) -> dict[str, list[str]]:
    """The titles that a file adds, each with those it is compared with.

    Raises Usage where it adds neither a card nor a variant, or there is no title it is to be like.
    """
    known = {d.title: d.component for d in plain.compiled.rules.designs if d.title}
    new = {
        d.title: d.component
        for d in added.compiled.rules.designs
        if d.title and d.title not in known
    }
    if not new and _variants(plain) == _variants(added):
        raise Usage("the file adds no card with a title of its own that could be played")
    if like is not None and like not in known:
        hint = nearest(like, known, 1)
        told = f"; did you mean {hint[0]!r}?" if hint else ""
        raise Usage(f"there is no title {like!r}{told}")
    found = {}
    for title, component in new.items():
        others = [t for t, of in known.items() if of == component]
        found[title] = [like] if like is not None else others
    return found


def _deliver(args: argparse.Namespace, found: list[Balance]) -> None:
    if args.json:
        give([one.as_json() for one in found])
        return
    for one in found:
        _tell(one)


def _tell(found: Balance) -> None:
    """A table of the cards in words."""
    say(
        f"{found.game}, {counted(found.players, 'player')}, {found.bot} bots: "
        f"{counted(found.games, 'pair')} of games with and without the cards",
        "bold",
    )
    for card in found.cards:
        for line in told(found, card):
            say(f"  {line}")
    lost = ", ".join(f"{title} ({x:+.2f} a game)" for title, x in found.displaced())
    if lost:
        say(f"  played less: {lost}")
    low, high = found.sums.interval(found.error)
    say(f"  mean score {found.sums.mean:+.2f} [{low:+.2f} to {high:+.2f}] with the cards")


def _deliver_variants(args: argparse.Namespace, found: list[Comparison]) -> None:
    if args.json:
        give([one.as_json() for one in found])
        return
    for one in found:
        say(f"{_head(one)}: {counted(one.games, 'pair')} of games without and with it", "bold")
        for line in comparison.told(one):
            say(f"  {line}")


# ------------------------------------------------------------------------------------- the page
def _keep(args: argparse.Namespace, sections: list[Section]) -> None:
    """Write the page that is asked for."""
    if args.html is not None:
        Path(args.html).write_text(page("Balance", sections), "utf-8")


def _page_of(found: Balance) -> Section:
    """The cards of one game: a chart of what each earns, and what is known in words."""
    rows = [
        Interval(
            card.title, found.verdict(card), card.beyond.mean, *card.beyond.interval(found.error)
        )
        for card in found.cards
        if card.beyond.count > 1
    ]
    return Section(
        f"{found.game}, {counted(found.players, 'player')}, {found.bot} bots",
        "points before who plays the others",
        rows,
        [told(found, card) for card in found.cards],
    )


def _page_of_variant(found: Comparison) -> Section:
    """What a variant changes: a chart in parts of the level without it, and the same in words."""
    rows = []
    for one in found.measures:
        level = abs(one.without.mean)
        if one.change.count > 1 and level:
            low, high = one.change.interval(found.error)
            ends = (one.change.mean / level, low / level, high / level)
            rows.append(Interval(MEASURES[one.name].short, found.verdict(one), *ends))
    return Section(
        _head(found), "change as a share of what it is without", rows, [comparison.told(found)]
    )


def _head(found: Comparison) -> str:
    return (
        f"{found.game} with {found.variant}, {counted(found.players, 'player')}, {found.bot} bots"
    )
