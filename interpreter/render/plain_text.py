"""Text in letters that a stream can write, and that do nothing but stand there."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from rulelang.diagnostics.source import unprintable

if TYPE_CHECKING:
    from rich.text import Text

_PLAIN = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "…": "...", "×": "x", "·": "-", "–": "-", "—": "-"}
)


def harmless(text: str) -> str:
    """The text with what would steer a terminal, or not be seen, written out as in `\\x1b`."""
    if text.isprintable():
        return text
    return "".join(_written_out(char) for char in text)


def _written_out(char: str) -> str:
    seen = char.isprintable() or char in "\n\t" or not unprintable(char)
    return char if seen else char.encode("unicode_escape").decode("ascii")


def writable(text: str, stream: IO[str]) -> str:
    """The text in letters that the stream's encoding has: typographic signs become plain ones, and
    what is no letter is written out.
    """
    text = harmless(text)
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
