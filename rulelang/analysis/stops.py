"""What may stop the game where it is worked out: then nothing else may be worked out in its stead.

Conditions that cannot stop it hold or fail in whatever order they are asked.
"""

from __future__ import annotations

from rulelang import core
from rulelang.ruleset import Ruleset

_STOPPING = core.Range | core.Total | core.Accepts | core.At


class Stops:
    """Tells which expressions of a ruleset may stop the game; memoised by definition."""

    def __init__(self, rules: Ruleset) -> None:
        """Nothing is looked through yet."""
        self.rules = rules
        self._known: dict[str, bool] = {}

    def may(self, item: object) -> bool:
        """Could working it out stop the game, if it is asked of things it was not meant for?"""
        return any(self._node(part) for part in core.walk(item))

    def _node(self, part: core.Node) -> bool:
        if isinstance(part, _STOPPING):
            return True
        if isinstance(part, core.Arith):
            return part.op.startswith("/")
        if isinstance(part, core.Apply):
            return self._definition(part.define)
        if isinstance(part, core.Groups | core.Reach) and part.relation is not None:
            return self._definition(part.relation)
        return False

    def _definition(self, name: str) -> bool:
        """The same of a definition, and of what cards add to it."""
        if name not in self._known:
            self._known[name] = True  # of a recursive call
            inner = [(case.cond, case.value) for case in self.rules.definitions[name].cases]
            added = [
                (e.cond, [(case.cond, case.value) for case in e.cases])
                for e in self.rules.extensions
                if (e.kind, e.target) == ("define", name)
            ]
            self._known[name] = self.may([inner, added])
        return self._known[name]
