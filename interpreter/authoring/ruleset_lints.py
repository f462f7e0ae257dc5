"""Lints of a whole ruleset: setup laws no settings keep, advice, and unstable cards."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Hashable
from dataclasses import dataclass, field

from interpreter.authoring.advice_cache import Counsel
from interpreter.authoring.unstable_cards import never_stay
from interpreter.game.advice import Advised, Holding
from interpreter.game.game import Game
from interpreter.game.loading import Loaded, overlay
from interpreter.game.setup_laws import broken_laws, options_of_laws, spoken_of
from rulelang.analysis.advice_deps import Bases, dependencies
from rulelang.analysis.reads import Reads
from rulelang.diagnostics import CODES, Diagnostic, finding
from rulelang.ruleset import OPTION, WHOLE, Deck, Design, Rule, Ruleset

MOST_SETTINGS = 400  # choices of players and options that one law of the setup is held against


def growing(loaded: Loaded) -> frozenset[str]:
    """The components of which variants bring cards."""
    parts = [
        part
        for node in loaded.nodes
        if node.kind == "variant"
        for part in node.walk()
        if part.kind in ("card", "component")
    ]
    return frozenset(word.text for part in parts for word in part.words()[:1])


def named_in_variants(loaded: Loaded) -> frozenset[str]:
    """All words that variants use: of what is not asked for without them, what they may ask for."""
    variants = (node for node in loaded.nodes if node.kind == "variant")
    return frozenset(
        word.text for node in variants for part in node.walk() for word in part.words()
    )


def _with_deck(loaded: Loaded, players: int, deck: str | None) -> Game:
    """The game for so many with a deck list, or with what there is where there are no lists."""
    return Game(loaded, players, {OPTION: deck} if deck is not None else {}, ())


def _whole(rules: Ruleset) -> str | None:
    return WHOLE if rules.decks else None


def advice_on(loaded: Loaded, added: bool, players: int | None = None) -> list[Diagnostic]:
    """What the rules advise of their cards and deck lists, or only of those that were added."""
    rules = loaded.compiled.rules
    if not rules.advice:
        return []
    holding = _holding(loaded, players)
    cards = holding.cards(_whole(rules))
    found = [item for item in cards if _is_asked_about(loaded, item.design, added)]
    for deck in rules.decks.values():
        if not deck.counts:
            continue  # reported already: it names no card
        if not added:
            found += holding.deck(deck, cards)
        elif deck.origin in loaded.added:
            found += _advice_on_added(loaded, deck, players, holding, cards)
    # Of a card that could be read only in part nothing more is said.
    has_error_in = loaded.compiled.report.has_error_in
    told = [
        item.finding for item in found if item.design is None or not has_error_in(item.design.span)
    ]
    return sorted(told, key=lambda item: (item.span, item.code, item.message))


def _is_asked_about(loaded: Loaded, design: Design | None, added: bool) -> bool:
    """Is advice on this design asked for: of an addition's game only on what it adds?"""
    return design is not None and (not added or design.origin in loaded.added)


def _advice_on_added(
    loaded: Loaded, deck: Deck, players: int | None, holding: Holding, cards: list[Advised]
) -> list[Advised]:
    """Advice on an added list, under a variant if it is for numbers of players that one allows."""
    if holding.numbers(deck):
        return holding.deck(deck, cards)
    other = _where_allowed(loaded, deck, players)
    if other is None:
        return holding.deck(deck, cards)
    return other.deck(deck, other.cards(_whole(loaded.compiled.rules)))


def _holding(loaded: Loaded, players: int | None) -> Holding:
    """The numbers of players that the laws allow with some list, and the advice for each."""
    rules = loaded.compiled.rules
    counsel = Counsel(loaded, functools.partial(_with_deck, loaded))

    def allowed(count: int) -> bool:
        lists = [deck.name for deck in rules.decks.values() if deck.is_for(count)]
        return any(counsel.allowed(count, name) for name in [*lists, _whole(rules)])

    return Holding(
        tuple(n for n in (counts_of(rules) if players is None else (players,)) if allowed(n)),
        counsel.said,
    )


