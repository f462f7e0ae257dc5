"""Simulation: many games by bots, under one setting or many.

In come games (`interpreter.game`) and bots (`interpreter.bots`); out go results: scores, hashes,
the clauses that fired, the settings whose games do not finish. It uses everything below
it, and nothing of scenarios, drawing or the command line.
"""
