"""The built-in words of the language: one record for each, with all that is known of it.

A record (`record.py`) says how a word is written and typed, what it reads, what it costs, how it
is read aloud, what it gives where an argument is none, and how it is evaluated. The records stand
in a module for each subject, next to their implementations; `registry.py` collects them.
Implementations see a game only by the protocols of `world.py`. To add a word, add a record.

In: core expressions, types and the ruleset. Out: facts about words, and functions that evaluate
them. May use `ruleset`, `core`,
`geometry` and `diagnostics`.
"""
