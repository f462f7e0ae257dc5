"""Variants: overlays that add, replace and remove named clauses before anything is compiled; their order never counts."""
from __future__ import annotations

from dataclasses import replace

from rulelang.messages import Report, nearest
from rulelang.source import Span
from rulelang.syntax import Node, plain

_NAMED = ("define", "define_one", "event", "score", "action", "procedure", "board", "place", "state", "end", "component", "kind", "group", "latch")


def apply_variants(nodes: list[Node], chosen: list[str], report: Report) -> list[Node]:
    """The declarations under these variants; an unknown variant, a missing seam, or two overlays on one clause are reported."""
    variants = {node.part(0).text: node for node in nodes if node.kind == "variant"}
    touched: dict[str, tuple[str, Node]] = {}
    result = list(nodes)
    for name in sorted(set(chosen)):
        if name not in variants:
            near = nearest(name, variants)
            where = nodes[0].span if nodes else Span("", 0, 0, 0, 0)
            report.add("unknown-variant", replace(where, end_column=where.column + 1, end_line=where.line), name=name, known=", ".join(variants) or "none",
                       fix=f"Did you mean `{near[0]}`?" if near else None)  # fmt: skip
            continue
        variant = variants[name]
        over = [p.text for p in variant.parts[2:] if p is not None and p.kind == "NAME"]
        for part in variant.parts[2:]:
            if part is None or part.kind in ("NAME", "CITE"):
                continue
            key = _touches(part)
            if key:
                other = touched.get(key)
                if other is not None and other[0] != name:
                    rivals = [p.text for p in other[1].parts[2:] if p is not None and p.kind == "NAME"]
                    if name in rivals:
                        continue
                    if other[0] not in over:
                        report.add("variants-clash", part.span, one=other[0], two=name, clause=key)
                        continue
                touched[key] = (name, variant)
            result = _apply(result, part, report)
    return result


def _touches(part: Node) -> str:
    if part.kind == "replace_decl":
        inner = part.part(0)
        return f"{inner.kind.split('_')[0]} {_name(inner)}"
    if part.kind in ("replace_line", "remove_line"):
        return f"{part.words()[0].text}/{plain(part.words('STRING')[0])}"
    return ""


def _name(node: Node) -> str:
    word = node.first("NAME")
    return word.text if word else ""


def _apply(nodes: list[Node], part: Node, report: Report) -> list[Node]:
    if part.kind == "replace_decl":
        new = part.part(0)
        head = new.kind.split("_")[0]
        hits = [n for n in nodes if n.kind.split("_")[0] == head and _name(n) == _name(new)]
        if not hits:
            report.add("nothing-to-replace", part.span, what=f"{head} {_name(new)}")
            return nodes
        return [new if n is hits[0] else n for n in nodes if n is hits[0] or n not in hits]
    if part.kind in ("replace_line", "remove_line"):
        label, owner = plain(part.words("STRING")[0]), part.words()[0].text
        fresh = [p for p in part.parts if p is not None and p.kind in ("line", "must")]
        found: list[Node] = []
        hit = False
        for node in nodes:
            if node.kind in ("score", "rules") and _name(node) == owner:
                made = _swap(node, label, fresh)
                hit = hit or made is not node
                node = made
            found.append(node)
        if not hit:
            report.add("nothing-to-replace", part.span, what=f'"{label}" in {owner}')
        return found
    return [*nodes, part]


def _swap(node: Node, label: str, fresh: list[Node]) -> Node:
    parts: list[Node | None] = []
    changed = False
    for part in node.parts:
        if part is not None and part.kind in ("line", "must", "open_slot"):
            words = part.words("STRING")
            if words and plain(words[0]) == label:
                parts += fresh
                changed = True
                continue
        if part is not None and part.kind == "one_of":
            inner = _swap(part, label, fresh)
            changed = changed or inner is not part
            part = inner
        parts.append(part)
    return replace(node, parts=tuple(parts)) if changed else node
