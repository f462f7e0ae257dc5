"""Roles and openings: wordings made for one game out of those that all games share.

A game declares its roles (`role thing: block`) and where its rules are open to cards (`opening gain
of worth at "specials"`). A parameter without a type is a role. A pattern `for` a sort of opening is
made once for each opening of that sort: there its roles are what the opening says they are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_

from rulelang.diagnostics import Report, did_you_mean
from rulelang.diagnostics.source import Span
from rulelang.english.hygiene import apart
from rulelang.english.interface import (
    ADDED,
    ALWAYS,
    BEARER,
    DEFINITIONS,
    IMPLIED,
    LASTS,
    PROVIDED,
    TYPES,
    Role,
)
from rulelang.english.library import declarations
from rulelang.english.opening import Opening, opening_of
from rulelang.english.units import definitions_of_units
from rulelang.syntax.nodes import Node, VeryNode, plain

_DEFINES = ("define", "define_one")
_NAMED = (*_DEFINES, "phrase", "place", "procedure")
_TARGETS = ("score_at", "rules_at", "define_at", "procedure_at")
_LINES = ("line", "must", "case", "case_else")  # they cite what the opening cites
_SETTING = ("worth",)  # the sorts of openings whose amounts take the place of others
MAX_KEPT = 4096  # declarations as they are in a game, kept for its variants and for its next edit
_HERE = "opening"  # stands for the owner and the label of the opening in a pattern for its sort


def with_library(nodes: list[Node], report: Report) -> list[Node]:
    """The declarations with their roles filled in, and those of the library that this game says.

    A declaration of the library that needs a role or a definition this game lacks is left out, and
    so is what needs it in turn. Unknown roles of the game's own declarations are reported.
    """
    roles = _roles(nodes)
    openings = [_opening(VeryNode(node)) for node in nodes if node.kind == "opening"]
    own = [node for node in nodes if node.kind not in ("role", "opening")]
    if BEARER not in roles:
        return own
    spelt = _spelt(_Spelt(tuple(roles.items())))
    taken = _wanted(declarations()).union(map(_name, declarations())) & set(map(_name, own))
    said = _sorts(own) & _sorts(declarations())
    shared = _said_here(spelt, frozenset(taken - {""}), said)
    units = _units_of(tuple(VeryNode(opening.node) for opening in openings))
    made = _without_own_synonyms([*units, *shared], own)
    sorts = _sorts([*own, *made])
    frames = [node for node in (*own, *made) if node.kind == "frame"]
    _report_unknown(openings, sorted({_sort(frame) for frame in frames}), roles, report)
    openings = [opening for opening in openings if opening.roles.keys() <= roles.keys()]
    heads = _heads(own)
    of_sort = _by_sort(openings)
    found: list[Node] = []
    for node in (*own, *made):
        if node.kind == "frame":
            found += _at_each_opening(node, of_sort.get(_sort(node), ()), sorts, heads)
        elif node.kind in _DEFINES:
            _report_unknown_roles(node, roles, report)
            found.append(_with_typed_roles(VeryNode(node), spelt))
        else:
            found.append(node)
    return found


def _by_sort(openings: Iterable[Opening]) -> dict[str, list[Opening]]:
    """The openings of each sort, in their order."""
    found: dict[str, list[Opening]] = {}
    for opening in openings:
        found.setdefault(opening.sort, []).append(opening)
    return found


def _at_each_opening(
    frame: Node,
    openings: Iterable[Opening],
    sorts: frozenset[str],
    heads: Mapping[str, frozenset[str]],
) -> list[Node]:
    """The pattern at each of the openings of its sort; one that adds nothing if there is none."""
    none = frozenset[str]()
    made = [
        _for_opening(VeryNode(frame), VeryNode(o.node), heads.get(o.owner.text, none), sorts)
        for o in openings
    ]
    return made or [_without_place(VeryNode(frame))]


def _heads(own: Iterable[Node]) -> dict[str, frozenset[str]]:
    """The names of the arguments of each declaration that has some."""
    found: dict[str, frozenset[str]] = {}
    for node in own:
        head = node.first("params")
        if head is not None and node.words():
            words = (part.part(0).text for part in head.parts if part is not None)
            found[node.words()[0].text] = frozenset(words)
    return found


# ------------------------------------------------------------------------------------- declarations
def _roles(nodes: Iterable[Node]) -> dict[str, Node]:
    """The type of each role: those declared, and those that follow from who bears texts."""
    found = {node.part(0).text: node.part(1) for node in nodes if node.kind == "role"}
    if BEARER in found:
        bearer = found[BEARER]
        for role in IMPLIED:
            found.setdefault(role.name, _type_of(role, bearer))
    return found


def _type_of(role: Role, bearer: Node) -> Node:
    """The type of a role that every game has."""
    several = role.type.removeprefix("set of ")
    one = bearer if several == BEARER else _type_name(several, bearer.span)
    return one if several == role.type else Node("set_of", (one,), bearer.span)


def _report_unknown(
    openings: Iterable[Opening], sorts: Sequence[str], roles: Mapping[str, Node], report: Report
) -> None:
    """Report openings of a sort that no wording is for, and what they bind that is no role."""
    for opening in openings:
        word = opening.sort_word
        if word.text not in sorts:
            fix = did_you_mean(word.text, sorts) or f"Sorts are: {', '.join(sorts)}."
            report.add("unknown-opening", word.span, name=word.text, fix=fix)
        for name, value in opening.roles.items():
            if name not in roles:
                fix = did_you_mean(name, roles) or f"Declare it: `role {name}: …`."
                report.add("unknown-role", value.span, name=name, fix=fix)


def _sort(frame: Node) -> str:
    """The sort of openings a pattern is for."""
    return frame.words()[0].text


def _sorts(nodes: Iterable[Node]) -> frozenset[str]:
    """The sorts of phrases that are declared."""
    return frozenset(node.part(0).text for node in nodes if node.kind == "phrase")


def _named(node: Node, roles: Mapping[str, Node]) -> Node:
    """A declaration of the library where each role that stands for a type is this game's type."""

    def renamed(part: Node) -> Node:
        return roles.get(part.part(0).text, part) if part.kind == "type_name" else part

    return _mapped(node, renamed)


