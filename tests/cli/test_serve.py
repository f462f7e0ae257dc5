"""`rulelang serve` before it serves: what is missing or wrong is told in a line."""

from __future__ import annotations

import importlib.util

import pytest

from interpreter.cli.main import main


def test_without_the_extra_the_command_that_installs_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, and the exit status of a finding."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "uvicorn" else find(name)
    )
    assert main(["serve"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if "pip install 'rulelang[studio]'" in line] == told
    assert len(told) == 1


@pytest.mark.parametrize("port", ["-1", "65536", "x", "123456"])
def test_a_port_there_is_not_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told what a port is."""
    assert main(["serve", f"--port={port}"]) == 2
    assert "no port from 0 to 65535" in capsys.readouterr().err
