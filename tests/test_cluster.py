"""The facts stage on a real Dask cluster of one scheduler and two workers, on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.config import Config
from lint_epoch.work import SchedulerError, Work

FIXTURE = Path(__file__).parent.parent / "fixtures" / "robot_trainer" / "faulty"
SECONDS_TO_START = 60
SECONDS_TO_STOP = 10


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    distributed = pytest.importorskip("distributed", exc_type=ImportError)
    address = f"tcp://127.0.0.1:{free_port()}"
    # The workers must find the package that is tested, wherever it was imported from.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    common = [sys.executable, "-m", "distributed.cli"]
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard"]
    worker = ["dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
    worker += ["--local-directory", str(tmp_path)]
    processes = [
        subprocess.Popen([*common[:2], f"{common[2]}.{arguments[0]}", *arguments[1:]], env=environment, cwd=tmp_path)
        for arguments in (scheduler, worker, worker)
    ]
    try:
        deadline = time.monotonic() + SECONDS_TO_START
        while True:
            try:
                with distributed.Client(address, timeout=5, set_as_default=False) as client:
                    client.wait_for_workers(2, timeout=SECONDS_TO_START)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
        yield address
    finally:
        for process in reversed(
            processes
        ):  # The workers first: one that has lost its scheduler waits for it to return.
            stop(process)


@pytest.mark.filterwarnings("default")
def test_a_cluster_reports_what_one_process_does(cluster: str) -> None:
    here = lint_epoch.check([FIXTURE], Config())
    assert len(here.findings) == 6
    assert lint_epoch.check([FIXTURE], Config(), work=Work(scheduler=cluster)) == here


@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", exc_type=ImportError)
    monkeypatch.setattr("lint_epoch.work.CONNECT_SECONDS", 1)
    with pytest.raises(SchedulerError, match="no Dask scheduler answers at"):
        lint_epoch.check([FIXTURE], Config(), work=Work(scheduler=f"tcp://127.0.0.1:{free_port()}"))


def test_dask_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SchedulerError, match="extra `cluster`"):
        lint_epoch.check([FIXTURE], Config(), work=Work(scheduler="tcp://127.0.0.1:1"))
