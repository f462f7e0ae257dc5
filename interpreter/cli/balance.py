"""The command that asks whether added cards are too strong."""

from __future__ import annotations

import argparse
import html
from pathlib import Path

from interpreter.authoring.progress import Advance
from interpreter.bots.agents import BOTS
from interpreter.cli.interrupts import interruptible
from interpreter.cli.output import complain, deliver, give, progress, say, show
from interpreter.cli.rules import loaded_with, options_of
from interpreter.cli.usage import Usage
from interpreter.game.game import Game, game_of
from interpreter.game.loading import Loaded, load_rules, shown
from interpreter.simulation.balance import (
    ALIKE,
    Balance,
    balance,
    told,
)
from rulelang.diagnostics import nearest
from rulelang.diagnostics.english import counted


def measure(args: argparse.Namespace) -> int:
    """Play with and without the cards of a file; tell what each earns beside the others."""
    args.added = [*args.added, args.file]
    added = loaded_with(args)
    variants = tuple(args.variant)
    plain = load_rules(
        args.game, variants, [(shown(Path(p)), Path(p)) for p in args.added[:-1]], tests=False
    )
    if added.compiled.report.errors:
        show(added.compiled.report.errors, added.sources, error=True)
        complain(f"left out: {', '.join(added.compiled.refused)}")
    cards = _cards(plain, added, args.like)
    options, counts = options_of(args), args.players or [None]
    found = []
    for count in counts:
        pair = tuple(game_of(made, count, variants, options) for made in (plain, added))
        with interruptible(), progress("playing", args.games) as advance:
            found.append(_measured(args, (pair[0], pair[1]), cards, advance))
    if args.html is not None:
        Path(args.html).write_text(page(found), "utf-8")
    deliver(lambda: _deliver(args, found))
    verdicts = {one.verdict(card) for one in found for card in one.cards}
    return 0 if verdicts <= {ALIKE} else 1


def _measured(
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


def _cards(plain: Loaded, added: Loaded, like: str | None) -> dict[str, list[str]]:
    """The titles that a file adds, each with those it is compared with.

    Raises Usage where it adds none, or there is no title it is to be like.
    """
    known = {d.title: d.component for d in plain.compiled.rules.designs if d.title}
    new = {
        d.title: d.component
        for d in added.compiled.rules.designs
        if d.title and d.title not in known
    }
    if not new:
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


def page(found: list[Balance]) -> str:
    """One HTML file with a table and a chart of intervals for each number of players."""
    parts = [
        "<!doctype html><meta charset='utf-8'><title>Balance</title>"
        "<style>body{font-family:sans-serif;margin:2em}td,th{padding:.3em .8em;text-align:left}"
        "</style>"
    ]
    for one in found:
        parts.append(
            f"<h1>{html.escape(one.game)}, {one.players} players, {html.escape(one.bot)}</h1>"
        )
        parts.append(_chart(one))
        for card in one.cards:
            parts.append("<p>" + "<br>".join(map(html.escape, told(one, card))) + "</p>")
    return "\n".join(parts)


def _chart(found: Balance) -> str:
    """The intervals of all cards on one scale, with 0 marked."""
    spans = [c.beyond.interval(found.error) for c in found.cards if c.beyond.count > 1]
    reach = max([abs(end) for span in spans for end in span] or [1.0]) or 1.0
    rows = []
    for n, card in enumerate(c for c in found.cards if c.beyond.count > 1):
        low, high = (300 + 250 * end / reach for end in card.beyond.interval(found.error))
        middle, y = 300 + 250 * card.beyond.mean / reach, 30 + 28 * n
        rows.append(
            f"<line x1='{low:.1f}' x2='{high:.1f}' y1='{y}' y2='{y}' stroke='#357'/>"
            f"<circle cx='{middle:.1f}' cy='{y}' r='4' fill='#357'/>"
            f"<text x='570' y='{y + 5}'>{html.escape(card.title)}</text>"
        )
    tall = 50 + 28 * len(rows)
    scale = (
        f"<line x1='300' x2='300' y1='10' y2='{tall - 25}' stroke='#999'/>"
        f"<text x='285' y='{tall - 8}'>0</text><text x='50' y='{tall - 8}'>{-reach:.1f}</text>"
        f"<text x='530' y='{tall - 8}'>{reach:.1f}</text>"
    )
    return f"<svg width='900' height='{tall}' role='img'>{''.join(rows)}{scale}</svg>"
