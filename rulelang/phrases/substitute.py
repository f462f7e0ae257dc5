"""Substitution: a derivation becomes core objects by filling the slots of compiled templates.

Names that a wording does not mention are bound where the sentence is used.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from rulelang import core
from rulelang.core.types import NUMBER
from rulelang.english import ADDED
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Derivation
from rulelang.phrases.unparse import unparse
from rulelang.ruleset import Extension, Line, Rule

Nested = TypeVar("Nested")
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

    def tree(self, item: Nested) -> Nested:
        """A node, or nested tuples, with every slot filled and every bound name renamed afresh."""
        return core.mapped(item, self._node)

    def _node(self, node: core.Node) -> core.Node:
        if isinstance(node, core.Slot):
            told = {
                name: self.tree(value) for name, value in node.scope if self.passed_on(name, value)
            }
            return self.slot(node, told)
        if isinstance(node, core.Var):
            name = self.renamed.get(node.name, node.name)
            return node if name == node.name else core.copied(node, name=name)
        for name in core.bound_names(node):
            if "~" in name:
                self._rename(name)
        if isinstance(node, Line):
            if node.each is not None:
                self._rename(node.each[0])
            if self.labels:
                node = replace(node, label=self.said(node.label))
        elif isinstance(node, Rule) and self.labels:
            node = replace(node, label=self.said(node.label))
        return core.rebuild(node, self._node, names=self.renamed)

    def _rename(self, name: str) -> None:
        """Give a bound name a fresh one for it."""
        self.renamed[name] = self.lexicon.fresh_name(name.split("~")[0])

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
        return meaning(filling, {**self.outer, **scope}, self.lexicon)


def meaning(derivation: Derivation, scope: Bound, lexicon: Lexicon) -> core.Expr:
    """What a derivation stands for with these names in scope; raises Unbound for any other."""
    if derivation.phrase is None:
        return core.Const(derivation.number, type=NUMBER)
    phrase = derivation.phrase
    if phrase.word is not None:
        return _Fill(lexicon, {}, {}).tree(phrase.word)
    assert phrase.define is not None
    head = lexicon.symbols.heads[phrase.define]
    slots = dict(derivation.slots)
    template = lexicon.made.templates.get(phrase.define)
    if template is not None:
        if ADDED not in scope and any(name == ADDED for name, _ in head.params):
            raise Unbound(ADDED, phrase.text)  # it is asked for, not used
        return _Fill(lexicon, slots, scope).tree(template)
    args: list[core.Expr] = []
    for name, _t in head.params:
        if name in slots:
            args.append(meaning(slots[name], scope, lexicon))
        elif name in scope:
            args.append(scope[name])
        else:
            raise Unbound(name, phrase.text)
    return core.Apply(phrase.define, tuple(args), type=head.type or head.params[0][1])


def fill_provided(
    told: core.Slot, name: str, derivation: Derivation, lexicon: Lexicon
) -> core.Expr:
    """A condition beside a sentence, where its opening tells what each role is; raises Unbound."""
    return _Fill(lexicon, {name: derivation}, {}).tree(told)


def fill_extension(
    extension: Extension, derivation: Derivation, lexicon: Lexicon, labels: bool = True
) -> Extension:
    """A pattern's extension with its slots filled by a sentence; raises Unbound.

    Without `labels` the slots in labels stay as they are, for labels are no part of the meaning.
    """
    return core.rebuild(extension, _Fill(lexicon, dict(derivation.slots), {}, labels).tree)
