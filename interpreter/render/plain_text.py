"""Text in letters that a stream can write."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "…": "...", "×": "x", "·": "-", "–": "-", "—": "-"}
)


def writable(text: str, stream: IO[str]) -> str:
    """The text in letters that the stream's encoding has: typographic signs become plain ones."""
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)
    return text


def writable_text(text: Text, stream: IO[str]) -> Text:
    """The same of a styled text; its styles stay where no sign became longer."""
    from rich.text import Text

    plain = writable(text.plain, stream)
    if plain == text.plain:
        return text
    spans = text.spans if len(plain) == len(text.plain) else []
    return Text(plain, style=text.style, spans=spans)
