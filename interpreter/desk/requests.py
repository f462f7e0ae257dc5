"""The requests that are not of the protocol: what a client sends and gets, as plain data.

Scenarios are listed, run one by one, and shown at a place, with the position before and after a
step; `docs/desk.md` describes them for whoever writes a client.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from pygls.exceptions import JsonRpcInvalidParams

from interpreter.desk import protocol as to
from interpreter.desk.documents import Document
from interpreter.desk.positions import Place, Range
from interpreter.desk.scenarios import Listed, Scene, Shown
from interpreter.scenarios.runner import Failure
from interpreter.scenarios.scenario import Outcome

SCENARIOS = "rules/scenarios"
RUN_SCENARIO = "rules/runScenario"
POSITION = "rules/position"
COMMANDS = "rules/commands"

# What a client sends comes as a named tuple of whatever members it has.
Params: TypeAlias = tuple[object, ...]


# ---------------------------------------------------------------------------------- what is asked
def _member(params: object, name: str) -> object:
    if isinstance(params, Mapping):
        return params.get(name)
    return getattr(params, name, None)


def has(params: object, name: str) -> bool:
    """Is there a member of this name?"""
    return _member(params, name) is not None


def text(params: object, name: str) -> str:
    """The text of this name; raises JsonRpcInvalidParams."""
    found = _member(params, name)
    if not isinstance(found, str):
        raise JsonRpcInvalidParams(f"`{name}` is a text")
    return found


def place(params: object) -> tuple[str, Place]:
    """The text and the place that are asked about, named as the protocol does; raises
    JsonRpcInvalidParams.
    """
    document, position = _member(params, "textDocument"), _member(params, "position")
    line, character = _member(position, "line"), _member(position, "character")
    if not isinstance(line, int) or not isinstance(character, int):
        raise JsonRpcInvalidParams("`position` has a `line` and a `character`")
    return text(document, "uri"), Place(max(0, line), max(0, character))


def has_terminal(options: object) -> bool:
    """Does the client say at the start that it runs commands of `rulelang` in a terminal?"""
    return _member(options, "terminal") is True


# --------------------------------------------------------------------------------- what is answered
def listed(found: Listed) -> dict[str, object]:
    """A scenario that can be run."""
    return {
        "uri": to.uri_of(found.at.path),
        "title": found.title,
        "range": _range(found.whole),
        "titleRange": _range(found.at.range),
        "cites": list(found.cites),
    }


def outcome(document: Document, found: Outcome) -> dict[str, object]:
    """What a scenario came to."""
    return {
        "status": "passed" if found.passed else "failed",
        "message": found.message,
        "failures": [_failure(document, one) for one in found.failures],
    }


def shown(document: Document, found: Shown) -> dict[str, object]:
    """A step of a scenario with the position before and after it."""
    return {
        "title": found.title,
        "range": _range(found.lines),
        "step": _range(found.step) if found.step is not None else None,
        "number": found.number,
        "count": found.count,
        "before": _scene(found.before),
        "after": _scene(found.after),
        "failures": [_failure(document, one) for one in found.failures],
        "why": found.why,
    }


def _failure(document: Document, found: Failure) -> dict[str, object]:
    return {
        "line": found.span.line,
        "range": _range(document.range(found.span)),
        "message": found.message,
        "expected": found.expected,
        "found": found.found,
    }


def _scene(found: Scene | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "picture": found.picture,
        "places": {name: list(lying) for name, lying in found.places.items()},
        "state": {name: dict(values) for name, values in found.state.items()},
        "asked": list(found.asked),
    }


def _range(found: Range) -> dict[str, object]:
    start, end = found.start, found.end
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }
