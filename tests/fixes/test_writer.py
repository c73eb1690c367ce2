"""Writing to a real file system."""

from __future__ import annotations

import errno
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lint_epoch.fixes import writer
from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.writer import write_atomically

OLD, NEW = b"old\r\n", b"the new content\r\n"
is_root = hasattr(os, "geteuid") and os.geteuid() == 0
needs_root = pytest.mark.skipif(not is_root, reason="only root may give files away and mount")
#: The account "nobody", for whom a folder can be closed even if the tests run as root.
NOBODY = 65534


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "loaders.py"
    path.write_bytes(OLD)
    return path


def left_over(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


@contextmanager
def as_nobody() -> Iterator[None]:
    """Act as an account without rights, if the tests run as root; else as the ordinary account that runs them."""
    if not is_root:
        yield
        return
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A file that other accounts can reach, which they cannot in pytest's own folders."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        path = folder / "loaders.py"
        path.write_bytes(OLD)
        folder.chmod(0o755)
        path.chmod(0o644)
        with as_nobody():
            if not path.parent.is_dir():
                pytest.skip("the folder for temporary files is closed to other accounts")
        yield path
        folder.chmod(0o755)


def test_the_new_content_takes_the_place_of_the_old(target):
    inode = target.stat().st_ino
    assert write_atomically(target, OLD, NEW, target.parent) == "replaced"
    assert target.read_bytes() == NEW
    assert target.stat().st_ino != inode
    assert left_over(target.parent) == []


@pytest.mark.parametrize("mode", [0o644, 0o600, 0o755, 0o664, 0o2750, 0o4711])
def test_the_mode_stays(target, mode):
    target.chmod(mode)
    write_atomically(target, OLD, NEW, target.parent)
    assert stat.S_IMODE(target.stat().st_mode) == mode


@needs_root
def test_the_owner_stays(target):
    os.chown(target, 1234, 4321)
    target.chmod(0o4755)
    assert write_atomically(target, OLD, NEW, target.parent) == "replaced"
    after = target.stat()
    assert (after.st_uid, after.st_gid, stat.S_IMODE(after.st_mode)) == (1234, 4321, 0o4755)


@needs_root
def test_the_owner_stays_where_only_root_could_give_the_new_file_away(shared):
    shared.parent.chmod(0o777)
    shared.chmod(0o666)
    with as_nobody():
        assert write_atomically(shared, OLD, NEW, shared.parent) == "in place"
    assert shared.read_bytes() == NEW
    assert shared.stat().st_uid == 0
    assert left_over(shared.parent) == []


def test_extended_attributes_stay(target):
    if not hasattr(os, "setxattr"):
        pytest.skip("this system has no extended attributes")
    try:
        os.setxattr(target, "user.note", b"mine")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    write_atomically(target, OLD, NEW, target.parent)
    assert os.getxattr(target, "user.note") == b"mine"


def test_the_time_of_the_change_is_new_so_that_other_tools_see_it(target):
    os.utime(target, (1, 1))
    write_atomically(target, OLD, NEW, target.parent)
    assert target.stat().st_mtime > time.time() - 60


def test_a_file_that_changed_since_it_was_read_is_left_alone(target):
    target.write_bytes(b"somebody else's")
    with pytest.raises(FixError, match="has changed since it was read"):
        write_atomically(target, OLD, NEW, target.parent)
    assert target.read_bytes() == b"somebody else's"
    assert left_over(target.parent) == []


def test_a_file_that_changes_while_the_new_one_is_prepared_is_left_alone(target, monkeypatch):
    copy = writer._copy_attributes

    def change_and_copy(*arguments):
        target.write_bytes(b"somebody else's")
        copy(*arguments)

    monkeypatch.setattr(writer, "_copy_attributes", change_and_copy)
    with pytest.raises(FixError, match="has changed since it was read"):
        write_atomically(target, OLD, NEW, target.parent)
    assert target.read_bytes() == b"somebody else's"
    assert left_over(target.parent) == []


def test_a_file_that_is_gone_stays_gone(target):
    target.unlink()
    with pytest.raises(FixError, match="cannot be found"):
        write_atomically(target, OLD, NEW, target.parent)
    assert not target.exists()


def test_a_name_as_long_as_names_can_be(tmp_path):
    path = tmp_path / ("x" * 252 + ".py")
    path.write_bytes(OLD)
    assert write_atomically(path, OLD, NEW, tmp_path) == "replaced"
    assert path.read_bytes() == NEW


# --- links -----------------------------------------------------------------------------------------------------------


def test_a_symlink_stays_and_its_target_is_written(tmp_path, target):
    folder = tmp_path / "sub"
    folder.mkdir()
    link = folder / "link.py"
    link.symlink_to("../loaders.py")
    assert write_atomically(link, OLD, NEW, tmp_path) == "replaced"
    assert link.is_symlink()
    assert target.read_bytes() == NEW
    assert (left_over(tmp_path), left_over(folder)) == ([], [])


@pytest.mark.parametrize("linked", ["file", "folder"])
def test_a_symlink_out_of_the_project_is_not_followed(tmp_path, target, linked):
    root = tmp_path / "project"
    root.mkdir()
    if linked == "file":
        path = root / "link.py"
        path.symlink_to(target)
    else:
        (root / "out").symlink_to(tmp_path)
        path = root / "out" / "loaders.py"
    with pytest.raises(FixError, match="out of the project"):
        write_atomically(path, OLD, NEW, root)
    assert target.read_bytes() == OLD


def test_the_project_itself_may_be_named_by_a_symlink(tmp_path, target):
    root = tmp_path / "elsewhere"
    root.symlink_to(tmp_path)
    write_atomically(root / "loaders.py", OLD, NEW, root)
    assert target.read_bytes() == NEW


def test_a_loop_of_symlinks_is_an_error(tmp_path):
    (tmp_path / "a.py").symlink_to("b.py")
    (tmp_path / "b.py").symlink_to("a.py")
    with pytest.raises(FixError, match="cannot be found"):
        write_atomically(tmp_path / "a.py", OLD, NEW, tmp_path)


@pytest.mark.parametrize("after", [NEW, b"", b"o"])
def test_hard_links_stay_linked(tmp_path, target, after):
    other = tmp_path / "other.py"
    other.hardlink_to(target)
    assert write_atomically(target, OLD, after, tmp_path) == "in place"
    assert other.read_bytes() == target.read_bytes() == after
    assert other.samefile(target)
    assert left_over(tmp_path) == []


# --- places that take no file ----------------------------------------------------------------------------------------


def test_a_write_protected_file_is_left_alone_even_by_root(target):
    target.chmod(0o444)
    with pytest.raises(FixError, match="write-protected"):
        write_atomically(target, OLD, NEW, target.parent)
    assert target.read_bytes() == OLD


def test_a_folder_that_takes_no_new_file_is_no_reason_not_to_write(shared):
    shared.chmod(0o666)
    shared.parent.chmod(0o555)
    with as_nobody():
        assert write_atomically(shared, OLD, NEW, shared.parent) == "in place"
    assert shared.read_bytes() == NEW
    assert left_over(shared.parent) == []


@needs_root
def test_a_file_of_somebody_else_in_a_closed_folder_is_an_error(shared):
    with as_nobody(), pytest.raises(FixError, match="cannot be written: Permission denied"):
        write_atomically(shared, OLD, NEW, shared.parent)
    assert shared.read_bytes() == OLD
    assert left_over(shared.parent) == []


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(FixError, match="no regular file"):
        write_atomically(tmp_path, OLD, NEW, tmp_path)


# --- failures on the way ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["_write_new", "_copy_attributes"])
@pytest.mark.parametrize("failure", [KeyboardInterrupt, MemoryError, SystemExit])
def test_a_failure_while_the_new_file_is_prepared_leaves_nothing(target, monkeypatch, step, failure):
    real = getattr(writer, step)

    def fail(*arguments):
        real(*arguments)
        raise failure

    monkeypatch.setattr(writer, step, fail)
    with pytest.raises(failure):
        write_atomically(target, OLD, NEW, target.parent)
    assert target.read_bytes() == OLD
    assert left_over(target.parent) == []


def test_a_full_disk_is_an_error_and_no_reason_to_write_in_place(target, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writer, "_copy_attributes", full)
    with pytest.raises(FixError, match="cannot be written: No space left"):
        write_atomically(target, OLD, NEW, target.parent)
    assert target.read_bytes() == OLD
    assert left_over(target.parent) == []


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError(errno.EIO, "Input/output error")])
def test_a_failure_while_writing_in_place_puts_the_old_content_back(tmp_path, target, monkeypatch, failure):
    (tmp_path / "other.py").hardlink_to(target)
    real, calls = writer._overwrite, []

    def fail_first(path, data):
        calls.append(data)
        real(path, data[:3] if len(calls) == 1 else data)
        if len(calls) == 1:
            raise failure

    monkeypatch.setattr(writer, "_overwrite", fail_first)
    with pytest.raises((FixError, KeyboardInterrupt)):
        write_atomically(target, OLD, NEW, tmp_path)
    assert calls == [NEW, OLD]
    assert target.read_bytes() == OLD
    assert left_over(tmp_path) == []


