"""Slots are filled: a derivation becomes core objects by substitution, and a normal form tells whether two readings mean the same."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulelang import core
from rulelang.ruleset import Case, Extension, Line, Reaction, Rule
from rulelang.types import NUMBER

if TYPE_CHECKING:
    from rulelang.phrases import Glossary
    from rulelang.wording import Derivation

Bound = dict[str, core.Expr]
_BINDERS = ("var", "so_far", "result")


class Unbound(Exception):
    """A phrase speaks of something that is not at hand where it stands: its first value is what, the second the phrase's text if known."""


class _Fill:
    def __init__(self, glossary: Glossary, slots: dict[str, Derivation], outer: Bound, labels: bool = False) -> None:
        self.glossary, self.slots, self.outer, self.labels = glossary, slots, outer, labels
        self.renamed: dict[str, str] = {}

    def tree(self, item: Any) -> Any:
        """The item with every slot filled and every binder renamed afresh."""
        if isinstance(item, core.Slot):
            scope = {name: self.tree(value) for name, value in item.scope}
            return self.slot(item, scope)
        if isinstance(item, core.Var):
            return dataclasses.replace(item, name=self.renamed.get(item.name, item.name))
        if isinstance(item, tuple):
            return tuple(self.tree(part) for part in item)
        if dataclasses.is_dataclass(item) and not isinstance(item, type) and isinstance(item, core.Expr | core.Stmt | Line | Rule | Case | Reaction):
            for name in _BINDERS:
                old = getattr(item, name, None)
                if isinstance(old, str) and "~" in old:
                    self.glossary.exprs.fresh += 1
                    self.renamed[old] = f"{old.split('~')[0]}~{self.glossary.exprs.fresh}"
            each = getattr(item, "each", None)
            if isinstance(item, Line) and each is not None:
                self.glossary.exprs.fresh += 1
                self.renamed[each[0]] = f"{each[0].split('~')[0]}~{self.glossary.exprs.fresh}"
            values: dict[str, Any] = {}
            for f in dataclasses.fields(item):
                value = getattr(item, f.name)
                if f.name in _BINDERS and isinstance(value, str):
                    values[f.name] = self.renamed.get(value, value)
                elif f.name == "each" and each is not None:
                    values[f.name] = (self.renamed.get(each[0], each[0]), self.tree(each[1]))
                elif f.name in ("type", "span", "params"):
                    values[f.name] = value
                elif f.name == "label" and self.labels:
                    values[f.name] = self.said(value)
                else:
                    values[f.name] = self.tree(value)
            return type(item)(**values)
        return item

    def said(self, label: str) -> str:
        """A label with the sentence's own words in its slots."""
        for name, filling in self.slots.items():
            label = label.replace(f"{{{name}}}", self.glossary.describe(filling))
        return label

    def slot(self, slot: core.Slot, scope: Bound) -> core.Expr:
        filling = self.slots.get(slot.name)
        if filling is None:
            found = self.outer.get(slot.name)
            if found is None:
                raise Unbound(slot.name)
            return found
        return meaning(filling, scope or self.outer, self.glossary)


def meaning(derivation: Derivation, scope: Bound, glossary: Glossary) -> core.Expr:
    """What a derivation stands for where these names are at hand; raises Unbound if it speaks of something else."""
    if derivation.phrase is None:
        return core.Const(derivation.number, type=NUMBER)
    phrase = derivation.phrase
    if phrase.word is not None:
        found: core.Expr = _Fill(glossary, {}, {}).tree(phrase.word)
        return found
    assert phrase.define is not None
    head = glossary.names.heads[phrase.define]
    slots = dict(derivation.slots)
    template = glossary.made.templates.get(phrase.define)
    if template is not None:
        made: core.Expr = _Fill(glossary, slots, scope).tree(template)
        return made
    args: list[core.Expr] = []
    for name, _t in head.params:
        if name in slots:
            args.append(meaning(slots[name], scope, glossary))
        elif name in scope:
            args.append(scope[name])
        else:
            raise Unbound(name, phrase.text)
    return core.Apply(phrase.define, tuple(args), type=head.type or head.params[0][1])


