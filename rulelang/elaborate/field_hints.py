"""Hints on what is printed on cards: which values a field may have, and which field was meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from rulelang.core.types import NUMBER, SHAPE, TEXT, TRUTH, KindT, ListT, OptionalT, SetT, Type
from rulelang.diagnostics import nearest
from rulelang.elaborate.symbols import SymbolTable

_YES, _NO = ("yes", "y", "on", "true", "1", "x"), ("no", "n", "off", "false", "0", "-")
_ALIKE = 0.75  # of words that may be meant for each other
_MOST_NAMED = 12  # values or fields that one hint names


def what_may_stand(symbols: SymbolTable, field: str, t: Type, found: str) -> str:
    """What to write instead of something that is no value of a field."""
    if isinstance(t, OptionalT):
        return what_may_stand(symbols, field, t.of, found) + " It may also be none."
    if isinstance(t, KindT):
        members = symbols.kind_members(t.name)
        meant = _member(found, members)
        return f"{_write(field, meant or members[0])} It may be {named(members)}."
    if isinstance(t, SetT | ListT):
        return _set_of(symbols, field, t.of, found)
    if t == TRUTH:
        meant = "true" if found.lower() in _YES else "false" if found.lower() in _NO else None
        return f"{_write(field, meant or 'true')} It is true or false."
    if t == NUMBER:
        digits = re.findall(r"-?\d+", found)
        return _write(field, digits[0] if len(digits) == 1 else "3") + " It is a number."
    if t == SHAPE:
        return _write(field, '"XX/X."') + " It draws rows of X and ., apart by /."
    return _write(field, '"' + found.strip('"') + '"') if t == TEXT else ""


def _set_of(symbols: SymbolTable, field: str, item: Type, found: str) -> str:
    """What to write instead of something that is no set of a field's values."""
    if not isinstance(item, KindT):
        return _write(field, "{}")
    members = symbols.kind_members(item.name)
    words = [word for word in re.split(r"[\s,;/+{}()]+|\band\b", found) if word]
    meant = [_member(word, members) for word in words]
    known = [word for word in meant if word is not None]
    value = ", ".join(dict.fromkeys(known)) if known and len(known) == len(meant) else members[0]
    return _write(field, "{" + value + "}") + f" It may hold {named(members)}, or nothing: {{}}."


def which_field(fields: Mapping[str, Type], word: str, value: Type, same: Type | None) -> str:
    """Which field may be meant by a word that is none, for a value of this type.

    `same` is the type of a variable of the table that has this name.
    """
    fitting = [name for name, t in fields.items() if _bare(t) == _bare(value)]
    near = nearest(word, [*fitting, "copies", "text"], 1)
    meant = [name for name in near if SequenceMatcher(None, word, name).ratio() >= _ALIKE]
    if not meant and isinstance(_bare(value), KindT) and len(fitting) == 1:
        meant = fitting
    if not meant and same is not None:
        meant = [name for name, t in fields.items() if _bare(t) == _bare(same)]
    if len(meant) == 1:
        return f"Did you mean `{meant[0]}`?"
    return f"It has {named(fitting or list(fields))}."


def _bare(t: Type) -> Type:
    return t.of if isinstance(t, SetT | ListT | OptionalT) else t


def _member(found: str, members: Sequence[str]) -> str | None:
    """The member of a kind that a word may stand for: by its letters, or what it begins with."""
    if found.isdecimal() and 1 <= int(found) <= len(members):
        return members[int(found) - 1]
    word = re.sub(r"\W+", "_", found.lower()).strip("_")
    begun = [member for member in members if word and member.startswith(word)]
    near = nearest(word, members, 1)
    return word if word in members else begun[0] if len(begun) == 1 else near[0] if near else None


def _write(field: str, value: str) -> str:
    return f"Write `{field}: {value}`."


def named(words: Sequence[str]) -> str:
    """Words in a row, the first of very many."""
    return ", ".join(words[:_MOST_NAMED]) + (" and so on" if len(words) > _MOST_NAMED else "")
