"""Compiled objects as plain data: a JSON text of any tree of our records, and back, with every
field checked against its declared type.

Only the dataclasses of a closed registry are ever made, and only by setting their declared fields;
the text holds no code and names no module. Objects and long tuples that are one stay one. What does
not fit its declaration raises `Unreadable`.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import json
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from rulelang import core, ruleset
from rulelang.core import types as core_types
from rulelang.diagnostics import Diagnostic
from rulelang.diagnostics.source import Source, Span
from rulelang.syntax.nodes import Node

T = TypeVar("T")
_LATER = {  # classes whose modules take long to load, and are loaded where an object is met
    "Pattern": "rulelang.elaborate.card_language",
    "Phrase": "rulelang.phrases.phrase",
    "Opening": "rulelang.elaborate.placeholders",
    "Attempt": "rulelang.elaborate.placeholders",
}
_SCALARS = (int, bool, float, type(None))
_SHARED = 8  # a tuple of so many parts or more is written once, however often it is met
_TUPLE = "tuple"  # stands for the class of a shared tuple


class Objects(Protocol):
    """Decoded objects by their numbers."""

    def __getitem__(self, number: int, /) -> object:
        """The object with this number; raises IndexError if there is none."""


_Decoder = Callable[[object, Objects], object]
_Maker = Callable[[list[object], Objects], object]
_Data = dict[str, list[list[object]]]


class Unreadable(Exception):
    """Data that is not what it should be."""


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
class _Encoder:
    """The objects and texts met so far, each with its number."""

    def __init__(self, more: Iterable[type]) -> None:
        self.more = more
        self.objects: list[list[object]] = []
        self.texts: dict[str, int] = {}
        self.classes: dict[str, int] = {}
        self.fields: dict[type, tuple[int, list[tuple[str, str]]]] = {}
        self.known: dict[int, int] = {}  # id of an object that `alive` holds -> its number
        self.spans: dict[Span, int] = {}
        self.alive: list[object] = []

    def text(self, value: str) -> int:
        return self.texts.setdefault(value, len(self.texts))

    def value(self, value: object) -> object:
        """A value by what it is: numbers as they are, all else with a tag."""
        if isinstance(value, _SCALARS):
            return value
        if isinstance(value, str):
            return ["s", self.text(value)]
        if isinstance(value, tuple) and len(value) >= _SHARED:
            return ["o", self.shared(value)]
        for tag, of in _CONTAINERS.items():
            if isinstance(value, of):
                return [tag, [self.value(part) for part in _in_order(value)]]
        if isinstance(value, dict):
            return ["d", [[self.value(key), self.value(of)] for key, of in value.items()]]
        return ["o", self.number(value)]

    def shared(self, item: tuple[object, ...]) -> int:
        """The number of a tuple that may be met again."""
        if id(item) not in self.known:
            number = self.classes.setdefault(_TUPLE, len(self.classes))
            self.objects.append([number, *map(self.value, item)])
            self.known[id(item)] = len(self.objects) - 1
            self.alive.append(item)
        return self.known[id(item)]

    def number(self, item: object) -> int:
        """The number of an object, written down when it is met first."""
        if isinstance(item, Span) and item in self.spans:
            return self.spans[item]
        if id(item) in self.known:
            return self.known[id(item)]
        cls = type(item)
        if cls not in self.fields:
            number = self.classes.setdefault(_name_of(cls, self.more), len(self.classes))
            self.fields[cls] = number, [(field, _kind(hint)) for field, hint in _hints(cls)]
        number, fields = self.fields[cls]
        row: list[object] = [number]
        values = item.__dict__
        for field, kind in fields:
            row.append(self.field(values[field], kind))
        self.objects.append(row)
        found = len(self.objects) - 1
        self.known[id(item)] = found
        self.alive.append(item)
        if isinstance(item, Span):
            self.spans[item] = found
        return found

    def field(self, value: object, kind: str) -> object:
        """A value in the short form of its declared type, which the decoder of that reads."""
        if kind == "scalar":
            return value
        if kind == "str" and isinstance(value, str):
            return self.text(value)
        if kind == "object":
            return self.number(value) if value is not None else None
        if kind == "objects" and isinstance(value, tuple):
            return [self.number(part) if part is not None else None for part in value]
        return self.value(value)


_CONTAINERS = {"t": tuple, "l": list, "f": frozenset, "e": set}


def _in_order(value: object) -> Iterator[object]:
    """The parts of a container; those of a set in a fixed order, so that texts are equal."""
    if isinstance(value, set | frozenset):
        return iter(sorted(value, key=repr))
    assert isinstance(value, tuple | list)
    return iter(value)


def encode(item: object, more: tuple[type, ...] = ()) -> str:
    """The item, of records of the registry, containers, texts and numbers, as JSON text.

    `more` are further dataclasses whose objects may be in it.
    """
    encoder = _Encoder(more)
    root = encoder.value(item)
    return json.dumps(
        {
            "classes": list(encoder.classes),
            "texts": list(encoder.texts),
            "objects": encoder.objects,
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
    makers = [_maker_of(name, texts, more) for name in data["classes"]]
    objects: list[object] = []
    add = objects.append
    for row in data["objects"]:
        add(makers[_position(row[0])](row, objects))
    return _any_decoder(texts)(data["root"], objects)


def _texts(data: _Data) -> list[object]:
    texts: list[object] = [*data["texts"]]
    if not all(type(text) is str for text in texts):
        raise Unreadable("a text is none")
    return texts


def _maker_of(name: object, texts: list[object], more: tuple[type, ...]) -> _Maker:
    return _tuple_maker(texts) if str(name) == _TUPLE else _maker(_class_of(name, more), texts)


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
        assert isinstance(self._objects, _OnDemand)
        tag, inner = raw if isinstance(raw, list) else ("", None)
        found = self._objects.rows[_position(inner)][1:] if tag == "o" else inner
        if tag not in ("o", "t") or not isinstance(found, list):
            raise Unreadable("no tuple")
        return found

    def __len__(self) -> int:
        return len(self._raw)

    def part(self, place: int, wanted: type[T]) -> T:
        """One part, which is of the wanted type; raises Unreadable for anything else."""
        try:
            found = _any_decoder(self._texts)(self._raw[place], self._objects)
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
        self.rows, self._texts = data["objects"], texts
        self._names = data["classes"]
        self._makers: dict[int, _Maker] = {}
        self._known: dict[int, object] = {}

    def __getitem__(self, number: int) -> object:
        if number not in self._known:
            row = self.rows[number]
            of = _position(row[0])
            if of not in self._makers:
                self._makers[of] = _maker_of(self._names[of], self._texts, ())
            self._known[number] = self._makers[of](row, self)
        return self._known[number]


def _position(number: object) -> int:
    if type(number) is not int or number < 0:
        raise Unreadable(f"{number!r} is the number of nothing")
    return number


def _tuple_maker(texts: list[object]) -> _Maker:
    """Makes a shared tuple from its row: the number of its class, then its parts."""
    read = _any_decoder(texts)

    def make(row: list[object], objects: Objects) -> object:
        return tuple([read(part, objects) for part in row[1:]])

    return make


def _maker(cls: type, texts: list[object]) -> _Maker:
    """Makes an object of a class from its row: the number of the class, then its fields."""
    fields = [(name, _decoder(hint, texts)) for name, hint in _hints(cls)]
    length = len(fields) + 1
    new = object.__new__

    def make(row: list[object], objects: Objects) -> object:
        if len(row) != length:
            raise Unreadable(f"{cls.__name__} has {length - 1} fields, not {len(row) - 1}")
        made: object = new(cls)
        values = made.__dict__
        place = 1
        for name, of in fields:
            values[name] = of(row[place], objects)
            place += 1
        return made

    return make


def _decoder(hint: object, texts: list[object]) -> _Decoder:
    """Reads a field of this declared type; raises Unreadable if the value is of another."""
    kind = _kind(hint)
    any_of = _any_decoder(texts)
    if kind == "str":

        def text(raw: object, objects: Objects) -> object:
            return texts[_position(raw)]

        return text
    if kind == "scalar":
        allowed = tuple(_members(hint))

        def scalar(raw: object, objects: Objects) -> object:
            if type(raw) not in allowed:
                raise Unreadable(f"{raw!r} is no {hint}")
            return raw

        return scalar
    checked = _check(hint)
    if kind == "object":

        def reference(raw: object, objects: Objects) -> object:
            found = objects[_position(raw)] if raw is not None else None
            if not checked(found):
                raise Unreadable(f"{type(found).__name__} is no {hint}")
            return found

        return reference
    if kind == "objects":

        def references(raw: object, objects: Objects) -> object:
            if type(raw) is not list:
                raise Unreadable(f"{raw!r} is no {hint}")
            found = tuple([objects[_position(n)] if n is not None else None for n in raw])
            if not checked(found):
                raise Unreadable(f"some of it is no {hint}")
            return found

        return references

    def other(raw: object, objects: Objects) -> object:
        found = any_of(raw, objects)
        if not checked(found):
            raise Unreadable(f"{type(found).__name__} is no {hint}")
        return found

    return other


def _any_decoder(texts: list[object]) -> _Decoder:
    """Reads a value that says what it is."""

    def read(raw: object, objects: Objects) -> object:
        if type(raw) is not list:
            if not isinstance(raw, _SCALARS):
                raise Unreadable(f"{raw!r} has no tag")
            return raw
        tag, inner = raw
        if tag == "s" or tag == "o":
            return (texts if tag == "s" else objects)[_position(inner)]
        if tag == "d":
            return {read(key, objects): read(of, objects) for key, of in inner}
        return _CONTAINERS[tag]([read(part, objects) for part in inner])

    return read


# ---------------------------------------------------------------------------- what fields declare
def _hints(cls: type) -> tuple[tuple[str, object], ...]:
    """The fields of a class with their types."""
    hints = typing.get_type_hints(cls)
    return tuple((field.name, hints[field.name]) for field in dataclasses.fields(cls))


def _members(hint: object) -> tuple[object, ...]:
    """The types of a union, or the one type itself."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return tuple(m for part in typing.get_args(hint) for m in _members(part))
    return (hint,)


