"""A studio that runs as people run it: `rulelang serve`, in a process that can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Server:
    """`rulelang serve` in a process of its own, on a database that outlives it."""

    folder: Path
    paths: tuple[str, ...]
    database: str = ""  # its URL; a file in the folder unless it is said
    url: str = ""
    processes: int = 1
    process: subprocess.Popen[str] | None = None

    def __post_init__(self) -> None:
        self.database = self.database or f"sqlite:///{self.folder}/studio.sqlite"

    def start(self) -> None:
        """Begin to serve, at the port of before if there was one."""
        port = self.url.rstrip("/").rpartition(":")[2] or "0"
        command = [sys.executable, "-m", "rulelang", "serve", *self.paths]
        options = ["--json", "--port", port, "--database", self.database]
        options += ["--projects", str(self.folder / "projects")]
        options += ["--processes", str(self.processes)]
        self.process = subprocess.Popen(
            [*command, *options],
            process_group=0,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if line.startswith("}"):
                break
        self.url = json.loads(said)["url"]

    def kill(self) -> None:
        """End it, with all that it began, as a machine that loses its power does."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()


@contextmanager
def serving(folder: Path, *paths: str, database: str = "", processes: int = 1) -> Iterator[Server]:
    """A server that is killed in the end."""
    server = Server(folder, paths, database, processes=processes)
    server.start()
    try:
        yield server
    finally:
        server.kill()
