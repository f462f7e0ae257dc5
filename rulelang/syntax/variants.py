"""Variants: overlays that add, replace and remove named clauses before anything is compiled; their order never counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulelang.diagnostics import Report, nearest
from rulelang.diagnostics.source import NOWHERE
from rulelang.syntax.nodes import Node, plain


@dataclass(frozen=True)
class Change:
    """One thing a variant does, and the clauses it touches by it: (what they belong to, label); without a label the whole."""

    variant: str
    node: Node
    touches: tuple[tuple[str, str], ...]


def apply_variants(nodes: list[Node], chosen: Iterable[str], report: Report) -> list[Node]:
    """The declarations under these variants; an unknown variant, a missing seam, or two overlays on one clause are reported.

    A variant changes the rules as they stand without variants, and what those it is declared over make of them. Of two changes
    to one clause only that of the variant declared over the other is made.
    """
    variants = {node.part(0).text: node for node in nodes if node.kind == "variant"}
    names = set(chosen)
    options = [node.part(0).text for node in nodes if node.kind == "option"]
    for name in sorted(names - set(variants)):
        near = nearest(name, variants, 1)
        fix = (
            f"`{name}` is an option: it takes a value."
            if name in options
            else f"Did you mean `{near[0]}`?"
            if near
            else None
        )
        report.add(
            "unknown-variant",
            NOWHERE,
            name=name,
            known=", ".join([*variants, *options]) or "none",
            fix=fix,
        )
    over = _ranks(variants)
    tables = {_name(node) for node in nodes if node.kind == "score"}
    order = sorted(
        (name for name in variants if name in names), key=lambda name: len(over[name])
    )  # those that others are over come first
    changes = [change for name in order for change in _changes(variants[name], tables)]
    beaten = _beaten(changes, over, report)
    made = _Overlaid([(node, "") for node in nodes], report)
    for change in changes:
        if id(change) not in beaten:
            made.apply(change, {"", change.variant} | over[change.variant])
    return [node for node, _ in made.nodes]


def _ranks(variants: dict[str, Node]) -> dict[str, set[str]]:
    """Each variant -> those it is over, at however many removes."""
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
    """The clauses a change is about. What is added touches only what others add by the same name."""
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
    """The changes that give way to another's; two of which neither gives way to the other, or each to the other, are reported.

    A whole that one of the other's lines goes into need not give way.
    """
    beaten: set[int] = set()
    for number, two in enumerate(changes):
        for one in changes[:number]:
            clause = _common(one, two)
            if one.variant == two.variant or clause is None:
                continue
            loser, winner = (one, two) if one.variant in over[two.variant] else (two, one)
            if (one.variant in over[two.variant]) == (two.variant in over[one.variant]):
                report.add(
                    "variants-clash", two.node.span, one=one.variant, two=two.variant, clause=clause
                )
                beaten.add(id(two))
            elif any(touched in loser.touches or not touched[1] for touched in winner.touches):
                beaten.add(id(loser))
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
class _Overlaid:
    """Declarations, each with the variant it comes from; none if it is of the game itself."""

    nodes: list[tuple[Node, str]]
    report: Report
    lines: dict[int, str] = field(
        default_factory=dict
    )  # lines that variants have put in -> which variant

    def apply(self, change: Change, known: set[str]) -> None:
        """Make a change; it meets only what comes from these variants."""
        part = change.node
        if part.kind == "replace_decl":
            self.replace_whole(change, known)
        elif part.kind in ("replace_line", "remove_line"):
            self.replace_line(change, known)
        else:
            self.nodes.append((part, change.variant))

    def replace_whole(self, change: Change, known: set[str]) -> None:
        """Put a declaration in the place of one, or of all, of its sort and name."""
        new = change.node.part(0)
        sort, name = _sort(new), _name(new)
        hits = [
            n
            for n, whose in self.nodes
            if n.kind.startswith(sort) and _sort(n) == sort and _name(n) == name and whose in known
        ]
        if not hits:
            self.report.add(
                "nothing-to-replace", change.node.span, what=f"{_sort(new)} {_name(new)}".strip()
            )
            return
        gone = {id(n) for n in hits[1:]}
        self.nodes = [
            (new, change.variant) if n is hits[0] else (n, whose)
            for n, whose in self.nodes
            if id(n) not in gone
        ]

    def replace_line(self, change: Change, known: set[str]) -> None:
        """Put lines in the place of the one of this label, or take it away."""
        part = change.node
        label, owner = plain(part.words("STRING")[0]), part.words()[0].text
        fresh = [p for p in part.parts if p is not None and p.kind in ("line", "must")]
        self.lines |= {id(line): change.variant for line in fresh}
        made = [
            (
                self.swap(n, label, fresh, known)
                if n.kind in ("score", "rules") and _name(n) == owner
                else n,
                whose,
            )
            for n, whose in self.nodes
        ]
        if all(new is old for (new, _), (old, _) in zip(made, self.nodes, strict=True)):
            self.report.add("nothing-to-replace", part.span, what=f'"{label}" in {owner}')
        self.nodes = made

    def swap(self, node: Node, label: str, fresh: list[Node], known: set[str]) -> Node:
        """The same list with other lines in the place of the one of this label; the same node if it has none."""
        parts: list[Node | None] = []
        for part in node.parts:
            words = (
                part.words("STRING")
                if part is not None and part.kind in ("line", "must", "open_slot")
                else []
            )
            if words and plain(words[0]) == label and self.lines.get(id(part), "") in known:
                parts += fresh
            elif part is not None and part.kind == "one_of":
                parts.append(self.swap(part, label, fresh, known))
            else:
                parts.append(part)
        return (
            node
            if all(a is b for a, b in zip(parts, node.parts, strict=False))
            and len(parts) == len(node.parts)
            else replace(node, parts=tuple(parts))
        )
