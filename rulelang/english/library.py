"""The shared library of wordings, as syntax trees."""

from __future__ import annotations

import functools
from importlib import resources

from rulelang.diagnostics import Report
from rulelang.diagnostics.source import Source, decode_for_quoting
from rulelang.english.interface import FOLDER
from rulelang.syntax.nodes import Node
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
    found = tuple(node for source in sources() for node in parse_source(source, report))
    if report.found:
        first = report.found[0]
        raise ValueError(f"{first.span.file}, line {first.span.line}: {first.message}")
    return found