def test_a_backup_stays_where_the_old_content_could_not_be_put_back(tmp_path, target, monkeypatch):
    (tmp_path / "other.py").hardlink_to(target)

    def fail(path, data):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(writer, "_overwrite", fail)
    with pytest.raises(FixError, match="former content is in") as caught:
        write_atomically(target, OLD, NEW, tmp_path)
    (backup,) = left_over(tmp_path)
    assert backup in str(caught.value)
    assert (tmp_path / backup).read_bytes() == OLD


def test_a_disk_too_full_for_a_backup_is_an_error(tmp_path, target, monkeypatch):
    (tmp_path / "other.py").hardlink_to(target)

    def full(path, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writer, "_write_new", full)
    with pytest.raises(FixError, match="cannot be written: No space left"):
        write_atomically(target, OLD, NEW, tmp_path)
    assert target.read_bytes() == OLD


def test_without_a_backup_nothing_is_written_in_place(tmp_path, target, monkeypatch):
    (tmp_path / "other.py").hardlink_to(target)

    def closed(path, data):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(writer, "_write_new", closed)
    with pytest.raises(FixError, match="no folder takes a backup"):
        write_atomically(target, OLD, NEW, tmp_path)
    assert target.read_bytes() == OLD


# --- being killed ----------------------------------------------------------------------------------------------------

REWRITE = """
from pathlib import Path
from lint_epoch.fixes.writer import write_atomically
path = Path(sys.argv[1])
contents = [b"a" * 300_000, b"b" * 500_000]
print("ready", flush=True)
while True:
    write_atomically(path, contents[0], contents[1], path.parent)
    contents.reverse()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process at once")
def test_a_process_that_is_killed_leaves_the_old_or_the_new_content(tmp_path):
    path = tmp_path / "loaders.py"
    whole = {b"a" * 300_000, b"b" * 500_000}
    moments = random.Random(0)
    seen = set()
    for _ in range(15):
        path.write_bytes(b"a" * 300_000)
        code = f"import sys; sys.path[:0] = {sys.path!r}\n{REWRITE}"
        with subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(moments.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        content = path.read_bytes()
        assert content in whole
        seen.add(content)
    assert seen == whole  # the processes were killed on the way, not before it
