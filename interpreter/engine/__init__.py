"""The engine: plays the rules of one game on positions.

In: a compiled ruleset, players and options, and perhaps a compiled evaluator. Out: what
`engine.make_engine` builds, bottom up: clauses as functions (`clauses`, `scoring`), events and
their effects (`events`), control (`machine`, `bodies`), looking ahead (`walker`, `feasibility`),
open decisions and the search under `maximize` (`decisions`, `maximize`), simultaneous play and the
ranking. May use: `interpreter.evaluator`, `interpreter.model` and `rulelang`.
"""
