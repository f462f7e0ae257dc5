"""Games of a batch where the native engine leaves it to the reference what happens: see
`AskReference`. They go on there, and come back as soon as the engine takes them.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.engine.decisions import Option
from interpreter.environments.bounds import Unbounded
from interpreter.environments.factors import Open, opened
from interpreter.environments.table import Rules
from interpreter.game.game import State
from interpreter.model.values import Fault
from interpreter.native.resuming import Resumed
from interpreter.native.runtime import AskReference, Instance
from interpreter.native.values import NotLowered

NOBODY = "nobody has anything to decide and the game is not over"


class Referring:
    """Plays single choices of one game by the reference."""

    def __init__(self, rules: Rules, instance: Instance) -> None:
        """What the instance plays when it is asked here is overwritten."""
        self.rules, self.instance, self.resumed = rules, instance, Resumed(instance)

    def opened(self, state: State) -> Open:
        """The first decision that is open, action by action; raises Unbounded, Fault."""
        decisions = state.decisions
        if not decisions:
            raise Fault(NOBODY)
        return opened(self.rules.numbering, decisions[0])

    def option(self, state: State, actions: Sequence[int]) -> Option:
        """The option of the first open decision that actions come to; raises Unbounded, Fault."""
        found: Open | Option = self.opened(state)
        for action in actions:
            if isinstance(found, Option) or action not in found.legal():
                break
            found = found.after(action)
        if not isinstance(found, Option):
            raise Unbounded("the engines do not agree on what may be chosen")
        return found

    def entered(self, state: State) -> bytes | None:
        """The bytes of a state with its branches; none where the engine cannot stand there."""
        try:
            self.resumed.enter(state.position)
        except (NotLowered, AskReference, Fault):
            return None
        return self.instance.state
