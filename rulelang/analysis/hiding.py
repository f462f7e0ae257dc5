"""What texts of cards may show or read of what not everybody may know, through all they call.

It is decided coarsely, without regard to who reads: what is not told here reads nothing hidden,
whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rulelang import core
from rulelang.ruleset import Extension, Rule, Ruleset

Sources = frozenset[tuple[str, str]]  # "place" or "state", and its name
Judging = tuple[str, bool, frozenset[str]]


def sources_in(item: object) -> Sources:
    """The places and variables that nodes read by themselves."""
    found: set[tuple[str, str]] = set()
    for node in core.walk(item):
        if isinstance(node, core.Contents):
            found.add(("place", node.place))
        elif isinstance(node, core.Read):
            found.add(("state", node.state))
    return frozenset(found)


@dataclass(frozen=True)
class Part:
    """A part of the rules, or what a text adds to it: its name, what it needs and what it reads.

    `brought` is the text's.
    """

    name: str
    needed: Iterable[str]
    sources: Sources
    brought: Extension | None = None


def telling(rules: Ruleset, parts: Iterable[Part], order: Iterable[str]) -> list[Extension]:
    """The texts that read what is hidden, and those that do something or answer an event.

    The names of the parts are in an order in which each comes behind all that it needs.
    """
    by_name: dict[str, list[Part]] = {}
    for part in parts:
        by_name.setdefault(part.name, []).append(part)
    secret: dict[str, bool] = {}
    for name in order:
        secret[name] = any(_reads_hidden(rules, part, secret) for part in by_name.get(name, ()))
    reading = {
        id(part.brought)
        for some in by_name.values()
        for part in some
        if part.brought is not None and _reads_hidden(rules, part, secret)
    }
    return [e for e in rules.extensions if e.body or e.reaction is not None or id(e) in reading]


def _reads_hidden(rules: Ruleset, part: Part, secret: Mapping[str, bool]) -> bool:
    return any(secret.get(name, False) for name in part.needed) or any(
        (rules.places[name] if sort == "place" else rules.states[name]).visibility != "public"
        for sort, name in part.sources
    )


def judging(rules: Ruleset) -> frozenset[Judging]:
    """What the rules that texts add to events go by, if they read nothing hidden themselves: the
    event, whether that is the play of the card, and which of the event's values.
    """
    values = {event.name: {name for name, _ in event.params} for event in rules.events.values()}
    return frozenset(
        (e.target, e.lifetime == "played", frozenset(_names_in(part)) & values[e.target])
        for e in rules.extensions
        if e.kind == "rules"
        for rule in e.rules
        for part in (*_needs(rule), rule.cond)
    )


def _needs(rule: Rule) -> tuple[core.Expr | None, ...]:
    return rule.need.of if isinstance(rule.need, core.All) else (rule.need,)


def _names_in(item: object) -> Iterable[str]:
    return (node.name for node in core.walk(item) if isinstance(node, core.Var))
