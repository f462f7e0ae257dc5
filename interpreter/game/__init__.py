"""Games and states in play, and what is written of them: the interface of the interpreter.

In come rulesets, settings, options chosen, records and positions as data. Out go `Game` and
`State`, views of what a player may know, refusals with their reasons, score trees and records.
It uses the engine, its evaluators, the model and `rulelang`; files are touched in `loading` and
`cache` only.
"""
