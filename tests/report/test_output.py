from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lint_epoch.report.output import write_whole


def test_a_new_file_gets_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_whole(tmp_path / "report.json", b"{}")
    assert (tmp_path / "report.json").read_bytes() == b"{}"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes["report.json"] == modes["usual"]


def test_an_old_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    target = tmp_path / "report" / "file"
    target.write_text("old")
    with pytest.raises(TypeError):
        write_whole(target, "not bytes")  # type: ignore[arg-type]
    assert [path.name for path in target.parent.iterdir()] == ["file"]
    assert target.read_text() == "old"


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "missing" / "report.json", b"{}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write_whole(pipe, b"through")
        assert reader.communicate(timeout=10)[0] == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_reader_that_goes_away_ends_the_program_quietly() -> None:
    program = (
        "import sys, click\n"
        "from lint_epoch.report.output import say\n"
        "try:\n"
        "    for _ in range(100_000): say('line of output\\n')\n"
        "except click.exceptions.Exit as ended: sys.exit(ended.exit_code)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_and_not_a_fault_of_ours() -> None:
    command = [sys.executable, "-m", "lint_epoch", "rules"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (2, "error: the output cannot be written: No space left on device\n")
