"""Simulation into a file: whatever ends it, what was played stays, and nothing is counted twice."""

from __future__ import annotations

import functools
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from interpreter.cli.main import main
from interpreter.game.game import Game, load
from interpreter.simulation import study as studies
from interpreter.simulation.engines import Manner
from interpreter.simulation.processes import WorkerLost
from interpreter.simulation.results import Configuration, Numbers, ResultsError, SqliteResults
from interpreter.simulation.simulate import simulate
from interpreter.simulation.study import Batch, Where, study, tasks

GAME = "examples/classics/three_cards"
NO_DASK = "the extra `study-dask` is not installed"
NO_RAY = "the extra `study-ray` is not installed"
COMMAND = [sys.executable, "-m", "rulelang", "simulate", GAME]


def out_of(capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("name", ["a.sqlite", "a.parquet"])
def test_a_study_is_gone_on_with(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """8 games, then 16: 8 are played, and the means are those of one simulation of 16."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="the extra `study` is not installed")
    where = str(tmp_path / name)
    assert main(["simulate", GAME, "--games", "8", "--out", where, "--json"]) == 0
    assert out_of(capsys)["games"] == 8
    assert main(["simulate", GAME, "--games", "16", "--out", where, "--json"]) == 0
    found = out_of(capsys)
    scores = simulate([load(GAME)], 16, 0).scores
    means = [round(sum(s[p] for s in scores) / 16, 3) for p in (0, 1)]
    assert found["games"] == 16 and found["means"] == {"2": means}


def test_a_killed_study_is_gone_on_with(tmp_path: Path) -> None:
    """It is killed as soon as some games stand in the file; the rest is played, each game once."""
    where = tmp_path / "killed.sqlite"
    running = subprocess.Popen([*COMMAND, "--games", "100000", "--out", str(where)])
    kept = 0
    while not kept:
        assert running.poll() is None
        time.sleep(0.05)
        kept = len(numbers(where))
    running.send_signal(signal.SIGKILL)
    running.wait()
    kept = len(numbers(where))
    more = [*COMMAND, "--games", str(kept + 30), "--out", str(where)]
    assert subprocess.run(more, check=False, capture_output=True).returncode == 0
    assert numbers(where) == list(range(kept + 30))


def test_a_cluster_plays_on_when_a_worker_is_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of two workers of Dask is killed as soon as some games stand in the file; the games of
    the file are those of one process, each once.
    """
    distributed = pytest.importorskip("distributed", reason=NO_DASK)
    pytest.importorskip("joblib", reason=NO_DASK)
    where, games = tmp_path / "cluster.sqlite", 400
    kept: list[int] = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    ) as cluster:

        def kill() -> None:
            while not numbers(where):
                time.sleep(0.01)
            os.kill(cluster.workers[0].pid, signal.SIGKILL)
            kept.append(len(numbers(where)))

        killing = threading.Thread(target=kill, daemon=True)
        killing.start()
        asked = ["simulate", GAME, "--games", str(games), "--out", str(where), "--json"]
        assert main([*asked, "--backend", "dask", "--address", cluster.scheduler_address]) == 0
        killing.join(1)
    assert kept and kept[0] < games
    assert numbers(where) == list(range(games))
    found = out_of(capsys)
    scores = simulate([load(GAME)], games, 0).scores
    assert found["means"] == {"2": [round(sum(s[p] for s in scores) / games, 3) for p in (0, 1)]}


def test_a_cluster_of_ray_plays_what_one_process_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a worker is killed it is said, and the same command goes on; each game is there once.

    Where nobody answers, it is said at once.
    """
    for library in ("ray", "joblib", "psutil"):
        pytest.importorskip(library, reason=NO_RAY)
    import ray
    from ray.cluster_utils import Cluster

    where = tmp_path / "cluster.sqlite"
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    try:
        asked = ["simulate", GAME, "--out", str(where), "--json", "--backend", "ray", "--address"]
        killing = threading.Thread(target=_kill_a_worker, args=(where,), daemon=True)
        killing.start()
        assert main([*asked, cluster.address, "--games", "4000"]) == 1
        assert "ended from outside" in capsys.readouterr().err
        killing.join(1)
        kept = numbers(where)
        more = len(kept) + 40
        assert main([*asked, cluster.address, "--games", str(more)]) == 0
        assert kept and numbers(where) == list(range(more))
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert main([*asked, "127.0.0.1:9", "--games", "5000"]) == 2
    assert "no ray cluster answers at 127.0.0.1:9" in capsys.readouterr().err


def _kill_a_worker(where: Path) -> None:
    """As soon as some games stand in the file."""
    import psutil

    found = list[psutil.Process]()
    while not found:
        time.sleep(0.01)
        if numbers(where):
            playing = psutil.process_iter(["cmdline"])
            found = [p for p in playing if "ray::PoolActor" in " ".join(p.info["cmdline"] or ())]
    found[0].kill()


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "nowhere.invalid:8786", "udp://127.0.0.1:9"]
)
def test_an_address_that_nobody_answers_is_named(
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing is played; what the file held stays, and goes on without the cluster."""
    pytest.importorskip("distributed", reason=NO_DASK)
    pytest.importorskip("joblib", reason=NO_DASK)
    monkeypatch.setattr(studies, "WAIT", 0.2)
    where = tmp_path / "a.sqlite"
    asked = ["simulate", GAME, "--out", str(where)]
    assert main([*asked, "--games", "3"]) == 0
    assert main([*asked, "--games", "6", "--backend", "dask", "--address", address]) == 2
    assert f"no dask cluster answers at {address}" in capsys.readouterr().err
    assert numbers(where) == [0, 1, 2]
    assert main([*asked, "--games", "6"]) == 0 and numbers(where) == list(range(6))


def dying(known: int, players: int) -> Game:
    """The game; every process but the one that is known ends when it is to make it."""
    if os.getpid() != known:
        os.kill(os.getpid(), signal.SIGKILL)
    return load(GAME, players=players)


def test_a_lost_process_is_told_and_the_games_before_are_kept(tmp_path: Path) -> None:
    """Where processes are ended from outside, what was played stays, and one process goes on."""
    pytest.importorskip("joblib", reason="the extra `study` is not installed")
    ours = Configuration("cards", "a" * 64, {"seed": 0})
    results = SqliteResults(tmp_path / "a.sqlite", ours)
    batch = Batch(functools.partial(dying, os.getpid()), Manner())
    assert study(tasks([2], 20, 0), batch, results, ours, Where()) == 20
    with pytest.raises(WorkerLost, match="a process was ended from outside"):
        study(tasks([2], 60, 0), batch, results, ours, Where(2))
    assert numbers(tmp_path / "a.sqlite") == list(range(20))
    assert study(tasks([2], 60, 0), batch, results, ours, Where()) == 40
    results.close()


def test_numbers_of_games_are_kept_by_the_bit() -> None:
    found = Numbers([(2, 0), (2, 9), (3, 9), (2, 9)])
    assert len(found) == 3 and (2, 9) in found and (3, 9) in found
    assert (2, 8) not in found and (4, 0) not in found and (3, 0) not in found
    found.add(2, 8)
    assert (2, 8) in found and (2, 10) not in found and len(found) == 4


def numbers(where: Path) -> list[int]:
    """The numbers of the games in a file, as anybody reads it; nothing before it is one."""
    try:
        with sqlite3.connect(f"file:{where}?mode=ro", uri=True) as base:
            return [n for (n,) in base.execute("SELECT number FROM games ORDER BY number")]
    except sqlite3.OperationalError:
        return []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--seed", "2"], "another configuration: seed was 0 and is 2"),
        (["--bot", "greedy"], "another configuration: bot was 'random' and is 'greedy'"),
    ],
)
def test_a_file_of_another_configuration_is_refused(
    more: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tmp_path / "a.sqlite")
    asked = ["simulate", GAME, "--games", "5", "--out", where]
    assert main(asked) == 0
    assert main([*asked, *more]) == 1
    assert said in capsys.readouterr().err
    assert len(numbers(Path(where))) == 5


