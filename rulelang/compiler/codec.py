"""Compiled objects as plain data: a JSON text of any tree of our records, and back, with every
field checked against its declared type.

Only the dataclasses of a closed registry are ever made, and only by setting their declared fields;
the text holds no code and names no module. An object that is met twice stays one. What does not fit
its declaration raises `Unreadable`.

Objects are written in runs of one class, a column for each field, behind all that they refer to, so
that a run is decoded at once.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import json
from collections.abc import Callable, Iterable, Sequence
from itertools import count, repeat
from typing import TypeVar

from rulelang import core, ruleset
from rulelang.compiler.fields import (
    UNMADE,
    Form,
    Objects,
    Unreadable,
    cell,
    declared_fields,
    position,
    reader,
    tagged,
    tagged_reader,
)
from rulelang.core import types as core_types
from rulelang.core.identity import IdentityMap
from rulelang.diagnostics import Diagnostic
from rulelang.diagnostics.source import Source, Span
from rulelang.syntax.nodes import Node

__all__ = ["Parts", "Unreadable", "decode", "encode"]

T = TypeVar("T")
_LATER = {  # classes whose modules take long to load, and are loaded where an object is met
    "Pattern": "rulelang.elaborate.card_language",
    "Phrase": "rulelang.phrases.phrase",
    "Opening": "rulelang.elaborate.placeholders",
    "Attempt": "rulelang.elaborate.placeholders",
}

_Maker = Callable[["_Encoded", Objects], list[object]]
_Data = dict[str, list[list[object]]]

_WRONG = (  # what reading such data raises
    Unreadable,
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    RecursionError,
)


def _class_of(name: object, more: Iterable[type]) -> type:
    """The class of the registry, or of these further ones, that has this name."""
    for cls in more:
        if cls.__name__ == name:
            return cls
    if name in _LATER:
        found: type = getattr(importlib.import_module(_LATER[str(name)]), str(name))
        return found
    return _registry()[str(name)]


@functools.cache
def _registry() -> dict[str, type]:
    """The classes whose objects can be written, by name."""
    found: dict[str, type] = {}
    for module in (core, core_types, ruleset):
        for item in vars(module).values():
            if isinstance(item, type) and dataclasses.is_dataclass(item):
                found[item.__name__] = item
    return found | {"Diagnostic": Diagnostic, "Source": Source, "Span": Span, "Syntax": Node}


def _name_of(cls: type, more: Iterable[type]) -> str:
    """The name of a class of the registry or of these further ones."""
    if cls in more or _LATER.get(cls.__name__) == cls.__module__:
        return cls.__name__
    for name, known in _registry().items():
        if known is cls:
            return name
    raise Unreadable(f"{cls.__name__} is in no registry")


# ---------------------------------------------------------------------------------------- encoding
class _Run:
    """Objects of one class, none of which refers to another: their numbers and their fields."""

    def __init__(self, width: int) -> None:
        self.numbers: list[int] = []
        self.columns: list[list[object]] = [[] for _ in range(width)]

    def add(self, number: int, cells: Sequence[object]) -> None:
        self.numbers.append(number)
        for column, one in zip(self.columns, cells, strict=True):
            column.append(one)


class _Encoder:
    """The objects and texts met so far, each with its number.

    The height of an object is one more than that of what it refers to; what is lower comes first.
    """

    def __init__(self, more: Iterable[type]) -> None:
        self.more = more
        self.runs: dict[tuple[int, int], _Run] = {}  # by height and number of the class
        self.heights: list[int] = []  # of each object
        self.texts: dict[str, int] = {}
        self.classes: dict[str, int] = {}
        self.fields: dict[type, tuple[int, tuple[tuple[str, Form], ...]]] = {}
        self.known: IdentityMap[object, int] = IdentityMap()  # objects to their numbers
        self.spans: dict[Span, int] = {}
        self._highest = -1  # of what the object that is written refers to

    def text(self, value: str) -> int:
        return self.texts.setdefault(value, len(self.texts))

    def number(self, item: object) -> int:
        """The number of an object, written down when it is met first."""
        if isinstance(item, Span) and item in self.spans:
            return self._met(self.spans[item])
        known = self.known.get(item)
        if known is not None:
            return self._met(known)
        cls = type(item)
        if cls not in self.fields:
            number = self.classes.setdefault(_name_of(cls, self.more), len(self.classes))
            self.fields[cls] = number, declared_fields(cls)
        found = self._written(item, *self.fields[cls])
        if isinstance(item, Span):
            self.spans[item] = found
        return found

    def _written(self, item: object, of: int, fields: tuple[tuple[str, Form], ...]) -> int:
        """The number of an object of this class, written behind what it refers to."""
        outer, self._highest = self._highest, -1
        values = item.__dict__
        written = [cell(values[field], form, self) for field, form in fields]
        height, self._highest = self._highest + 1, outer
        number = len(self.heights)
        self.heights.append(height)
        if (height, of) not in self.runs:
            self.runs[height, of] = _Run(len(written))
        self.runs[height, of].add(number, written)
        self.known.keep(item, number)
        return self._met(number)

    def _met(self, number: int) -> int:
        """The same, which what is written now refers to."""
        self._highest = max(self._highest, self.heights[number])
        return number


def encode(item: object, more: tuple[type, ...] = ()) -> str:
    """The item, of records of the registry, containers, texts and numbers, as JSON text.

    `more` are further dataclasses whose objects may be in it.
    """
    encoder = _Encoder(more)
    root = tagged(item, encoder)
    runs = [[of, run.numbers, run.columns] for (_, of), run in sorted(encoder.runs.items())]
    return json.dumps(
        {
            "classes": list(encoder.classes),
            "texts": list(encoder.texts),
            "runs": runs,
            "root": root,
        },
        separators=(",", ":"),
    )


# ---------------------------------------------------------------------------------------- decoding
def decode(text: str | bytes, wanted: type[T], more: tuple[type, ...] = ()) -> T:
    """What was encoded, an object of the wanted type; raises Unreadable for anything else."""
    try:
        found = _decoded(json.loads(text), more)
    except _WRONG as error:
        raise Unreadable(str(error)) from error
    return _of_type(found, wanted)


def _of_type(found: object, wanted: type[T]) -> T:
    if not isinstance(found, wanted):
        raise Unreadable(f"a {type(found).__name__}, not a {wanted.__name__}")
    return found


def _decoded(data: _Data, more: tuple[type, ...]) -> object:
    texts = _texts(data)
    makers = [_maker(_class_of(name, more), texts) for name in data["classes"]]
    objects: list[object] = [UNMADE] * sum(len(run.numbers) for run in _runs(data))
    for run in _runs(data):
        made = makers[position(run.of)](run, objects)
        for number, one in zip(run.numbers, made, strict=True):
            objects[position(number)] = one
    return tagged_reader(texts)([data["root"]], objects)[0]


@dataclasses.dataclass(frozen=True)
class _Encoded:
    """A run as it is encoded: the number of its class, those of its objects, a column a field."""

    of: object
    numbers: list[object]
    columns: list[list[object]]


def _runs(data: _Data) -> list[_Encoded]:
    """The runs of encoded data; raises Unreadable if one has no such shape."""
    found = []
    for of, numbers, columns in data["runs"]:
        if type(numbers) is not list or type(columns) is not list:
            raise Unreadable("a run without numbers and columns")
        if any(type(column) is not list or len(column) != len(numbers) for column in columns):
            raise Unreadable("a run whose columns are not of one length")
        found.append(_Encoded(of, numbers, columns))
    return found


def _texts(data: _Data) -> list[object]:
    texts: list[object] = [*data["texts"]]
    if not all(type(text) is str for text in texts):
        raise Unreadable("a text is none")
    return texts


class Parts:
    """What was encoded, a tuple whose parts are decoded when they are asked for."""

    def __init__(self, text: str | bytes) -> None:
        """Raises Unreadable for anything else."""
        try:
            data = json.loads(text)
            self._texts = _texts(data)
            self._objects: Objects = _OnDemand(data, self._texts)
            self._raw = self._inner(data["root"])
        except _WRONG as error:
            raise Unreadable(str(error)) from error

    def _inner(self, raw: object) -> list[object]:
        """The parts of an encoded tuple, as they are encoded."""
        tag, inner = raw if isinstance(raw, list) else ("", None)
        if tag != "t" or not isinstance(inner, list):
            raise Unreadable("no tuple")
        return inner

    def __len__(self) -> int:
        return len(self._raw)

    def part(self, place: int, wanted: type[T]) -> T:
        """One part, which is of the wanted type; raises Unreadable for anything else."""
        try:
            found = tagged_reader(self._texts)([self._raw[place]], self._objects)[0]
        except _WRONG as error:
            raise Unreadable(str(error)) from error
        return _of_type(found, wanted)

    def parts(self, place: int) -> Parts:
        """One part that is a tuple itself; raises Unreadable if it is none."""
        made = object.__new__(Parts)
        made._texts, made._objects = self._texts, self._objects
        try:
            made._raw = self._inner(self._raw[place])
        except _WRONG as error:
            raise Unreadable(str(error)) from error
        return made


class _OnDemand:
    """The objects of encoded data by their numbers, each decoded when it is first asked for."""

    def __init__(self, data: _Data, texts: list[object]) -> None:
        self._runs, self._texts, self._names = _runs(data), texts, data["classes"]
        self._where: dict[object, tuple[int, int]] = {}  # its run and its place there
        for number, run in enumerate(self._runs):
            self._where.update(zip(run.numbers, zip(repeat(number), count()), strict=False))
        self._makers: dict[int, _Maker] = {}
        self._known: dict[int, object] = {}

    def __getitem__(self, number: int) -> object:
        if number not in self._known:
            run, place = self._runs[self._where[number][0]], self._where[number][1]
            of = position(run.of)
            if of not in self._makers:
                self._makers[of] = _maker(_class_of(self._names[of], ()), self._texts)
            alone = _Encoded(of, [number], [[column[place]] for column in run.columns])
            (self._known[number],) = self._makers[of](alone, self)
        return self._known[number]


def _maker(cls: type, texts: list[object]) -> _Maker:
    """Makes objects of a class from the columns of their fields."""
    fields = declared_fields(cls)
    names, readers = [name for name, _ in fields], [reader(form, texts) for _, form in fields]
    new = object.__new__

    def make(run: _Encoded, objects: Objects) -> list[object]:
        if len(run.columns) != len(readers):
            raise Unreadable(f"{cls.__name__} has {len(readers)} fields, not {len(run.columns)}")
        made: list[object] = [new(cls) for _ in run.numbers]
        read = [of(column, objects) for of, column in zip(readers, run.columns, strict=True)]
        for one, values in zip(made, zip(*read, strict=True), strict=bool(read)):
            one.__dict__.update(zip(names, values, strict=True))
        return made

    return make