# ------------------------------------------------------------------------ what a game can say
@dataclass(frozen=True, eq=False)
class _Spelt:
    """The roles of a game; those of another are the same if their types stand at these places."""

    roles: tuple[tuple[str, Node], ...]

    @functools.cached_property
    def _places(self) -> tuple[object, ...]:
        return tuple((name, [(p, p.span) for p in node.walk()]) for name, node in self.roles)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Spelt) and self._places == other._places

    def __hash__(self) -> int:
        return hash(tuple(name for name, _ in self.roles))


@functools.lru_cache(maxsize=8)
def _spelt(roles: _Spelt) -> _Spelt:
    """The first of the same roles that was asked for, so that they are compared but once."""
    return roles


@functools.lru_cache(maxsize=8)
def _said_here(spelt: _Spelt, taken: frozenset[str], sorts: frozenset[str]) -> tuple[Node, ...]:
    """The declarations of the library whose roles and definitions this game has.

    What the game declares itself takes the place of what the library calls so: of names that the
    library has or asks for `taken` are its own, as are `sorts` of those of phrases. The answer is
    kept, for the variants of a game mostly say the same.
    """
    roles = dict(spelt.roles)
    shared = [_named(node, roles) for node in declarations()]
    kept = [_Asking(n) for n in shared if n.kind == "phrase" or _name(n) not in taken]
    kept = [a for a in kept if a.node.kind != "phrase" or a.node.part(0).text not in sorts]
    kept = [asking for asking in kept if asking.roles <= roles.keys()]
    return _sayable(kept, _wanted(shared) - taken)


def _sayable(kept: list[_Asking], wanted: set[str]) -> tuple[Node, ...]:
    """The declarations without those that use a wanted name which none of these declares."""
    while True:
        missing = wanted.difference(_name(asking.node) for asking in kept)
        left = [asking for asking in kept if missing.isdisjoint(asking.names)]
        if len(left) == len(kept):
            return tuple(asking.node for asking in left)
        kept = left


def _wanted(shared: Iterable[Node]) -> set[str]:
    """The names that declarations of the library use and that may be missing."""
    return {_name(node) for node in shared if node.kind in _DEFINES} | {
        asked.name for asked in DEFINITIONS
    }


