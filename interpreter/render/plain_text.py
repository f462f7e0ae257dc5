"""Text in letters that a stream can write."""

from __future__ import annotations

from typing import IO

from rich.text import Text

_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "…": "...", "×": "x", "·": "-", "–": "-", "—": "-"}
)


def lettered(text: Text, stream: IO[str]) -> Text:
    """The text in letters the stream can write: our own signs have plain ones that stand for them."""
    try:
        text.plain.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        spans = text.spans if len(text.plain.translate(_PLAIN)) == len(text.plain) else []
        return Text(text.plain.translate(_PLAIN), style=text.style, spans=spans)
    return text
