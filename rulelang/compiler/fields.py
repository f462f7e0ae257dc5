"""Fields of records by their declared types: how a value is written as a cell, the shortest that
its type allows, and how a column of such cells is read back, with every value checked.

Columns are read at once, as all cells of one have one form: what is looked at is the set of their
types, not each of them.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol, TypeAlias, assert_never

SCALARS = (int, bool, float, type(None))
Container: TypeAlias = type[tuple[object, ...] | list[object] | frozenset[object] | set[object]]
CONTAINERS: dict[str, Container] = {"t": tuple, "l": list, "f": frozenset, "e": set}


class Unreadable(Exception):
    """Data that is not what it should be."""


class Objects(Protocol):
    """Decoded objects by their numbers."""

    def __getitem__(self, number: int, /) -> object:
        """The object with this number; raises IndexError if there is none."""


class Numbers(Protocol):
    """Gives out the numbers under which texts and objects are written."""

    def text(self, value: str) -> int:
        """The number of a text."""

    def number(self, item: object) -> int:
        """The number of an object of a record."""


Reader: TypeAlias = Callable[[Sequence[object], Objects], list[object]]


class _Unmade:
    """Stands for an object that is not decoded yet."""


UNMADE = _Unmade()


# ------------------------------------------------------------------------------------------- forms
@dataclass(frozen=True)
class Text:
    """A text, by its number; or none, if that may be."""

    optional: bool


@dataclass(frozen=True)
class Scalar:
    """A number, a truth or none, as it is."""

    types: frozenset[type]


@dataclass(frozen=True)
class Record:
    """An object of one of these classes, by its number, or none if that is among them."""

    classes: tuple[type, ...]


@dataclass(frozen=True)
class Row:
    """A container of one of these types, of any length."""

    of: Form
    container: Container


@dataclass(frozen=True)
class Entries:
    """A dict, as the row of its keys and that of its values."""

    keys: Row
    values: Row


@dataclass(frozen=True)
class Fixed:
    """A tuple of so many parts, each of its own form."""

    parts: tuple[Form, ...]


@dataclass(frozen=True)
class Tagged:
    """A value of any other type, which says what it is."""

    hint: object


Form: TypeAlias = Text | Scalar | Record | Row | Entries | Fixed | Tagged


@functools.cache
def form_of(hint: object) -> Form:
    """How values of a declared type are written."""
    members = _members(hint)
    if str in members and set(members) <= {str, type(None)}:
        return Text(len(members) > 1)
    if all(m in SCALARS for m in members):
        return Scalar(frozenset(m for m in members if isinstance(m, type)))
    if all(m is type(None) or _is_record(m) for m in members):
        return Record(tuple(m for m in members if isinstance(m, type)))
    return _container_form(typing.get_origin(hint), typing.get_args(hint)) or Tagged(hint)


def _container_form(origin: object, args: tuple[object, ...]) -> Form | None:
    """The form of a container whose parts are of these types; none of anything else."""
    if origin is tuple and args[-1] is not ...:
        return Fixed(tuple(map(form_of, args)))
    if origin is dict:
        return Entries(Row(form_of(args[0]), tuple), Row(form_of(args[1]), tuple))
    for container in CONTAINERS.values():
        if origin is container:
            return Row(form_of(args[0]), container)
    return None


def declared_fields(cls: type) -> tuple[tuple[str, Form], ...]:
    """The fields of a class with the forms of their types."""
    hints = typing.get_type_hints(cls)
    return tuple((field.name, form_of(hints[field.name])) for field in dataclasses.fields(cls))


def _members(hint: object) -> tuple[object, ...]:
    """The types of a union, or the one type itself."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return tuple(m for part in typing.get_args(hint) for m in _members(part))
    return (hint,)


def _is_record(hint: object) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)


# ----------------------------------------------------------------------------------------- writing
def cell(value: object, form: Form, numbers: Numbers) -> object:
    """A value in the form of its declared type; raises Unreadable if it is of another."""
    match form:
        case Scalar():
            return value
        case Tagged():
            return tagged(value, numbers)
        case Text() if isinstance(value, str):
            return numbers.text(value)
        case Record() if value is not None:
            return numbers.number(value)
        case Row(of=of, container=container) if isinstance(value, container):
            return [cell(part, of, numbers) for part in in_order(value)]
        case Entries(keys=keys, values=values) if isinstance(value, dict):
            both = ((tuple(value), keys), (tuple(value.values()), values))
            return [cell(parts, of, numbers) for parts, of in both]
        case Fixed(parts=parts) if isinstance(value, tuple) and len(value) == len(parts):
            return [cell(part, of, numbers) for part, of in zip(value, parts, strict=True)]
        case Text() | Record() if value is None:
            return None
        case _:
            raise Unreadable(f"a {type(value).__name__} is no {form}")


def tagged(value: object, numbers: Numbers) -> object:
    """A value by what it is: numbers as they are, all else with a tag."""
    if isinstance(value, SCALARS):
        return value
    if isinstance(value, str):
        return ["s", numbers.text(value)]
    for tag, of in CONTAINERS.items():
        if isinstance(value, of):
            return [tag, [tagged(part, numbers) for part in in_order(value)]]
    if isinstance(value, dict):
        return ["d", [[tagged(key, numbers), tagged(of, numbers)] for key, of in value.items()]]
    return ["o", numbers.number(value)]


