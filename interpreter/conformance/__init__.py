"""The conformity battery: laws that every ruleset keeps while it is played.

In comes any ruleset under any settings; out comes a ledger of checks and the first failure of each
law. The battery reads states from outside, as a bot would, except where a law is about the inside.
It may use everything but the command line.
"""
