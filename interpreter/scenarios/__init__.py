"""Scenarios: the tests that authors write in the language, and what they cover.

In come compiled scenarios and their ruleset. Out go outcomes (passed, or why not and where), and
for each statement of a rulebook the clauses that encode it and the scenarios that exercise it.
It uses `interpreter.game` and what is below.
"""
