"""The user's cache folder: what was worked out before, kept as checked data in a bounded store.

Entries are found by a key over all they rest on, the program's own code among it. What is damaged,
foreign or made by other code is as if it were not there, and so is a folder that cannot be read or
written. `RULELANG_CACHE` names another folder, or switches the cache off (`off`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import tempfile
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from interpreter.game.files import is_confined, read_file

VARIABLE = "RULELANG_CACHE"
OFF = ("off", "0", "no")
MOST_BYTES = 64_000_000  # of all entries together; those not used for longest go first
_SUFFIX = ".kept"


def folder() -> Path | None:
    """The folder of the cache, whether it exists or not; none if the cache is switched off, or only
    some folders may be read.
    """
    chosen = os.environ.get(VARIABLE, "")
    if chosen.lower() in OFF or is_confined():
        return None
    if chosen:
        return Path(chosen)
    import platformdirs

    return platformdirs.user_cache_path("rulelang", appauthor=False)


@functools.cache
def program() -> str:
    """A digest of code and wordings that compile rules: another version keeps its own entries."""
    made = hashlib.sha256()
    root = Path(str(resources.files("rulelang")))
    files = [p for p in root.rglob("*") if p.suffix in (".py", ".lark", ".json", ".rules")]
    for path in sorted(files):
        made.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
        made.update(path.read_bytes())
    return made.hexdigest()


def key_of(kind: str, parts: Iterable[str | bytes]) -> str:
    """The name of an entry of this kind that rests on these texts."""
    made = hashlib.sha256(f"{kind} {program()}".encode())
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        made.update(b"\0%d\0" % len(raw))
        made.update(raw)
    return f"{kind}-{made.hexdigest()}"


def read(key: str) -> bytes | None:
    """What is kept under this key; none if nothing is, or if it is damaged."""
    where = folder()
    if where is None:
        return None
    path = where / f"{key}{_SUFFIX}"
    try:
        digest, _, payload = read_file(path, MOST_BYTES).partition(b"\n")
    except OSError:
        return None
    if hashlib.sha256(payload).hexdigest().encode() != digest:
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # it was used just now
    return payload


def write(key: str, payload: bytes) -> None:
    """Keep this under the key, in one step; where that is not possible nothing is kept."""
    where = folder()
    if where is None or len(payload) > MOST_BYTES:
        return
    made = None
    try:
        where.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=where, suffix=".new", delete=False) as file:
            made = file.name
            file.write(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
        os.replace(made, where / f"{key}{_SUFFIX}")
        _shrink(where)
    except OSError:
        if made is not None:
            with contextlib.suppress(OSError):
                os.unlink(made)


def _shrink(where: Path) -> None:
    """Take away what was not used for longest until all together is no more than the bound."""
    entries = []
    for path in where.iterdir():
        if path.suffix in (_SUFFIX, ".new"):
            with contextlib.suppress(OSError):  # another process may have taken it away
                found = path.stat()
                entries.append((found.st_mtime, found.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= MOST_BYTES:
            return
        with contextlib.suppress(OSError):
            path.unlink()
            total -= size