def in_order(value: object) -> Iterator[object]:
    """The parts of a container; those of a set in a fixed order, so that texts are equal."""
    if isinstance(value, set | frozenset):
        return iter(sorted(value, key=repr))
    assert isinstance(value, tuple | list)
    return iter(value)


# ----------------------------------------------------------------------------------------- reading
def position(number: object) -> int:
    """A number that something may have; raises Unreadable if it is none."""
    if type(number) is not int or number < 0:
        raise Unreadable(f"{number!r} is the number of nothing")
    return number


def reader(form: Form, texts: Sequence[object]) -> Reader:
    """Reads columns of cells of this form; raises Unreadable where a value is of another type."""
    match form:
        case Text(optional=True):
            return functools.partial(_texts_or_none, texts)
        case Text():
            return functools.partial(_texts, texts)
        case Scalar(types=allowed):
            return functools.partial(_scalars, allowed)
        case Record(classes=classes):
            return functools.partial(_records, classes)
        case Row():
            return functools.partial(_rows, form.container, reader(form.of, texts))
        case Entries(keys=keys, values=values):
            return functools.partial(_entries, _reader_of_tuples((keys, values), texts))
        case Fixed(parts=parts):
            return _reader_of_tuples(parts, texts)
        case Tagged(hint=hint):
            return functools.partial(_any, tagged_reader(texts), _check(hint))
        case _:
            assert_never(form)


def _positions(numbers: Sequence[object]) -> Sequence[int]:
    """The same, each a number that something may have."""
    if set(map(type, numbers)) <= {int}:
        found = typing.cast(Sequence[int], numbers)
        if not found or min(found) >= 0:
            return found
    raise Unreadable(f"some of {numbers!r:.60} is the number of nothing")


def _texts(texts: Sequence[object], column: Sequence[object], objects: Objects) -> list[object]:
    return [texts[number] for number in _positions(column)]


def _texts_or_none(
    texts: Sequence[object], column: Sequence[object], objects: Objects
) -> list[object]:
    _positions([number for number in column if number is not None])
    numbers = typing.cast(Sequence[int | None], column)
    return [texts[number] if number is not None else None for number in numbers]


def _scalars(allowed: frozenset[type], column: Sequence[object], objects: Objects) -> list[object]:
    if not allowed.issuperset(map(type, column)):
        raise Unreadable(f"some of {column!r:.60} is of another type")
    return list(column)


def _records(classes: tuple[type, ...], column: Sequence[object], objects: Objects) -> list[object]:
    if None in column:
        _positions([number for number in column if number is not None])
        numbers = typing.cast(Sequence[int | None], column)
        found = [objects[number] if number is not None else None for number in numbers]
    else:
        found = [objects[number] for number in _positions(column)]
    for cls in set(map(type, found)):
        if not issubclass(cls, classes):
            raise Unreadable(f"a {cls.__name__} is none of {classes}")
    return found


def _rows(
    container: Container, inner: Reader, column: Sequence[object], objects: Objects
) -> list[object]:
    if not set(map(type, column)) <= {list}:
        raise Unreadable(f"some of {column!r:.60} is no row")
    rows = typing.cast(Sequence[list[object]], column)
    parts = iter(inner(list(chain.from_iterable(rows)), objects))
    return [container(islice(parts, len(row))) for row in rows]


def _entries(pairs: Reader, column: Sequence[object], objects: Objects) -> list[object]:
    found = typing.cast(list[tuple[tuple[object, ...], tuple[object, ...]]], pairs(column, objects))
    return [dict(zip(keys, values, strict=True)) for keys, values in found]


def _reader_of_tuples(parts: Sequence[Form], texts: Sequence[object]) -> Reader:
    return functools.partial(_fixed, [reader(part, texts) for part in parts])


def _fixed(parts: list[Reader], column: Sequence[object], objects: Objects) -> list[object]:
    if not column:
        return []
    rows = typing.cast(Sequence[list[object]], column)
    if set(map(type, column)) != {list} or set(map(len, rows)) != {len(parts)}:
        raise Unreadable(f"some of {column!r:.60} is no tuple of {len(parts)}")
    columns = zip(*rows, strict=True)
    read = [of(one, objects) for of, one in zip(parts, columns, strict=True)]
    return list(zip(*read, strict=True))


def _any(
    read: Reader, fits: Callable[[object], bool], column: Sequence[object], objects: Objects
) -> list[object]:
    found = read(column, objects)
    if not all(map(fits, found)):
        raise Unreadable(f"some of {column!r:.60} is of another type")
    return found


def tagged_reader(texts: Sequence[object]) -> Reader:
    """Reads values that say what they are."""

    def read(raw: object, objects: Objects) -> object:
        if type(raw) is not list:
            if not isinstance(raw, SCALARS):
                raise Unreadable(f"{raw!r} has no tag")
            return raw
        tag, inner = raw
        if tag == "s":
            return texts[position(inner)]
        if tag == "o":
            found = objects[position(inner)]
            if found is UNMADE:
                raise Unreadable(f"object {inner} is not there yet")
            return found
        if tag == "d":
            return {read(key, objects): read(of, objects) for key, of in inner}
        return CONTAINERS[tag]([read(part, objects) for part in inner])

    return lambda column, objects: [read(raw, objects) for raw in column]


# ------------------------------------------------------------------------------------------- checks
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
