"""Static analysis of compiled rules, without any game set up.

In: a compiled `Ruleset`. Out: checks and lints of rules and cards as diagnostics, read and write
sets, cost, and candidates for evaluators. May use: all other packages of `rulelang`.
"""
