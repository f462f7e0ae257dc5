"""A compiled ruleset: declarations as records that hold core objects, every clause with its name, citations and place."""
from rulelang.ruleset.laws import *  # noqa: F403
from rulelang.ruleset.things import *  # noqa: F403
from rulelang.ruleset.whole import *  # noqa: F403
