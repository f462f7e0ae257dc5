"""Tools for authors: check files, explain a card's text, start a card or game from a template.

In come paths or a loaded ruleset; out come findings (of the compiler, the lints, and of lints that
play, such as unstable cards) with positions in which ambiguous readings differ, explanations of
cards, and texts of templates.

May use game, bots, engine and what is below them; prints nothing and draws nothing.
"""
