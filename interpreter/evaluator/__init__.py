"""The reference evaluator: what core expressions mean, said in the plainest way.

In: a setup, and the named clauses of a game (`Clauses`). Out: a function of a position and the
values in scope for each expression. May use: `interpreter.model` and `rulelang`.
"""
