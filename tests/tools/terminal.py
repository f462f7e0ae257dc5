"""A terminal with the program on it, driven as a person would."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pexpect

ROOT = Path(__file__).resolve().parents[2]


_MOST_PROMPTS = 100  # before somebody chooses an action
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Session:
    """A terminal with `rulelang` on it; `seen` is what it showed since the last line typed."""

    def __init__(self, *words: str, cwd: Path, columns: int = 100, **env: str) -> None:
        clean = {
            k: v
            for k, v in os.environ.items()
            if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "PYTHONIOENCODING")
        }
        clean |= {
            "TERM": "xterm-256color",
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
            "INPUTRC": os.devnull,
            **env,
        }
        command = ["-m", "interpreter.cli.main", *words]
        self.child = pexpect.spawn(
            sys.executable,
            command,
            cwd=str(cwd),
            env=clean,
            encoding="utf-8",
            timeout=30,
            dimensions=(45, columns),
            # a run of the tests in the background leaves its children deaf to Control-C
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.raw = self.seen = ""

    def until(self, pattern: str) -> str:
        """What is shown up to a pattern; the test fails if that never comes."""
        self.raw = ""
        self.child.expect(pattern)
        while pattern.endswith("$") and (more := self._waiting()):
            self.raw += self.child.before  # it ended where a terminal's buffer does
            self.child.buffer = str(self.child.after) + more
            self.child.expect(pattern)
        self.raw += self.child.before + str(self.child.after)
        self.seen = _ESCAPES.sub("", self.raw)
        return self.seen

    def _waiting(self) -> str:
        """What is written already and not read."""
        try:
            return str(self.child.read_nonblocking(4096, timeout=0.05))
        except (pexpect.TIMEOUT, pexpect.EOF):
            return ""

    def type(self, line: str, then: str = r"(player \d, [^\n]*?|\n>) $") -> str:
        """Type a line; gives what is shown up to the next question."""
        self.child.sendline(line)
        return self.until(then)

    def to_an_action(self) -> int:
        """Pass the keyboard and take the first option until somebody chooses an action.

        Gives who it is; `raw` and `seen` are all that was shown till then.
        """
        shown = ""
        for _ in range(_MOST_PROMPTS):
            seen = self.until(r"(Enter( when you have read this)?\.|player \d, [^\n]*?) $")
            shown += self.raw
            asked = re.search(r"player (\d), what do you do\? $", seen)
            if asked is not None:
                self.raw, self.seen = shown, _ESCAPES.sub("", shown)
                return int(asked[1])
            self.child.sendline("" if seen.endswith(("Enter. ", "this. ")) else "1")
        raise AssertionError(f"nobody chooses an action: {self.seen}")

    def ends(self) -> int:
        """The exit status, once all has been read."""
        self.child.expect(pexpect.EOF)
        self.seen = _ESCAPES.sub("", self.child.before)
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)