def fill_extension(extension: Extension, derivation: Derivation, glossary: Glossary, labels: bool = True) -> Extension:
    """A pattern's extension with its slots filled by a sentence, those in its labels too unless only the meaning is wanted; raises Unbound."""
    fill = _Fill(glossary, dict(derivation.slots), {}, labels)
    values = {f.name: getattr(extension, f.name) for f in dataclasses.fields(extension)}
    for name in ("lines", "rules", "cases", "reaction", "cond"):
        values[name] = fill.tree(values[name])
    return Extension(**values)


# ------------------------------------------------------------------------------------------------ normal form
def normal_extension(extension: Extension, write_out: Callable[[Any], Any]) -> Extension:
    """The extension without names of clauses, definitions written out, every expression in normal form."""
    values = {f.name: getattr(extension, f.name) for f in dataclasses.fields(extension)}
    values |= {"clause": "", "title": "", "pattern": ""}
    for name in ("lines", "rules", "cases", "reaction", "cond"):
        values[name] = _normal(write_out(values[name]), {}, 0)
    return Extension(**values)


def normal(expr: core.Expr) -> core.Expr:
    """The expression in normal form: bound names by depth, chains flattened and sorted, double negation and constants folded."""
    found: core.Expr = _normal(expr, {}, 0)
    return found


def _normal(item: Any, names: dict[str, str], depth: int) -> Any:
    if isinstance(item, core.Var):
        return core.Var(names.get(item.name, item.name))
    if isinstance(item, tuple):
        return tuple(_normal(part, names, depth) for part in item)
    if not dataclasses.is_dataclass(item) or isinstance(item, type) or not isinstance(item, core.Expr | core.Stmt | Line | Rule | Case | Reaction):
        return item
    values = {f.name: getattr(item, f.name) for f in dataclasses.fields(item) if f.name not in ("type", "span")}
    inner = dict(names)
    for name in _BINDERS:
        if isinstance(values.get(name), str) and "~" in values[name]:
            inner[values[name]] = f"v{depth}{name[0]}"
            values[name] = f"v{depth}{name[0]}"
    if isinstance(item, Line) and item.each is not None:
        inner[item.each[0]] = f"v{depth}e"
        values["each"] = (f"v{depth}e", _normal(item.each[1], names, depth + 1))
    deeper = depth + 1 if inner != names else depth
    for name, value in values.items():
        if name in ("domain", "seeds"):
            values[name] = _normal(value, names, deeper)
        elif name in ("params", "label", "clause", "slot", "op", "each") or isinstance(value, str):
            if name == "clause":
                values[name] = "" if isinstance(item, Line | Rule | Case | Reaction) else None
        else:
            values[name] = _normal(value, inner, deeper)
    made = type(item)(**values)
    return _fold(made)


def _fold(item: Any) -> Any:
    if isinstance(item, core.All | core.Any):
        same = type(item)
        parts: list[core.Expr] = []
        for part in item.of:
            parts += part.of if isinstance(part, same) else [part]
        unit = isinstance(item, core.All)
        parts = [p for p in parts if not (isinstance(p, core.Const) and p.value is unit)]
        unique = sorted(dict.fromkeys(parts), key=repr)
        if not unique:
            return core.Const(unit)
        return unique[0] if len(unique) == 1 else same(tuple(unique))
    if isinstance(item, core.Not) and isinstance(item.of, core.Not):
        return item.of.of
    if isinstance(item, core.SetOp) and item.op == "+":
        members = dict.fromkeys(_union(item))
        ordered = sorted(members, key=repr)
        found = ordered[0]
        for part in ordered[1:]:
            found = core.SetOp("+", found, part)
        return found
    return item


def _union(item: core.Expr) -> list[core.Expr]:
    if isinstance(item, core.SetOp) and item.op == "+":
        return [*_union(item.left), *_union(item.right)]
    return [item]
