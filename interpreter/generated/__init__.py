"""The generated evaluator: a ruleset written as Python functions, which give the reference's values.

In: a compiled ruleset, and the clauses of a game to bind it to. Out: functions of expressions,
definitions, score tables, events and what may be chosen. May use: `interpreter.engine` and what it
may use. What changes a position is the machine's affair. It is taken away when the native engine
stands.
"""