def _without_own_synonyms(shared: Iterable[Node], own: Iterable[Node]) -> list[Node]:
    """The shared declarations, without the synonyms that a game keeps apart from others.

    It keeps apart a wording that it lists alone, and several of a shared list that it lists
    together. One of a shared list among others of its own only gives that list more words.
    """
    lists = [_wordings(node) for node in own if node.kind == "synonyms"]
    return [_without_wordings(n, lists) if n.kind == "synonyms" else n for n in shared]


def _without_wordings(synonyms: Node, lists: Iterable[set[str]]) -> Node:
    said = _wordings(synonyms)
    taken = {w for own in lists if len(own) == 1 or len(own & said) > 1 for w in own}
    kept = (p for p in synonyms.parts if p is None or p.kind != "STRING" or plain(p) not in taken)
    return replace(synonyms, parts=tuple(kept))


def _wordings(synonyms: Node) -> set[str]:
    return {plain(said).lower() for said in synonyms.words("STRING")}


# The kinds of nodes whose direct names may be those of definitions.
_NAMING = ("name", "call", "relation", "of_", "field_of", "do")


class _Asking:
    """A declaration of the library, whose roles have types by now, with what it asks of a game: the
    roles it speaks of, and what may be names of definitions.
    """

    def __init__(self, node: Node) -> None:
        """Look through the declaration."""
        self.node = node
        self.roles, self.names = set[str](), set[str]()
        for part in node.walk():
            if part.kind in _NAMING:
                self.names.update(word.text for word in part.words())
            elif part.kind == "role_param" or _is_open_type(part):
                self.roles.add(part.part(0).text)


def _is_open_type(part: Node) -> bool:
    """Does a role stand for a type here which it has not been given?"""
    return part.kind == "type_name" and part.part(0).text in TYPES


def _name(node: Node) -> str:
    """The name a definition, phrase, place or procedure declares; empty for others."""
    return node.part(0).text if node.kind in _NAMED else ""


def _report_unknown_roles(define: Node, roles: Mapping[str, Node], report: Report) -> None:
    """Report parameters of a definition without types that are no roles."""
    params = define.first("params")
    for part in params.words("role_param") if params is not None else ():
        word = part.part(0)
        if word.text not in roles:
            fix = did_you_mean(word.text, roles) or f"Give it one: `{word.text}: …`."
            report.add("unknown-role", word.span, name=word.text, fix=fix)


@functools.lru_cache(maxsize=MAX_KEPT)
def _with_typed_roles(define: VeryNode, spelt: _Spelt) -> Node:
    """A definition whose parameters without types have those of the roles they name."""
    roles = dict(spelt.roles)

    def typed(part: Node) -> Node:
        if part.kind != "role_param":
            return part
        word = part.part(0)
        t = roles.get(word.text) or _type_name("truth", word.span)
        return Node("param", (word, t), part.span)

    return _mapped(define.node, typed)


def _type_name(name: str, span: Span) -> Node:
    return Node("type_name", (Node("NAME", (), span, name),), span)


# ------------------------------------------------------------------------------------- frames
@functools.lru_cache(maxsize=64)
def _units_of(openings: tuple[VeryNode, ...]) -> tuple[Node, ...]:
    """The definitions that read the amounts of these openings."""
    return tuple(definitions_of_units(opening_of(one.node) for one in openings))


@functools.lru_cache(maxsize=MAX_KEPT)
def _for_opening(
    very_frame: VeryNode, declared: VeryNode, named: frozenset[str], sorts: frozenset[str]
) -> Node:
    """The pattern that a frame is at the opening declared by a node; its owner has these names."""
    opening = _opening(declared)
    frame = apart(very_frame.node, opening.names | named)
    slots = {
        slot.part(0).text
        for slot in frame.words("slot")
        if slot.part(1).kind == "type_name" and slot.part(1).part(0).text in sorts
    }
    parts = tuple(
        part if part is None or part.kind in ("STRING", "slot") else _filled(part, opening, slots)
        for part in frame.parts[1:]
    )
    provided = _told(Node("NAME", (), opening.span, PROVIDED), opening)
    parts += (Node(PROVIDED, (provided,), opening.span),)
    return Node("pattern", parts, frame.span, _sort(frame))


@functools.lru_cache(maxsize=MAX_KEPT)
def _opening(declared: VeryNode) -> Opening:
    return opening_of(declared.node)


@functools.lru_cache(maxsize=MAX_KEPT)
def _without_place(very_frame: VeryNode) -> Node:
    """The pattern that a frame is where no opening is of its sort: it is read and adds nothing."""
    frame = very_frame.node
    parts = tuple(part for part in frame.parts[1:] if part and part.kind in ("STRING", "slot"))
    return Node("pattern", parts, frame.span, _sort(frame))