def test_a_file_of_other_rules_is_refused(tmp_path: Path) -> None:
    where = tmp_path / "a.sqlite"
    ours = Configuration("cups", "a" * 64, {"seed": 0})
    results = SqliteResults(where, ours)
    study(tasks([2], 3, 0), Batch(lambda p: load(GAME), Manner()), results, ours, Where())
    results.close()
    with pytest.raises(ResultsError, match="games of other rules of cups"):
        SqliteResults(where, Configuration("cups", "b" * 64, {"seed": 0}))
    (tmp_path / "text.sqlite").write_text("no database at all, and long enough to be looked at")
    with pytest.raises(ResultsError, match="cannot be used for results"):
        SqliteResults(tmp_path / "text.sqlite", ours)


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """Of a file that may not grow the games before are kept, and it is said how to go on."""
    ours = Configuration("cups", "a" * 64, {"seed": 0})
    results = SqliteResults(tmp_path / "a.sqlite", ours)
    batch = Batch(lambda p: load(GAME), Manner())
    study(tasks([2], 20, 0), batch, results, ours, Where())
    pages = results.base.execute("PRAGMA page_count").fetchone()[0]
    results.base.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(ResultsError, match=r"full.*the games before are kept"):
        study(tasks([2], 2000, 0), batch, results, ours, Where())
    results.close()
    kept = numbers(tmp_path / "a.sqlite")
    assert len(kept) >= 20 and kept == list(range(len(kept)))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--out", "a.csv"], "ends in .sqlite or .parquet"),
        (["--out", "a.sqlite", "--backend", "spark"], "there is no backend 'spark'"),
        (["--out", "a.sqlite", "--address", "tcp://x:1"], "say --backend dask or ray"),
    ],
)
def test_what_cannot_be_is_named(
    more: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here = Path(GAME).resolve()
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", str(here), "--games", "2", *more]) == 2
    assert said in capsys.readouterr().err
