"""Everything said to an author: one diagnostic type, a table of codes as data, and the drawing of a message with the author's own line."""

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
