"""From parsed declarations to a compiled ruleset: frame, cards, deck lists and scenarios.

In come syntax nodes and a report; out comes `Compiled`: the ruleset with its designs, extensions,
decks and scenarios, the glossary that reads card texts, and the cards that were refused. A frame
(everything but cards, decks and scenarios) is kept from one compilation to the next, so that a
check after an edit compiles only what has changed.

May use phrases, elaborate, ruleset, syntax, core and diagnostics.
"""
