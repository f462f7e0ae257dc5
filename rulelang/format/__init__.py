"""The one layout of rules: columns, indentation, blank lines and long lines. What a text means, and its comments, stay."""

from rulelang.format.formatter import laid_out

__all__ = ["laid_out"]
