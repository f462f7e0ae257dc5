"""The reference evaluator: each core object becomes one small Python function of a position and the values in scope.

Nothing of an author's text is executed: functions are made from checked trees only.
"""

from __future__ import annotations

from interpreter.evaluator.logic import Logic
from interpreter.evaluator.sets import Sets
from interpreter.evaluator.values import Env, Func
from interpreter.model.values import Fault, quotient, span
from rulelang.core.values import nothing_of

__all__ = ["Env", "Evaluator", "Fault", "Func", "nothing_of", "quotient", "span"]


class Evaluator(Sets, Logic):
    """Functions of every core expression; the door to the rooms of values, conditions and sets."""
