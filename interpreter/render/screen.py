"""Where a game is shown and choices are typed: a terminal as wide, as colourful and with such
letters as it is, or a pipe."""

from __future__ import annotations

import contextlib
import importlib
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import Protocol

from rich.console import Console
from rich.text import Text

from interpreter.render.plain_text import writable, writable_text

_MOMENT = 0.3  # seconds after which it is said what takes so long
_ROOM = 24  # columns to type in beside a prompt
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, what has scrolled off it, and back to the top


class Screen(Protocol):
    """What a game at the table needs of where it is shown."""

    @property
    def width(self) -> int | None:
        """How many letters go on a line; none where lines have no end."""

    @property
    def height(self) -> int | None:
        """How many lines go on the screen; none where there is no end."""

    @property
    def boxes(self) -> bool:
        """Can lines be drawn with the signs made for it?"""

    def say(self, text: str | Text, style: str = "") -> None:
        """Write a line."""

    def ask(self, prompt: str) -> str | None:
        """The line typed after a prompt; none at the end of the input."""

    def offer(self, words: Iterable[str]) -> None:
        """Words that can be completed where one types."""

    def clear(self) -> None:
        """Take what stands there out of sight."""

    def busy(self, what: str) -> AbstractContextManager[None]:
        """While something takes long, say what."""


class LineEditor(Protocol):
    """What is used of the module `readline`, which not every system has."""

    def set_completer(self, function: Callable[[str, int], str | None]) -> object:
        """Complete words by this function from now on."""

    def parse_and_bind(self, line: str) -> object:
        """Do what a line of its configuration says."""

    def clear_history(self) -> object:
        """Forget the lines that were typed."""


def _line_editor() -> LineEditor:
    """The module; raises ImportError where there is none."""
    editor: LineEditor = importlib.import_module("readline")
    return editor


class Terminal:
    """The terminal the program runs on, or the pipe that stands in its place."""

    def __init__(self) -> None:
        """Colour, width and letters are what the terminal and its environment say.

        NO_COLOR is obeyed.
        """
        self.console = Console(file=sys.stdout, soft_wrap=True, highlight=False)
        self.typed = sys.stdin.isatty()
        self.recall: LineEditor | None = (
            None  # lines can be edited and called back where the system knows how
        )
        with contextlib.suppress(ImportError):
            self.recall = importlib.import_module("readline") if self.typed else None

    @property
    def width(self) -> int | None:
        """The terminal's width; lines in a pipe have no end."""
        return max(shutil.get_terminal_size().columns, 20) if self.console.is_terminal else None

    @property
    def height(self) -> int | None:
        """The terminal's height; a pipe has no end."""
        return shutil.get_terminal_size().lines if self.console.is_terminal else None

    @property
    def boxes(self) -> bool:
        """Only on a terminal that writes Unicode: in a pipe plain letters last longest."""
        return (
            self.console.is_terminal
            and (self.console.encoding or "").startswith("utf")
            and not self.console.is_dumb_terminal
        )

    def say(self, text: str | Text, style: str = "") -> None:
        """Write a line; on a terminal broken between words."""
        line = writable_text(
            Text(text, style=style) if isinstance(text, str) else text, self.console.file
        )
        if not self.console.is_terminal:
            print(line.plain, file=self.console.file)
            return
        for part in wrapped(line, self.width or 80):
            self.console.print(part, soft_wrap=True)

    def ask(self, prompt: str) -> str | None:
        """The line typed after a prompt (a long one stands on lines of its own).

        What comes from a pipe is shown, for no keyboard has.
        """
        if self.width is not None and len(prompt) > self.width - _ROOM:
            self.say(prompt)
            prompt = "> "
        try:
            line = input(writable(prompt, sys.stdout))
        except EOFError:
            return None
        if not self.typed:
            print(writable(line, sys.stdout))
        return line

    def offer(self, words: Iterable[str]) -> None:
        """The tabulator key completes these words from now on."""
        if self.recall is not None:
            known = sorted(set(words))
            self.recall.set_completer(
                lambda begun, number: next(
                    islice((w for w in known if w.lower().startswith(begun.lower())), number, None),
                    None,
                )
            )
            self.recall.parse_and_bind("tab: complete")

    @contextlib.contextmanager
    def busy(self, what: str) -> Iterator[None]:
        """Say what takes longer than a moment, and take it back.

        What was typed meanwhile was no answer to anything, and is let go.
        """
        if not self.console.is_terminal or not self.typed:
            yield
            return
        said = threading.Event()

        def tell() -> None:
            said.set()
            self.console.file.write(writable(what, sys.stdout))
            self.console.file.flush()

        timer = threading.Timer(_MOMENT, tell)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if said.is_set():
                self.console.file.write("\r" + " " * len(what) + "\r")
                self.console.file.flush()
                with contextlib.suppress(ImportError, OSError, AttributeError):
                    termios = importlib.import_module("termios")
                    termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def clear(self) -> None:
        """Empty the screen and what could be scrolled or called back to or completed.

        A terminal that cannot gets so many blank lines.
        """
        if self.recall is not None:
            self.recall.clear_history()
            self.recall.set_completer(lambda begun, number: None)
        if not self.console.is_terminal:
            return
        if self.console.is_dumb_terminal:
            print("\n" * shutil.get_terminal_size().lines)
        else:
            self.console.file.write(_CLEAR)
            self.console.file.flush()


def wrapped(line: Text, width: int) -> list[Text]:
    """A line broken between words, what follows set in a little further than it begins."""
    if len(line.plain) <= width:
        return [line]
    indent = len(line.plain) - len(line.plain.lstrip()) + 2
    indent = indent if indent < width // 2 else 0
    parts = textwrap.wrap(
        line.plain,
        width,
        subsequent_indent=" " * indent,
        replace_whitespace=False,
        drop_whitespace=True,
    )
    return [Text(part, style=line.style) for part in parts]


class Listener:
    """A screen nobody looks at: what is said is kept, and nothing is ever typed."""

    width = None
    height = None
    boxes = False

    def __init__(self) -> None:
        """Nothing is said yet."""
        self.said: list[str] = []

    def say(self, text: str | Text, style: str = "") -> None:
        """Keep a line."""
        self.said.append(text if isinstance(text, str) else text.plain)

    def ask(self, prompt: str) -> str | None:
        """Nobody answers."""
        self.said.append(prompt)
        return None

    def offer(self, words: Iterable[str]) -> None:
        """Nobody types."""

    def clear(self) -> None:
        """There is nothing to see."""

    def busy(self, what: str) -> AbstractContextManager[None]:
        """Nobody waits."""
        return contextlib.nullcontext()
