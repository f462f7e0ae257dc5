"""Proofs for authors: can it be played, are they the same, what does it touch, does a test notice?

In come a loaded ruleset and texts, cards, files or variants to ask about. Out come answers with
their witnesses: positions, games that can be replayed, clauses; or *not decided* with what was
tried, for all work is bounded by counting.

May use authoring, scenarios, bots, game and what is below them; prints nothing and draws nothing.
"""