def _filled(node: Node, opening: Opening, slots: set[str]) -> Node:
    """A part of a frame where the roles are those of the opening, as are its owner and label."""
    if node.kind == "grant_while" and LASTS not in opening.roles and _is_role(node, LASTS):
        return _filled(_as_played(node), opening, slots)
    parts = tuple(None if part is None else _filled(part, opening, slots) for part in node.parts)
    made = _with_parts(node, _without_always(node, parts, opening))
    if node.kind in _TARGETS and node.words()[0].text == _HERE:
        return replace(made, parts=tuple(_aimed(part, opening) for part in parts))
    if node.kind in _LINES and made.parts[-1] is None:
        return replace(made, parts=(*made.parts[:-1], opening.cite))
    if node.kind == "name":
        word = node.part(0)
        if word.text in slots:
            return _told(word, opening)
        return opening.roles.get(word.text, made)
    if node.kind == "call" and node.part(0).text in slots:
        return _told_besides(made, opening)
    return made


def _without_always(
    node: Node, parts: tuple[Node | None, ...], opening: Opening
) -> tuple[Node | None, ...]:
    """The parts of a node, without a condition that always holds at this opening."""
    if ALWAYS in opening.roles:
        return parts
    if node.kind == "conds":
        return tuple(p for p in parts if p is None or not _is_always(p))
    return tuple(None if p is not None and p.kind == "conds" and not p.parts else p for p in parts)


def _is_always(node: Node) -> bool:
    return node.kind == "name" and node.part(0).text == ALWAYS


def _is_role(grant: Node, role: str) -> bool:
    """Is a text in force for as long as a role says, and no other condition?"""
    (when,) = grant.words("conds")
    return [part.part(0).text for part in when.words("name")] == [role] and len(when.parts) == 1


def _as_played(grant: Node) -> Node:
    """What lasts at an opening that speaks of the card itself: as the card is played."""
    played = Node("AS_PLAYED", (), grant.span, "as played")
    return Node("grant_played", (played, *grant.parts[1:]), grant.span)


def _aimed(part: Node | None, opening: Opening) -> Node | None:
    """A part of an extension's head, with the opening's own owner and label."""
    if part is not None and part.text == _HERE and part.kind == "NAME":
        return opening.owner
    if part is not None and part.kind == "STRING" and plain(part) == _HERE:
        return opening.label
    return part


def _told(word: Node, opening: Opening) -> Node:
    """A phrase that is told what each role is here: `so_much(thing: b, here: at)`."""
    args = _roles_told(opening, word.span)
    if not args:
        return Node("name", (word,), word.span)
    return Node("call", (word, Node("args", args, word.span)), word.span)


def _told_besides(call: Node, opening: Opening) -> Node:
    """A phrase that is told some roles by the pattern, and all others by the opening."""
    said = call.part(1)
    if any(arg.kind != "named_arg" for arg in said.words()):
        return call
    own = {arg.part(0).text for arg in said.words("named_arg")}
    others = (a for a in _roles_told(opening, call.span) if a.part(0).text not in own)
    return replace(call, parts=(call.part(0), replace(said, parts=(*said.parts, *others))))


def _roles_told(opening: Opening, span: Span) -> tuple[Node, ...]:
    """What each role is at an opening, as arguments by name."""
    one = Node("number", (Node("NUMBER", (), span, "1"),), span)
    own = [role for role in (opening.unit, "" if opening.sort in _SETTING else ADDED) if role]
    bound = {**opening.roles, **dict.fromkeys(own, one)}
    return tuple(
        Node("named_arg", (Node("NAME", (), span, role), value), span)
        for role, value in bound.items()
    )


def _mapped(node: Node, change: Callable[[Node], Node]) -> Node:
    """The tree with each of its nodes changed, children first."""
    parts = tuple(None if part is None else _mapped(part, change) for part in node.parts)
    return change(_with_parts(node, parts))


def _with_parts(node: Node, parts: tuple[Node | None, ...]) -> Node:
    """The node with these parts; the node itself if they are the very same."""
    same = len(parts) == len(node.parts) and all(map(is_, parts, node.parts))
    return node if same else Node(node.kind, parts, node.span, node.text)
