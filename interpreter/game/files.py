"""Files at the edge: only regular ones are read, and never more than a bound; what is written is
written whole or not at all.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, cast

_TRIES = 100  # to lock a file that another process is just writing
_BETWEEN = 0.05  # seconds from one to the next
_BINARY = getattr(os, "O_BINARY", 0)


# ------------------------------------------------------------------------------------------ reading
def read_file(path: Path, most: int) -> bytes:
    """The first `most` + 1 bytes of a regular file: one more than may be there shows that it is
    too large.

    Raises OSError for what cannot be read, and for whatever is no regular file: a device has no
    end, a pipe may never begin.
    """
    held = _HELD.get().get(_real(path)) if _HELD.get() else None
    if held is not None:
        return held[: most + 1]
    _must_be_allowed(path)
    with os.fdopen(_opened(path), "rb") as file:
        return file.read(most + 1)


def _opened(path: Path) -> int:
    """A handle to read a regular file by."""
    try:
        _must_be_regular(os.stat(path))
        # another file may come there between the two looks: a pipe is not waited for
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can have that name") from error
    try:
        _must_be_regular(os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return handle


def _must_be_regular(found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")


# ------------------------------------------------------------------------------------ unsaved texts
_NONE: Mapping[str, bytes] = MappingProxyType({})
_HELD: ContextVar[Mapping[str, bytes]] = ContextVar("held", default=_NONE)


@contextmanager
def unsaved(texts: Mapping[Path, bytes]) -> Iterator[None]:
    """While this is open, these files read as an editor holds them, whether on the disk or not.

    It holds for what runs in this context alone: another thread reads what is on the disk.
    """
    token = _HELD.set({_real(path): text for path, text in texts.items()})
    try:
        yield
    finally:
        _HELD.reset(token)


_ALLOWED: ContextVar[tuple[Path, ...] | None] = ContextVar("allowed", default=None)


@contextmanager
def confined(roots: Iterable[Path]) -> Iterator[None]:
    """While this is open, no file outside these folders is read: it is refused by OSError."""
    token = _ALLOWED.set(tuple(Path(_real(root)) for root in roots))
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def is_confined() -> bool:
    """May only files of some folders be read?"""
    return _ALLOWED.get() is not None


def _must_be_allowed(path: Path) -> None:
    roots = _ALLOWED.get()
    if roots is not None and not any(Path(_real(path)).is_relative_to(root) for root in roots):
        raise PermissionError(errno.EACCES, "it does not lie in an opened folder")


def is_file(path: Path) -> bool:
    """Is it a regular file, or one that an editor holds?"""
    return _real(path) in _HELD.get() or os.path.isfile(path)  # False for a name too long, too


def held_below(folder: Path) -> list[Path]:
    """The files of a folder, at every depth, that an editor holds, as paths below that folder."""
    if not _HELD.get():
        return []
    top = _real(folder)
    return [folder / os.path.relpath(p, top) for p in _HELD.get() if p.startswith(top + os.sep)]


def _real(path: Path) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # no file can have that name
        return str(path)


# ------------------------------------------------------------------------------------------ writing
def write_file(path: Path, content: bytes, may_replace: Callable[[], None]) -> None:
    """Put a file in its place in one step; whatever happens, there is the old one or the new one.

    Where a file is already, `may_replace` looks at it and raises if it must stay; no other process
    that writes by this function comes between. Its mode and all links to it stay as they are.
    Raises OSError.
    """
    try:
        target = Path(os.path.realpath(path))
        while True:
            with _locked(target) as there:
                if there:
                    may_replace()
                    _replace(target, content)
                    return
            if _create(target, content):
                return
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can have that name") from error


def remove_file(path: Path, may_remove: Callable[[], None]) -> None:
    """Take a file away, unless `may_remove` raises; raises OSError."""
    target = Path(os.path.realpath(path))
    with _locked(target) as there:
        if there:
            may_remove()
            target.unlink()


@contextmanager
def _locked(target: Path) -> Iterator[bool]:
    """Hold the file that lies there against other processes; says whether one does."""
    handle = None
    try:
        while handle is None:
            try:
                handle = _opened(target)
            except FileNotFoundError:
                break
            _lock(handle)
            if not _is_still(target, handle):  # it was replaced meanwhile
                os.close(handle)
                handle = None
        yield handle is not None
    finally:
        if handle is not None:
            os.close(handle)


def _is_still(target: Path, handle: int) -> bool:
    try:
        return os.path.samestat(os.stat(target), os.fstat(handle))
    except FileNotFoundError:
        return False


class _Locks(Protocol):
    """What is used of the module `fcntl`, which not every system has."""

    LOCK_EX: int
    LOCK_NB: int

    def flock(self, handle: int, how: int) -> object:
        """Lock a file."""


def _lock(handle: int) -> None:
    """Lock an open file, where the system and the disk know how; raises OSError if another process
    does not let go of it.
    """
    try:
        locks = cast("_Locks", importlib.import_module("fcntl"))
    except ImportError:
        return
    for _ in range(_TRIES):
        try:
            locks.flock(handle, locks.LOCK_EX | locks.LOCK_NB)
        except BlockingIOError:
            time.sleep(_BETWEEN)
        except OSError:
            return
        else:
            return
    raise OSError(errno.EAGAIN, "another program holds it")


def _create(target: Path, content: bytes) -> bool:
    """Put a file where none is; false if there is one by now."""
    with _part(target, content) as part:
        try:
            os.link(part, target)
        except FileExistsError:
            return False
        except OSError:  # a disk without links
            try:
                os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            except FileExistsError:
                return False
            os.replace(part, target)
    return True


def _replace(target: Path, content: bytes) -> None:
    """Put a new content in place of a file's old one."""
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    found = os.stat(target)
    with _part(target, content) as part:
        if found.st_nlink > 1:
            _write_over(target, content)
            return
        os.chmod(part, stat.S_IMODE(found.st_mode))
        if hasattr(os, "chown"):
            with contextlib.suppress(OSError):  # only some may give files to a group
                os.chown(part, -1, found.st_gid)
                os.chmod(part, stat.S_IMODE(found.st_mode))
        os.replace(part, target)


def _write_over(target: Path, content: bytes) -> None:
    """Write into a file that has other names too, which all mean the one file; what was there comes
    back if that fails.
    """
    with target.open("r+b") as file:
        before = file.read()
        try:
            _rewrite(file.fileno(), content)
        except BaseException:
            _rewrite(file.fileno(), before)
            raise


def _rewrite(handle: int, content: bytes) -> None:
    os.lseek(handle, 0, os.SEEK_SET)
    _write_all(handle, content)
    os.ftruncate(handle, len(content))
    os.fsync(handle)


@contextmanager
def _part(target: Path, content: bytes) -> Iterator[Path]:
    """A file beside the target with this content, safe on the disk; it is taken away at the end,
    unless it was put in the target's place.
    """
    part = target.parent / f".{secrets.token_hex(8)}.part"
    try:
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BINARY, 0o666)
        try:
            _write_all(handle, content)
            os.fsync(handle)
        finally:
            os.close(handle)
        yield part
    finally:
        part.unlink(missing_ok=True)


def _write_all(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
