"""Elaboration: resolves names, checks types and turns syntax trees into core objects.

In: the declarations of a ruleset as syntax trees (`rulelang.syntax`).
Out: a `Ruleset` of core objects; what is wrong goes to the report of the symbol table, and stands
in the core as a value of type UNKNOWN, which fits everywhere, so that it is reported once.
May use: `builtins`, `ruleset`, `syntax`, `core` and `diagnostics`. It reads patterns, but no cards.

First `declarations` enters every name in the symbol table (`symbols`), then `bodies` compiles what
the declarations say; the type checker (`type_checker`, `expressions`) and `statements` serve both.
"""
