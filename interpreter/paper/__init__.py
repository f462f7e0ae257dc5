"""Paper: a ruleset written out as a rulebook, and its pieces drawn as sheets to print and cut.

In comes a compiled ruleset with its texts and its rulebook. Out go documents, as HTML or Markdown,
and sheets of cards, as SVG and by an extra as PDF and PNG. It knows no game and starts none; it
uses `interpreter.game` and what is below, for the words of expressions `rulelang.phrases`.
"""
