"""The bounds on what rules may ask for while they are played, in the terms of the language.

Work is counted, never timed, so that passing a bound is the same on every machine. Bounds on texts
stand in `rulelang.diagnostics.source`, on the size of a game in `rulelang.compiler.limits`.
"""

from __future__ import annotations

LARGEST = 2**63 - 1  # a number has 64 bits
SMALLEST = -(2**63)
MAX_DIGITS = 9  # of a number that is written

# From one decision to the next: a statement that is carried out is a step, a round of a loop one
# more.
MAX_STEPS = 200_000
# In one evaluation, and in all from one decision to the next: the members of every set that is
# looked through, each time it is, and the numbers of every range.
MAX_VISITS = 5_000_000
MAX_SPAN = 100_000  # how far apart the ends of a range may lie
MAX_CHAINED = 40  # definitions that need definitions that need …
# Statements and expressions within one another, through all they need: definitions, tables, events
# with their rules and what answers them, procedures. A choice counts for what stands after it, too,
# which is looked at before anything can be chosen.
MAX_NESTED = 250
