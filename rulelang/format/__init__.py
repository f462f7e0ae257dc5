"""The formatter: the one layout of rules that `rulelang fmt` writes.

In: a source whose declarations can all be parsed. Out: its text laid out anew; meaning and
comments stay. Laying out twice gives the same as once. It uses `syntax` and `diagnostics`.

* `tokens`: a text as lines of words, with what the grammar says of them
* `wrap`: lines that are too long; `rows`: rows that begin with `|`
* `formatter`: the whole text
"""

from rulelang.format.formatter import format_source

__all__ = ["format_source"]
