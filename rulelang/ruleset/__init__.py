"""A compiled ruleset: declarations as records that hold core objects, every clause with its name, citations and place."""

from rulelang.ruleset.clauses import *  # noqa: F403
from rulelang.ruleset.components import *  # noqa: F403
from rulelang.ruleset.ruleset import *  # noqa: F403
