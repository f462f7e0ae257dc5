"""The generated evaluator: a ruleset written as Python functions, which give the reference's values.

In: a compiled ruleset, and the clauses of a game to bind it to. Out: functions of expressions,
definitions, score tables and events, and whole play in blocks. May use: `interpreter.engine` and
what it may use. It is taken away when the native engine stands.
"""