@functools.cache
def _kind(hint: object) -> str:
    """How values of a declared type are written: shortest where the type says all."""
    members = _members(hint)
    if members == (str,):
        return "str"
    if all(m in _SCALARS for m in members):
        return "scalar"
    if all(m is type(None) or _is_record(m) for m in members):
        return "object"
    args = typing.get_args(hint)
    if typing.get_origin(hint) is not tuple or len(args) != 2 or args[1] is not ...:
        return "any"
    records = all(m is type(None) or _is_record(m) for m in _members(args[0]))
    return "objects" if records else "any"


def _is_record(hint: object) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)


@functools.cache
def _check(hint: object) -> Callable[[object], bool]:
    """Says whether a value is of a declared type; of `object` and of `Value` anything plain is."""
    members = _members(hint)
    if len(members) > 1:
        plain = tuple(m for m in members if isinstance(m, type) and typing.get_origin(m) is None)
        checks = [_check(member) for member in members if member not in plain]
        return lambda value: isinstance(value, plain) or any(ok(value) for ok in checks)
    if typing.get_origin(hint) is None:
        return (lambda value: isinstance(value, hint)) if isinstance(hint, type) else _is_plain
    return _check_parts(typing.get_origin(hint), typing.get_args(hint))


def _check_parts(origin: object, args: tuple[object, ...]) -> Callable[[object], bool]:
    """Says whether a value is a container of this kind with parts of these types."""
    if origin is tuple and args[-1] is not ...:
        return functools.partial(_are_each, tuple(_check(arg) for arg in args))
    checks = [_check(arg) for arg in args if arg is not ...]
    if origin is dict:
        return functools.partial(_is_dict_of, checks[0], checks[1])
    assert isinstance(origin, type)
    return functools.partial(_is_all_of, origin, checks[0])


def _are_each(checks: tuple[Callable[[object], bool], ...], value: object) -> bool:
    if not isinstance(value, tuple) or len(value) != len(checks):
        return False
    return all(ok(part) for ok, part in zip(checks, value, strict=True))


def _is_dict_of(key: Callable[[object], bool], of: Callable[[object], bool], value: object) -> bool:
    return isinstance(value, dict) and all(key(k) and of(v) for k, v in value.items())


def _is_all_of(kind: type, ok: Callable[[object], bool], value: object) -> bool:
    return isinstance(value, kind) and isinstance(value, Iterable) and all(map(ok, value))


def _is_plain(value: object) -> bool:
    """Is it a value of the language: a number, truth, text, none, or a set or list of them?"""
    if isinstance(value, tuple | frozenset):
        return all(_is_plain(part) for part in value)
    return isinstance(value, int | str | None)
