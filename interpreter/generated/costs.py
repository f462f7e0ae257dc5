"""About how much work an expression is, so that cheap conditions are asked first and costly results are kept."""
from __future__ import annotations

from typing import Any

from rulelang import core
from rulelang.ruleset import Ruleset

WORTH_KEEPING = 30  # about what looking a kept result up costs
_MEMBERS = 8  # members a loop is taken to have
_LOOPS = core.Exists | core.Forall | core.Filter | core.Image | core.Best | core.Stable
_WIDE = {"footprints", "spots", "lines_of", "all", "board_sites", "spaces"}


def cost(ruleset: Ruleset, item: Any, depth: int = 0) -> int:
    """The work of an expression or of all in a tuple, in steps; what is kept counts as a look-up."""
    if isinstance(item, tuple):
        return sum(cost(ruleset, part, depth) for part in item)
    if not hasattr(item, "__dataclass_fields__") or depth > 8:
        return 0
    own = 1
    if isinstance(item, _LOOPS):
        inner = [getattr(item, name) for name in ("cond", "body", "key") if hasattr(item, name)]
        return 3 + cost(ruleset, item.domain, depth) + _MEMBERS * cost(ruleset, tuple(inner), depth)
    if isinstance(item, core.Apply):
        own = min(WORTH_KEEPING, 1 + cost(ruleset, ruleset.definitions[item.define].cases, depth + 1))
    elif isinstance(item, core.Total):
        own = 1 + cost(ruleset, ruleset.tables[item.table].lines, depth + 1)
    elif isinstance(item, core.Groups | core.Reach | core.At | core.Accepts):
        own = 60
    elif isinstance(item, core.Builtin) and item.name in _WIDE:
        own = 4
    return own + sum(cost(ruleset, value, depth) for name, value in vars(item).items() if name not in ("type", "span", "clause"))


def looks_back(ruleset: Ruleset, item: Any, seen: frozenset[str] = frozenset()) -> bool:
    """Does it read the position before the last event? Then what it found may not be kept."""
    if isinstance(item, tuple):
        return any(looks_back(ruleset, part, seen) for part in item)
    if not hasattr(item, "__dataclass_fields__"):
        return False
    if isinstance(item, core.At) and item.mode == "before":
        return True
    if isinstance(item, core.Apply) and item.define not in seen and looks_back(ruleset, ruleset.definitions[item.define].cases, seen | {item.define}):
        return True
    return any(looks_back(ruleset, value, seen) for name, value in vars(item).items() if name not in ("type", "span"))
