"""Projects as they come and go: a ZIP of `.rules`, or one such file."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import PurePosixPath

from interpreter.studio.author.projects import MOST_BYTES, MOST_FILES, SUFFIX, file_name
from interpreter.studio.refused import Refused

MOST_ENTRIES = 4 * MOST_FILES  # of a ZIP, what is no `.rules` counted
_FIXED = (1980, 1, 1, 0, 0, 0)  # equal projects are equal archives


def packed(name: str, texts: Mapping[str, str]) -> bytes:
    """The files of a project in a folder of its name, as a ZIP."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, text in sorted(texts.items()):
            entry = zipfile.ZipInfo(f"{name}/{file}", _FIXED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode("utf-8", "replace"))
    return made.getvalue()


def unpacked(name: str, raw: bytes) -> dict[str, str]:
    """The texts that were sent as a ZIP, or as one file of this name; raises Refused."""
    if raw[:2] == b"PK":
        return _of_zip(raw)
    if not name.endswith(SUFFIX):
        raise Refused("send a .rules file, or a ZIP of such files")
    return {file_name(PurePosixPath(name.replace("\\", "/")).name): _text(name, raw)}


def _of_zip(raw: bytes) -> dict[str, str]:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return _of_entries(archive)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError) as error:
        raise Refused("that is no ZIP that can be read") from error


def _of_entries(archive: zipfile.ZipFile) -> dict[str, str]:
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise Refused(f"a ZIP may hold at most {MOST_ENTRIES} files")
    found: dict[str, str] = {}
    for entry in entries:
        if entry.is_dir() or not entry.filename.endswith(SUFFIX):
            continue
        name = _inner(entry.filename)
        if name in found:
            raise Refused(f"two files are named {name}; a project has no folders within")
        if len(found) >= MOST_FILES:
            raise Refused(f"a project has at most {MOST_FILES} files")
        found[name] = _text(name, _content(archive, entry))
    if not found:
        raise Refused("no .rules file is in that ZIP")
    return found


def _inner(path: str) -> str:
    """The name of a file in a ZIP, which may lie in one folder; raises Refused."""
    parts = path.split("/")
    odd = "\\" in path or ":" in path or any(part in ("", ".", "..") for part in parts)
    if odd or len(parts) > 2:
        raise Refused("a ZIP holds its .rules files side by side, or in one folder")
    return file_name(parts[-1])


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """What an entry holds; what it says of its size is not believed. Raises Refused."""
    if entry.flag_bits & 1:
        raise Refused("that ZIP asks for a password")
    with archive.open(entry) as file:
        raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise Refused(f"{entry.filename} is too large: a file has at most {MOST_BYTES:,} bytes")
    return raw


def _text(name: str, raw: bytes) -> str:
    if len(raw) > MOST_BYTES:
        raise Refused(f"{name} is too large: a file has at most {MOST_BYTES:,} bytes")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise Refused(f"{name} is no text in UTF-8") from error
