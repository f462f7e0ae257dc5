"""Parse tables as checked data: the grammar's LALR tables written as JSON, taken only if they belong to this grammar and this Lark."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lexer import TerminalDef


def stamp(grammar: str) -> str:
    """What tables must belong to: this grammar's text and this version of Lark."""
    return hashlib.sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()


def dump(parser: Lark, grammar: str) -> str:
    """A parser's tables as JSON text."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    simple = (str, int, bool, list, dict, type(None))
    data["options"] = {
        name: value if isinstance(value, simple) else None
        for name, value in data["options"].items()
    }
    return json.dumps(
        {"stamp": stamp(grammar), "data": data, "memo": memo}, default=sorted, separators=(",", ":")
    )


def load(text: str, grammar: str, indenter: Indenter) -> Lark | None:
    """The parser these tables are of; none if they are of another grammar, another Lark, or are no tables."""
    try:
        found: dict[str, Any] = json.loads(text)
        if found.get("stamp") != stamp(grammar):
            return None
        data = found["data"]
        tables = data["parser"]["parser"]
        tables["tokens"] = _numbered(tables["tokens"])
        tables["states"] = {
            state: _numbered(actions) for state, actions in _numbered(tables["states"]).items()
        }
        made: Lark = Lark._load_from_dict(  # type: ignore[no-untyped-call]
            data, _numbered(found["memo"]), postlex=indenter, propagate_positions=True
        )
    except (ValueError, KeyError, TypeError, AttributeError, lark.exceptions.LarkError):
        return None
    return made


def _numbered(table: dict[str, Any]) -> dict[int, Any]:
    return {int(key): value for key, value in table.items()}
