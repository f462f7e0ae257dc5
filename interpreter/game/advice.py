"""Advice: what rules say of the cards and deck lists a game is set up with, told where the author
can mend it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace

from interpreter.evaluator.expressions import Env
from interpreter.game.context import GameContext
from interpreter.game.prompts import with_values
from interpreter.model.position import Position, empty_position
from interpreter.model.values import Fault
from rulelang.core.types import PieceT
from rulelang.core.values import ordered
from rulelang.diagnostics import Diagnostic, finding
from rulelang.diagnostics.source import Span
from rulelang.ruleset import Advice, Clause, Deck, Design, Ruleset


@dataclass(frozen=True)
class Advised:
    """Something that is advised against: the clause that says so, the card it is said of, and what
    is told.
    """

    clause: Clause
    design: Design | None
    finding: Diagnostic


CardsTold = dict[tuple[str, Hashable], tuple[Design, Advised | None]]


@dataclass(frozen=True)
class Told:
    """What is told of cards by advice that looks at nothing but the card itself, as far as it is
    known, under settings that this may hang on.
    """

    known: CardsTold
    setting: Hashable

    def of(self, design: Design, ask: Callable[[], Advised | None]) -> Advised | None:
        """What is told of a card: as it is known of one with the same title and print, or asked."""
        key = (design.clause, self.setting)
        found = self.known.get(key)
        if found is None or not _is_like(found[0], design):
            found = self.known[key] = design, ask()
        return found[1]


def _is_like(one: Design, other: Design) -> bool:
    """Are two cards called alike, and is the same printed on them?"""
    return one is other or (
        bool(one.title)
        and (one.title, one.component) == (other.title, other.component)
        and (one.values is other.values or one.values == other.values)
    )


def advised(
    game: GameContext,
    severities: Iterable[str] = ("error", "warning", "note"),
    only: Advice | None = None,
    position: Position | None = None,
    told: Told | None = None,
) -> list[Advised]:
    """What the rules have to say of this setup, or one piece of advice, before anything has
    happened; one finding for all copies of a card.

    `position` is the empty position of the game, where it is known, and `told` what is known of
    the one piece of advice.
    """
    found: dict[tuple[str, object], Advised] = {}
    wanted = set(severities)
    s = empty_position(game.setup, 0) if position is None else position
    for advice in game.rules_source.advice if only is None else [only]:
        if advice.severity not in wanted or game.rules.gone(advice.clause):
            continue
        for env, design in _subjects(game, advice, s, told is not None):
            ask = functools.partial(_told, game, advice, s, env, design)
            made = told.of(design, ask) if told is not None and design is not None else ask()
            if made is None:
                continue
            key = (
                advice.clause,
                (design.component, design.title, design.span)
                if design is not None
                else tuple(env.values()),
            )
            found.setdefault(key, made)
    return list(found.values())


def of_cards(advice: Advice) -> bool:
    """Is it said of each card?"""
    return advice.each is not None and isinstance(advice.each[2], PieceT)


def _subjects(
    game: GameContext, advice: Advice, s: Position, once: bool
) -> Iterator[tuple[Env, Design | None]]:
    """What it is asked of: the values by name, and the card among them; of each design only `once`,
    where it looks at nothing but what is printed on a card.
    """
    if advice.each is None:
        yield {}, None
        return
    var, domain, item = advice.each
    is_piece, seen = isinstance(item, PieceT), set[str]()
    for value in ordered(game.rules.members(domain, s, {})):
        if not is_piece or not isinstance(value, int):
            yield {var: value}, None
            continue
        design = game.setup.pieces[value].design
        if not once or design.clause not in seen:
            seen.add(design.clause)
            yield {var: value}, design


def _told(
    game: GameContext, advice: Advice, s: Position, env: Env, design: Design | None
) -> Advised | None:
    """What is told of one of them; none if all is well."""
    clause = game.rules_source.clauses[advice.clause]
    cites = f" [{', '.join(clause.cites)}]" if clause.cites else ""
    rule = f"“{advice.label}”{cites}"
    try:
        if (
            advice.cond is not None and not game.rules.holds(s, advice.cond, env)
        ) or game.rules.holds(s, advice.need, env):
            return None
        where = place_of(game.rules_source, game.deck, clause, design)
        says = with_values(game, advice.says, s, env) or f"{rule} does not hold"
        fixes = tuple(_sentence(with_values(game, fix, s, env)) for fix in advice.fixes)
    except Fault as error:
        where = place_of(game.rules_source, game.deck, clause, design)
        return Advised(clause, design, finding("fault", where, why=f"{rule}: {error}"))
    deck = game.rules_source.decks.get(game.deck or "")
    notes = [f"so says {rule}"] if advice.says else []
    if deck is not None and deck.partial:
        notes.append("rows of the list that could not be read are not counted")
    made = finding(f"advice-{advice.severity}", where, says=_sentence(says), notes=notes)
    return Advised(clause, design, replace(made, fixes=fixes))


def place_of(rules: Ruleset, chosen: str | None, clause: Clause, design: Design | None) -> Span:
    """Where it is told: at the card, in the deck list if that names it; what is said of no card, at
    the list, or else at the rule.
    """
    deck = rules.decks.get(chosen or "")
    if design is not None:
        return (deck.place(design) if deck is not None else None) or design.span
    return rules.clauses[deck.clause].span if deck is not None and deck.clause else clause.span


def _sentence(text: str) -> str:
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


# ------------------------------------------------------------- files held against advice
@dataclass
class Holding:
    """What is advised against in the files of a ruleset: its cards each for itself, and its deck
    lists with every number of players they are for.
    """

    counts: tuple[int, ...]
    said: Callable[
        [int, str | None, bool], list[Advised]
    ]  # for so many with a deck list or none: of all, or of cards for themselves

    def numbers(self, deck: Deck) -> list[int]:
        """The numbers of players that a list is held against."""
        return [n for n in self.counts if deck.is_for(n)]

    def cards(self, whole: str | None) -> list[Advised]:
        """What is said of cards for themselves, all of them in the box."""
        return self._merged({n: self.said(n, whole, True) for n in self.counts})

    def deck(self, deck: Deck, known: Iterable[Advised]) -> list[Advised]:
        """What is said of a list, and of cards because of what else is in it."""
        told = {(item.clause.id, item.design.clause) for item in known if item.design is not None}
        found = {n: self.said(n, deck.name, False) for n in self.numbers(deck)}
        return self._merged(
            {
                n: [
                    i
                    for i in items
                    if i.design is None or (i.clause.id, i.design.clause) not in told
                ]
                for n, items in found.items()
            }
        )

    def _merged(self, found: dict[int, list[Advised]]) -> list[Advised]:
        """One finding for all numbers of players it is told for, with what differs from one to the
        other.
        """
        same: dict[tuple[str, Span, str], dict[int, Advised]] = {}
        for players, items in found.items():
            for item in items:
                key = (
                    item.clause.id,
                    item.finding.span,
                    "" if item.design is not None else item.finding.code,
                )
                same.setdefault(key, {})[players] = item
        return [self._one(items, list(found)) for items in same.values()]

    def _one(self, items: dict[int, Advised], counts: list[int]) -> Advised:
        first = next(iter(items.values()))
        by_text: dict[str, list[int]] = {}
        for players, item in items.items():
            by_text.setdefault(item.finding.message, []).append(players)
        texts = list(by_text.items())
        notes = [f"with {_players(texts[0][1])}"] if len(texts) > 1 or list(items) != counts else []
        notes += [f"with {_players(players)}: {text}" for text, players in texts[1:]]
        return replace(first, finding=replace(first.finding, notes=(*notes, *first.finding.notes)))


def _players(counts: list[int]) -> str:
    """Numbers of players in words."""
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]} players"
    said = (
        " or ".join([", ".join(map(str, counts[:-1])), str(counts[-1])])
        if len(counts) > 1
        else str(counts[0])
    )
    return f"{said} {'player' if counts == [1] else 'players'}"
