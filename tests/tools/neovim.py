"""Neovim with the language server, driven as a person would: `python tests/tools/neovim.py FOLDER`.

A session in a terminal (by tmux, which shows what stands on the screen): open a file, mistype, take
the fix, ask what a name means, rename, run a scenario. Its screens are written into the folder.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KITCHEN = ROOT / "tests" / "good" / "kitchen" / "kitchen.rules"
NEEDED = ("nvim", "tmux")
PATIENCE = 60.0  # seconds that are waited for what must come, on a machine that is busy
SIZE = (110, 42)

# As docs/desk.md has it for later versions; the keys are those of nobody in particular.
INIT = """
vim.o.swapfile = false
vim.o.shadafile = "NONE"
vim.o.signcolumn = "yes"
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = "*.rules",
  callback = function(args)
    vim.bo[args.buf].filetype = "rulelang"
    local client = vim.lsp.start_client({
      name = "rulelang",
      cmd = { PROGRAM, "-m", "interpreter.cli.main", "lsp" },
      root_dir = vim.fn.expand("%:p:h"),
    })
    vim.lsp.buf_attach_client(args.buf, client)
  end,
})
vim.keymap.set("n", "K", vim.lsp.buf.hover)
vim.keymap.set("n", "ga", vim.lsp.buf.code_action)
vim.keymap.set("n", "gr", vim.lsp.buf.rename)
vim.keymap.set("n", "gl", vim.lsp.codelens.refresh)
vim.keymap.set("n", "gx", vim.lsp.codelens.run)
"""


def missing() -> list[str]:
    """The programs that a session needs and that are not there."""
    return [name for name in NEEDED if shutil.which(name) is None]


class Screen:
    """A terminal with Neovim on it; every screen that was waited for is kept by its name."""

    def __init__(self, folder: Path) -> None:
        """Open a copy of a small game that lies in the folder."""
        self.path = folder / "kitchen.rules"
        shutil.copyfile(KITCHEN, self.path)
        init = folder / "init.lua"
        init.write_text(INIT.replace("PROGRAM", f'"{sys.executable}"'), "utf-8")
        self.socket = str(folder / "tmux")
        self.seen: dict[str, str] = {}
        width, height = map(str, SIZE)
        env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        for name in ("CONFIG", "DATA", "STATE", "CACHE"):
            env[f"XDG_{name}_HOME"] = str(folder / name.lower())
        command = ["nvim", "-u", str(init), str(self.path)]
        window = ["new-session", "-d", "-x", width, "-y", height, "--", *command]
        subprocess.run(["tmux", "-S", self.socket, "-f", "/dev/null", *window], env=env, check=True)

    def tmux(self, *words: str) -> str:
        """What a command of tmux writes."""
        command = ["tmux", "-S", self.socket, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def keys(self, *keys: str) -> None:
        """Type letters, or keys by their names in tmux."""
        for key in keys:
            literal = () if key in ("Enter", "Escape", "C-u", "C-l") else ("-l",)
            self.tmux("send-keys", *literal, "--", key)

    def until(self, name: str, pattern: str, gone: bool = False) -> str:
        """The screen as soon as the pattern is on it (or is gone); raises TimeoutError."""
        last = time.monotonic() + PATIENCE
        while True:
            screen = self.tmux("capture-pane", "-p")
            if bool(re.search(pattern, screen)) is not gone:
                self.seen[name] = screen
                return screen
            if time.monotonic() > last:
                raise TimeoutError(f"{name}: {pattern} did not come\n{screen}")
            time.sleep(0.1)

    def find(self, words: str) -> None:
        """Go to these words."""
        self.keys("gg", "/", words, "Enter")

    def close(self) -> None:
        """Leave Neovim without saving."""
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], check=False)


@contextmanager
def neovim(folder: Path) -> Iterator[Screen]:
    """Neovim on a terminal, until the end of the block."""
    screen = Screen(folder)
    try:
        yield screen
    finally:
        screen.close()


def session(screen: Screen) -> None:
    """Open, mistype, take the fix, hover, rename, run a scenario that holds, then fails."""
    screen.until("open", r'game kitchen "')
    screen.find("on the table. Add")
    screen.keys("w", "cw", "teh", "Escape")
    screen.until("mistyped", r"on teh table.*■")
    screen.keys("ga")
    screen.until("fixes", r"1: Write “")
    screen.keys("1", "Enter")
    screen.until("fixing", r"\n +\| Add 1 if a Custard is on the table\. Add 1 if a herb")
    screen.until("fixed", r"■|on teh table", gone=True)
    screen.find("do serve")
    screen.keys("w", "K")
    screen.until("hover", r"flow +event serve\(p: player, d: dish\)")
    screen.keys("gr")
    screen.until("asked", r"New Name: serve")
    screen.keys("C-u", "bring", "Enter")
    screen.until("renamed", r"do bring\(")
    screen.find('scenario "one of each')
    screen.keys("gl")
    screen.until("lens", r"Run this scenario")
    screen.keys("gx")
    screen.until("passed", r"one of each are too few” passed")
    screen.find("expect refused by")
    screen.keys("w", "i", "not ", "Escape")
    screen.find('scenario "one of each')
    screen.keys("gx")
    screen.until("failed", r"one of each are too few” failed")


def main() -> int:
    """Write the screens of a session into a folder."""
    if missing():
        print(f"not installed: {', '.join(missing())}")
        return 1
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, neovim(Path(folder)) as screen:
        try:
            session(screen)
        finally:
            for number, (name, text) in enumerate(screen.seen.items(), 1):
                (out / f"{number:02}-{name}.txt").write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
