"""Substitution: a derivation becomes core objects by filling the slots of compiled templates.

Names that a wording does not mention are bound where the sentence is used.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from rulelang import core
from rulelang.core.types import NUMBER
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Derivation
from rulelang.phrases.unparse import unparse
from rulelang.ruleset import Case, Extension, Line, Reaction, Rule
from rulelang.ruleset.normalize import BINDERS

Bound = dict[str, core.Expr]


class Unbound(Exception):
    """A phrase speaks of something that is not in scope where it stands.

    The first argument is its name, the second the phrase's text, if known.
    """


class _Fill:
    def __init__(
        self, lexicon: Lexicon, slots: dict[str, Derivation], outer: Bound, labels: bool = False
    ) -> None:
        self.lexicon, self.slots, self.outer, self.labels = lexicon, slots, outer, labels
        self.renamed: dict[str, str] = {}

    def tree(self, item: Any) -> Any:
        """The item with every slot filled and every binder renamed afresh."""
        if isinstance(item, core.Slot):
            scope = {
                name: self.tree(value) for name, value in item.scope if self.passed_on(name, value)
            }
            return self.slot(item, scope)
        if isinstance(item, core.Var):
            return dataclasses.replace(item, name=self.renamed.get(item.name, item.name))
        if isinstance(item, tuple):
            return tuple(self.tree(part) for part in item)
        if (
            dataclasses.is_dataclass(item)
            and not isinstance(item, type)
            and isinstance(item, core.Expr | core.Stmt | Line | Rule | Case | Reaction)
        ):
            for name in BINDERS:
                old = getattr(item, name, None)
                if isinstance(old, str) and "~" in old:
                    self.renamed[old] = self.lexicon.exprs.fresh_name(old.split("~")[0])
            each = getattr(item, "each", None)
            if isinstance(item, Line) and each is not None:
                self.renamed[each[0]] = self.lexicon.exprs.fresh_name(each[0].split("~")[0])
            values: dict[str, Any] = {}
            for f in dataclasses.fields(item):
                value = getattr(item, f.name)
                if f.name in BINDERS and isinstance(value, str):
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
            label = label.replace(f"{{{name}}}", unparse(filling))
        return label

    def passed_on(self, name: str, value: core.Expr) -> bool:
        """Is this binding passed to the filling?

        One with a value of its own is; one that only repeats its name is if the text does not
        mention it.
        """
        return not isinstance(value, core.Slot) or value.name != name or self.unsaid(value)

    def unsaid(self, slot: core.Slot) -> bool:
        """Is this a name the text does not mention, but in scope where the wording is used?"""
        return slot.name not in self.slots and slot.name in self.outer

    def slot(self, slot: core.Slot, scope: Bound) -> core.Expr:
        filling = self.slots.get(slot.name)
        if filling is None:
            found = self.outer.get(slot.name)
            if found is None:
                raise Unbound(slot.name)
            return found
        return meaning(filling, scope or self.outer, self.lexicon)


def meaning(derivation: Derivation, scope: Bound, lexicon: Lexicon) -> core.Expr:
    """What a derivation stands for with these names in scope; raises Unbound for any other."""
    if derivation.phrase is None:
        return core.Const(derivation.number, type=NUMBER)
    phrase = derivation.phrase
    if phrase.word is not None:
        found: core.Expr = _Fill(lexicon, {}, {}).tree(phrase.word)
        return found
    assert phrase.define is not None
    head = lexicon.names.heads[phrase.define]
    slots = dict(derivation.slots)
    template = lexicon.made.templates.get(phrase.define)
    if template is not None:
        made: core.Expr = _Fill(lexicon, slots, scope).tree(template)
        return made
    args: list[core.Expr] = []
    for name, _t in head.params:
        if name in slots:
            args.append(meaning(slots[name], scope, lexicon))
        elif name in scope:
            args.append(scope[name])
        else:
            raise Unbound(name, phrase.text)
    return core.Apply(phrase.define, tuple(args), type=head.type or head.params[0][1])


def fill_extension(
    extension: Extension, derivation: Derivation, lexicon: Lexicon, labels: bool = True
) -> Extension:
    """A pattern's extension with its slots filled by a sentence; raises Unbound.

    Without `labels` the slots in labels stay as they are, for labels are no part of the meaning.
    """
    fill = _Fill(lexicon, dict(derivation.slots), {}, labels)
    values = {f.name: getattr(extension, f.name) for f in dataclasses.fields(extension)}
    for name in ("lines", "rules", "cases", "reaction", "cond", "body"):
        values[name] = fill.tree(values[name])
    return Extension(**values)
