"""Variants: overlays that add, replace and remove named clauses before anything is compiled.

The order in which variants are chosen never counts.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulelang.diagnostics import Report, nearest
from rulelang.diagnostics.source import NOWHERE
from rulelang.syntax.nodes import Node, plain


@dataclass(frozen=True)
class Change:
    """One change that a variant makes.

    `touches` are the clauses it is about, as (owner, label); without a label the whole owner.
    """

    variant: str
    node: Node
    touches: tuple[tuple[str, str], ...]


def apply_variants(nodes: list[Node], chosen: Iterable[str], report: Report) -> list[Node]:
    """The declarations under the chosen variants.

    A variant changes the rules as they stand without variants, and what the variants it is
    declared over make of them. Of two changes to one clause only that of the variant declared over
    the other is made. Reported are unknown variants, clauses that are not there to be replaced,
    and two variants that change one clause while neither is over the other.
    """
    variants = {node.part(0).text: node for node in nodes if node.kind == "variant"}
    names = set(chosen)
    _report_unknown(sorted(names - set(variants)), variants, nodes, report)
    over = _ranks(variants)
    tables = {_name(node) for node in nodes if node.kind == "score"}
    # Those that others are over come first.
    order = sorted((name for name in variants if name in names), key=lambda name: len(over[name]))
    changes = [change for name in order for change in _changes(variants[name], tables)]
    beaten = _beaten(changes, over, report)
    overlay = _Overlay([(node, "") for node in nodes], report)
    for number, change in enumerate(changes):
        if number not in beaten:
            overlay.apply(change, {"", change.variant} | over[change.variant])
    return [item[0] for item in overlay.nodes if item is not None]


def _report_unknown(
    unknown: list[str], variants: Iterable[str], nodes: list[Node], report: Report
) -> None:
    options = [node.part(0).text for node in nodes if node.kind == "option"]
    for name in unknown:
        near = nearest(name, variants, 1)
        fix = f"Did you mean `{near[0]}`?" if near else None
        if name in options:
            fix = f"`{name}` is an option: it takes a value."
        known = ", ".join([*variants, *options]) or "none"
        report.add("unknown-variant", NOWHERE, name=name, known=known, fix=fix)


def _ranks(variants: dict[str, Node]) -> dict[str, set[str]]:
    """For each variant the variants it is over, directly or through others."""
    over = {name: {p.text for p in _over(node)} for name, node in variants.items()}
    for middle in over:
        for name in over:
            if middle in over[name]:
                over[name] |= over[middle]
    return over


def _over(variant: Node) -> list[Node]:
    return [part for part in variant.parts[2:] if part is not None and part.kind == "NAME"]


def _changes(variant: Node, tables: set[str]) -> Iterator[Change]:
    for part in variant.parts[2:]:
        if part is not None and part.kind not in ("NAME", "CITE"):
            yield Change(variant.part(0).text, part, tuple(_touches(part, tables)))


def _touches(part: Node, tables: set[str]) -> Iterator[tuple[str, str]]:
    """The clauses a change is about; what is added touches only what others add by that name."""
    if part.kind == "replace_decl":
        inner = part.part(0)
        yield f"{_sort(inner)} {_name(inner)}".strip(), ""
    elif part.kind in ("replace_line", "remove_line"):
        owner = part.words()[0].text
        yield f"{'score' if owner in tables else 'rules'} {owner}", plain(part.words("STRING")[0])
    elif part.kind == "rules":
        for rule in part.words("must"):
            yield f"what is added to the rules of {_name(part)}", plain(rule.words("STRING")[0])
    elif _name(part):
        yield f"what is called {_name(part)}", ""


def _beaten(changes: list[Change], over: dict[str, set[str]], report: Report) -> set[int]:
    """The indices of the changes that give way to another variant's.

    Two of which neither gives way to the other, or each to the other, are reported. A replaced
    whole does not give way to a line of it that the other variant replaces.
    """
    beaten: set[int] = set()
    for number, two in enumerate(changes):
        for earlier, one in enumerate(changes[:number]):
            clause = _common(one, two) if one.variant != two.variant else None
            if clause is None:
                continue
            two_wins, one_wins = one.variant in over[two.variant], two.variant in over[one.variant]
            loser, winner = (one, two) if two_wins else (two, one)
            if two_wins == one_wins:
                report.add(
                    "variants-clash", two.node.span, one=one.variant, two=two.variant, clause=clause
                )
                beaten.add(number)
            elif any(touched in loser.touches or not touched[1] for touched in winner.touches):
                beaten.add(earlier if two_wins else number)
    return beaten


def _common(one: Change, two: Change) -> str | None:
    """The clause both changes are about, as it is called; a whole is about all its lines."""
    for owner, label in one.touches:
        for other, line in two.touches:
            if owner == other and (label == line or not label or not line):
                called = label or line
                return f'"{called}" of {owner}' if called else owner
    return None


def _sort(node: Node) -> str:
    return node.kind.split("_")[0]


def _name(node: Node) -> str:
    """Its name, or where it begins with a label, that; what there is one of has none."""
    if node.parts and node.parts[0] is not None and node.parts[0].kind == "STRING":
        return plain(node.parts[0])
    word = node.first("NAME")
    return word.text if word else ""


@dataclass
class _Overlay:
    """Declarations while changes are made, each with the variant it comes from, or "" for none.

    In place of those that are removed stands None. `fresh` holds the lines that variants have put
    in, each with its variant. The lines are nodes
    of the variants, which live as long as this object, so identity tells them apart.
    """

    nodes: list[tuple[Node, str] | None]
    report: Report
    fresh: list[tuple[Node, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Where the declarations of each sort stand is looked up once."""
        self.places: dict[str, list[int]] = {}
        for index, item in enumerate(self.nodes):
            if item is not None:
                self.places.setdefault(_sort(item[0]), []).append(index)

    def apply(self, change: Change, known: set[str]) -> None:
        """Make a change; it applies only to what comes from the `known` variants."""
        part = change.node
        if part.kind == "replace_decl":
            self._replace_whole(change, known)
        elif part.kind in ("replace_line", "remove_line"):
            self._replace_line(change, known)
        else:
            self.places.setdefault(_sort(part), []).append(len(self.nodes))
            self.nodes.append((part, change.variant))

    def _of_sorts(self, *sorts: str) -> list[tuple[int, Node, str]]:
        """The declarations of these sorts, in their order, with where they stand."""
        found = []
        for index in sorted(place for sort in sorts for place in self.places.get(sort, ())):
            item = self.nodes[index]
            if item is not None:
                found.append((index, *item))
        return found

    def _replace_whole(self, change: Change, known: set[str]) -> None:
        """Put a declaration in the place of the first of its name, and remove the others."""
        new = change.node.part(0)
        sort, name = _sort(new), _name(new)
        hits = [
            index
            for index, node, variant in self._of_sorts(sort)
            if variant in known and _name(node) == name
        ]
        if not hits:
            what = f"{sort} {name}".strip()
            self.report.add("nothing-to-replace", change.node.span, what=what)
            return
        first, *others = hits
        self.nodes[first] = (new, change.variant)
        for index in others:
            self.nodes[index] = None

    def _replace_line(self, change: Change, known: set[str]) -> None:
        """Put lines in the place of the one with this label, or take it away."""
        part = change.node
        label, owner = plain(part.words("STRING")[0]), part.words()[0].text
        lines = [p for p in part.parts if p is not None and p.kind in ("line", "must")]
        self.fresh += [(line, change.variant) for line in lines]
        is_replaced = False
        for index, node, variant in self._of_sorts("score", "rules"):
            if node.kind in ("score", "rules") and _name(node) == owner:
                made = self._swap(node, label, lines, known)
                is_replaced = is_replaced or made is not node
                self.nodes[index] = (made, variant)
        if not is_replaced:
            self.report.add("nothing-to-replace", part.span, what=f'"{label}" in {owner}')

    def _swap(self, node: Node, label: str, lines: list[Node], known: set[str]) -> Node:
        """The list with these lines for the one with this label; the same node if it has none."""
        parts: list[Node | None] = []
        for part in node.parts:
            if part is not None and part.kind == "one_of":
                parts.append(self._swap(part, label, lines, known))
            elif part is not None and self._labelled(part, label) and self._origin(part) in known:
                parts += lines
            else:
                parts.append(part)
        unchanged = len(parts) == len(node.parts) and all(map(operator.is_, parts, node.parts))
        return node if unchanged else replace(node, parts=tuple(parts))

    def _labelled(self, part: Node, label: str) -> bool:
        words = part.words("STRING") if part.kind in ("line", "must", "open_slot") else []
        return bool(words) and plain(words[0]) == label

    def _origin(self, line: Node) -> str:
        """The variant that has put a line in, or "" for none."""
        return next((variant for fresh, variant in self.fresh if fresh is line), "")
