"""The syntax of rules: text in, syntax trees out; nothing in them is resolved yet.

In: sources. Out: a tree of nodes for each declaration, and diagnostics for what cannot be parsed.
It uses `diagnostics` only.

* `grammar`, `rules.lark`: the fixed LALR grammar, its parser and the reserved words
* `parser`: blocks become nodes; a line that cannot be parsed is left out and the rest parsed again
* `errors`: a parse error in the author's words
* `nodes`: the syntax tree
* `variants`: overlays that replace, remove and add declarations before anything is compiled
* `lark_adapter`: all use of Lark's internals
"""
