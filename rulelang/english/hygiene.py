"""Hygiene: what a shared wording binds never captures a name of the place it is filled in at.

The library cannot know how a game calls the arguments of its tables and events. A pattern of the
library is filled with what each role is at an opening, and that speaks of those arguments; where
it binds one of their names itself, its own name gives way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from rulelang.syntax.nodes import Node

# The kinds of nodes whose direct names are bound in them, and those whose first name may be bound.
_QUANTIFIED = ("some", "none_of", "every", "each_of", "filter", "image", "line")
_BINDING = (*_QUANTIFIED, "for_each", "each", "let", "choose", "choose_order", "slot")
_NAMING = ("name", "call")
_SLOT = re.compile(r"\{(\w+)((?: plural)?)\}|\{(\w+) by (\w+)\}")


def apart(frame: Node, taken: Collection[str]) -> Node:
    """The frame with other names for what it binds, slots too, where those are taken."""
    clashing = set(_bound(frame)) & set(taken)
    if not clashing:
        return frame
    known = {word.text for word in frame.walk() if word.kind == "NAME"} | set(taken)
    fresh: dict[str, str] = {}
    for name in sorted(clashing):
        fresh[name] = next(new for new in _variants(name) if new not in known)
        known.add(fresh[name])
    return _renamed(frame, fresh)


def _bound(frame: Node) -> Iterator[str]:
    """The names that a frame binds."""
    for node in frame.walk():
        if node.kind in _BINDING:
            words = node.words()[:1] if node.kind == "slot" else node.words()
            yield from (word.text for word in words)


def _variants(name: str) -> Iterator[str]:
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


def _renamed(node: Node, fresh: Mapping[str, str]) -> Node:
    """The node with these names for variables and slots, and in the texts that mention slots."""
    if node.kind == "STRING":
        return replace(node, text=_SLOT.sub(lambda said: _slot(said, fresh), node.text))
    if node.kind in _NAMING or node.kind == "slot":
        first, *rest = node.parts
        assert first is not None
        word = replace(first, text=fresh.get(first.text, first.text))
        others = [part and _renamed(part, fresh) for part in rest]
        return replace(node, parts=(word, *others))
    parts = tuple(part and _renamed(part, fresh) for part in node.parts)
    if node.kind in _BINDING:
        parts = tuple(
            replace(part, text=fresh.get(part.text, part.text))
            if part and part.kind == "NAME"
            else part
            for part in parts
        )
    return replace(node, parts=parts)


def _slot(said: re.Match[str], fresh: Mapping[str, str]) -> str:
    name, how, counted, by = said.groups()
    if name:
        return f"{{{fresh.get(name, name)}{how}}}"
    return f"{{{fresh.get(counted, counted)} by {fresh.get(by, by)}}}"
