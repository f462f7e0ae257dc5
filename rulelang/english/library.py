"""The shared library of wordings, as syntax trees.

Its synonyms may be composed: with words in brackets, which may be left out, and alternatives.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources

from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source, decode_for_quoting
from rulelang.english.interface import FOLDER
from rulelang.syntax.nodes import Node, plain
from rulelang.syntax.parser import parse_source


@functools.cache
def sources() -> tuple[Source, ...]:
    """The texts of the library, in the order of their names."""
    folder = resources.files("rulelang.english").joinpath("library")
    files = sorted((file for file in folder.iterdir()), key=lambda file: file.name)
    return tuple(
        decode_for_quoting(FOLDER + file.name, file.read_bytes())
        for file in files
        if file.name.endswith(".rules")
    )


@functools.cache
def declarations() -> tuple[Node, ...]:
    """The declarations of the library; raises ValueError if one of them cannot be parsed."""
    report = Report()
    parsed = (node for source in sources() for node in parse_source(source, report))
    found = tuple(_spelt_out(node) if node.kind == "synonyms" else node for node in parsed)
    if report.found:
        first = report.found[0]
        raise ValueError(f"{first.span.file}, line {first.span.line}: {first.message}")
    return found


_CHOICE = re.compile(r"(?<!\S)\(([^()]+)\)(?!\S)|(?<!\S)(\S+(?:/\S+)+)")


def _spelt_out(synonyms: Node) -> Node:
    """The synonyms with each choice of their words as one of its own."""
    parts: list[Node | None] = []
    for part in synonyms.parts:
        if part is None or part.kind != "STRING" or not _CHOICE.search(plain(part)):
            parts.append(part)
        else:
            parts += [replace(part, text=f'"{said}"') for said in _each_choice(plain(part))]
    return replace(synonyms, parts=tuple(parts))


def _each_choice(said: str) -> Iterator[str]:
    """The texts that a composed one stands for."""
    pieces: list[tuple[str, ...]] = []
    end = 0
    for found in _CHOICE.finditer(said):
        optional, either = found.groups()
        ways = ("", *optional.split("/")) if optional else tuple(either.split("/"))
        pieces += [(said[end : found.start()],), ways]
        end = found.end()
    for chosen in itertools.product(*pieces, (said[end:],)):
        yield " ".join("".join(chosen).split())
