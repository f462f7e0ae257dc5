"""Sources, spans and diagnostics: everything that is said to an author.

In: bytes of files, and findings by the key of a code. Out: decoded sources cut into blocks, and
diagnostics with a stable code, drawn with the author's own line. It uses no other package.

* `source`: sources, spans, blocks and the bounds on texts
* `codes`: the table of diagnostic codes, as data
* `diagnostic`: the diagnostic, the report that collects them, and how one is drawn
* `english`: plurals and names as read aloud
"""

from rulelang.diagnostics.codes import CODES, Code
from rulelang.diagnostics.diagnostic import (
    Diagnostic,
    Report,
    did_you_mean,
    draw,
    finding,
    nearest,
    visible,
)

__all__ = [
    "CODES",
    "Code",
    "Diagnostic",
    "Report",
    "did_you_mean",
    "draw",
    "finding",
    "nearest",
    "visible",
]
