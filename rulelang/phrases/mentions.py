"""The things a sentence mentions, and whether each must exist for it to have an effect.

A name has polarity 1 where something must be there and -1 where none may be, found by following
it through the wordings and definitions it fills.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulelang import core
from rulelang.core.types import KindT
from rulelang.phrases.lexicon import Lexicon
from rulelang.phrases.phrase import Derivation, Phrase
from rulelang.ruleset import Noun

Signs = frozenset[int]
_ASKED: Signs = frozenset([1])


class Mentions:
    """Follows every name of a sentence through the wordings it stands in."""

    def __init__(self, lexicon: Lexicon) -> None:
        """The wordings are all known."""
        self.lexicon, self.rules = lexicon, lexicon.symbols.rules
        self.known: dict[tuple[str, str], Signs] = {}
        self.of_kinds = {
            (p.word.type.name, p.word.value): p.noun
            for p in lexicon.phrases
            if isinstance(p.word, core.Const)
            and isinstance(p.word.type, KindT)
            and p.noun is not None
        }

    def nouns(self, derivation: Derivation, signs: Signs = _ASKED) -> Iterator[Noun]:
        """What is named, in the order of the text, each with whether it is asked for."""
        phrase = derivation.phrase
        if phrase is None:
            return
        noun = phrase.noun or self._constant(phrase)
        if noun is not None:
            yield replace(noun, asked=1 in signs)
        for name, inner in derivation.slots:
            there = self._signs(phrase, name) or _ASKED
            yield from self.nouns(inner, frozenset(a * b for a in signs for b in there))

    def _constant(self, phrase: Phrase) -> Noun | None:
        """What a wording without slots names: its definition always gives one member of a kind."""
        known = self.rules.definitions.get(phrase.define or "")
        value = (
            known.cases[0].value
            if known is not None and not phrase.slots and len(known.cases) == 1
            else None
        )
        return (
            self.of_kinds.get((value.type.name, value.value))
            if isinstance(value, core.Const) and isinstance(value.type, KindT)
            else None
        )

    # ------------------------------------------------------- polarity of a phrase's slots
    def _signs(self, phrase: Phrase, slot: str) -> Signs:
        """Whether a wording asks for what fills a slot, excludes it, or both."""
        key = (phrase.id, slot)
        if key not in self.known:
            self.known[key] = _ASKED  # of what speaks of itself
            template = self.lexicon.made.templates.get(phrase.define or "")
            if phrase.pattern is not None:
                self.known[key] = frozenset(self._found(phrase.pattern.extensions, slot, 1))
            elif template is not None:
                self.known[key] = frozenset(self._found(template, slot, 1))
            else:
                self.known[key] = self._of_define(phrase.define or "", slot)
        return self.known[key]

    def _of_define(self, name: str, param: str) -> Signs:
        """The same of a definition and one of its values."""
        key = (f"define {name}", param)
        known = self.rules.definitions.get(name)
        if key not in self.known and known is not None:
            self.known[key] = _ASKED
            self.known[key] = frozenset(self._found(known.cases, param, 1))
        return self.known.get(key, _ASKED)

    def _found(self, item: object, name: str, sign: int) -> Iterator[int]:
        """The polarity of each place where a name stands."""
        if isinstance(item, tuple):
            for part in item:
                yield from self._found(part, name, sign)
        elif isinstance(item, core.Slot | core.Var) and item.name == name:
            yield sign
        elif isinstance(item, core.Slot):
            for other, value in item.scope:
                if not isinstance(value, core.Slot) or value.name != other:
                    yield from self._found(value, name, sign)
        elif isinstance(item, core.Apply):
            yield from self._found_in_arguments(item, name, sign)
        elif isinstance(item, core.Node):
            negated = _negated(item)
            for part in item.layout.children:
                inner = -sign if part in negated else sign
                yield from self._found(getattr(item, part), name, inner)

    def _found_in_arguments(self, item: core.Apply, name: str, sign: int) -> Iterator[int]:
        """The polarity of a name in arguments, by that of the parameters they stand for."""
        known = self.rules.definitions.get(item.define)
        if known is None:
            return
        for (param, _), arg in zip(known.params, item.args, strict=True):
            for outer in list(self._found(arg, name, sign)):
                for inner in self._of_define(item.define, param) or _ASKED:
                    yield outer * inner


_BOUNDED = {  # the sides of a comparison of which there are to be no more
    "<": ("left",),
    "<=": ("left",),
    ">": ("right",),
    ">=": ("right",),
    "!=": ("left", "right"),
}


def _negated(item: core.Node) -> tuple[str, ...]:
    """The fields of an object that it negates, bounds from above or takes out."""
    match item:
        case core.Not() | core.Builtin(name="empty"):
            return ("of", "args")
        case core.SetOp(op="-"):
            return ("right",)
        case core.Forall():
            return ("domain",)
        case core.Compare():
            return _BOUNDED.get(item.op, ())
        case _:
            return ()