def _where_allowed(loaded: Loaded, deck: Deck, players: int | None) -> Holding | None:
    """The first variant that allows a number of players the list is for; none if there is none."""
    made = (_holding(overlay(loaded, [name]), players) for name in loaded.compiled.rules.variants)
    return next((holding for holding in made if holding.numbers(deck)), None)


def leavers(loaded: Loaded) -> list[Diagnostic]:
    """The added cards that left as soon as they came, wherever they were tried.

    Those whose text says so are reported already.
    """
    rules = loaded.compiled.rules
    told = [item.span for item in loaded.findings() if item.code == CODES["leaves-at-once"].code]
    found = never_stay(_with_deck(loaded, rules.players[0], _whole(rules)), frozenset(loaded.added))
    return [
        item
        for item in found
        if not any(
            s.file == item.span.file and item.span.line <= s.line <= item.span.end_line
            for s in told
        )
    ]


def counts_of(rules: Ruleset) -> range:
    """The numbers of players that a ruleset is held against."""
    low, high = rules.players
    return range(low, min(high if high is not None else low + 3, low + 7) + 1)


class LawsBroken(dict[str, tuple[Hashable, tuple[Diagnostic, ...]]]):
    """Under one key what the laws of the setup went by, and those broken under all settings."""


def never_kept(loaded: Loaded) -> list[Diagnostic]:
    """One finding for each setup law broken under all settings it speaks of.

    A wrong sum of pieces is such a law.
    """
    rules = loaded.compiled.rules
    if not rules.invariants:
        return []
    by = dependencies(rules, [(law.need, law.cond) for law in rules.invariants])
    now = (by, Bases(loaded.compiled).of(by))
    memo = loaded.compiled.memos.of(LawsBroken)
    known = memo.get("laws")
    if known is None or known[0] != now:
        known = memo["laws"] = now, tuple(_broken(loaded))
    return list(known[1])


def _broken(loaded: Loaded) -> list[Diagnostic]:
    """What is to be said of each law, held against all settings that it can tell apart."""
    rules = loaded.compiled.rules
    trial = _SettingsTrial(loaded)
    found = (_never_kept(trial, rules, law) for law in Reads(rules).laws)
    return [item for item in found if item is not None]


def _never_kept(trial: _SettingsTrial, rules: Ruleset, law: Rule) -> Diagnostic | None:
    """What a law is broken by, if none of the settings it speaks of keeps it; that it is not
    decided, where there are too many of them.

    Settings differ in the numbers of players and the options that the law reads; the others stay
    what they are unless chosen.
    """
    names = sorted(options_of_laws(rules, [law]))
    values = itertools.product(*(rules.options[name] for name in names))
    chosen = itertools.product(values, counts_of(rules))
    first: Diagnostic | None = None
    for options, count in itertools.islice(chosen, MOST_SETTINGS):
        broken, spoken = trial.of(count, tuple(zip(names, options, strict=True)))
        if law.clause in spoken and law.clause not in broken:
            return None
        first = first or broken.get(law.clause)
    if first is None or next(chosen, None) is None:
        return first
    where = rules.clauses[law.clause].span
    return finding("law-undecided", where, label=law.label, tried=MOST_SETTINGS)


@dataclass
class _SettingsTrial:
    """Which laws settings break and which speak of them, worked out once for each settings."""

    loaded: Loaded
    known: dict[Hashable, tuple[dict[str, Diagnostic], set[str]]] = field(default_factory=dict)

    def of(
        self, players: int, options: tuple[tuple[str, str | int], ...]
    ) -> tuple[dict[str, Diagnostic], set[str]]:
        """The laws broken by these settings, and all that speak of them, by clause."""
        key = (players, options)
        if key not in self.known:
            game = Game(self.loaded, players, dict(options), ())
            self.known[key] = broken_laws(game), spoken_of(game)
        return self.known[key]
