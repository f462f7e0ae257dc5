"""The cache folder: what is damaged is not there, what cannot be written is no trouble, and it
stays small.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter.game import cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, not made yet."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_what_is_written_is_read(folder: Path) -> None:
    """An entry comes back as it was, under its key alone, and nothing else is left lying about."""
    key = cache.key_of("test", ["a", b"b"])
    assert cache.read(key) is None
    cache.write(key, b"one")
    cache.write(key, b"two")
    assert cache.read(key) == b"two"
    assert cache.read(cache.key_of("test", ["ab", b""])) is None
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"rubbish", b"\0" * 200])
def test_a_damaged_entry_is_not_there(folder: Path, damage: bytes) -> None:
    """Neither an overwritten nor a shortened nor a changed entry is read."""
    cache.write("test-1", b"a payload of some length")
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    for raw in (damage, whole[:-1], whole + b"x", whole[:-3] + b"?" + whole[-2:]):
        path.write_bytes(raw)
        assert cache.read("test-1") is None


def test_the_cache_can_be_switched_off(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is read and nothing written."""
    monkeypatch.setenv(cache.VARIABLE, "off")
    cache.write("test-1", b"x")
    assert cache.folder() is None and cache.read("test-1") is None and not folder.exists()


def test_a_folder_that_cannot_be_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file stands where the folder should be: nothing is kept, and nothing is raised."""
    (tmp_path / "file").write_text("here I stand")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file"))
    cache.write("test-1", b"x")
    assert cache.read("test-1") is None
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file" / "below"))
    cache.write("test-1", b"x")
    assert cache.read("test-1") is None


def test_the_folder_stays_small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not used for longest goes first; an entry that was read is used."""
    monkeypatch.setattr(cache, "MOST_BYTES", 700)
    for number in range(5):
        cache.write(f"test-{number}", bytes(100))
        for age, path in enumerate(sorted(folder.iterdir())):
            os.utime(path, (1000 + age, 1000 + age))
        assert cache.read("test-0") is not None
    kept = {path.stem for path in folder.iterdir()}
    assert "test-0" in kept and "test-4" in kept and "test-1" not in kept
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 700
    cache.write("test-huge", bytes(701))
    assert cache.read("test-huge") is None


def test_files_of_others_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only entries of the cache are counted and taken away."""
    monkeypatch.setattr(cache, "MOST_BYTES", 200)
    folder.mkdir()
    (folder / "notes.txt").write_bytes(bytes(500))
    cache.write("test-1", bytes(50))
    cache.write("test-2", bytes(50))
    assert (folder / "notes.txt").exists() and cache.read("test-2") is not None
