"""Writing a mended file so that it is the old one or the new one at every moment, also when the process is killed.

The new bytes go to a temporary file in the same folder, which then takes the place of the old one. Where that would
cut a hard link or change the owner, or the folder takes no new file, the file is written in place, with a backup of it
for as long as that lasts; a process killed in these moments leaves the backup.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Literal

from lint_epoch.fixes.errors import FixError

#: Answers of a file system that takes no new file in this folder, or no renaming (a file mounted on its own), although
#: the file itself may be writable. A full disk is none of them: writing in place would then lose the file.
_NO_REPLACING = frozenset({errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV})


def write_atomically(path: Path, before: bytes, after: bytes, root: Path) -> Literal["replaced", "in place"]:
    """Write a file's new bytes, keeping its mode, owner and extended attributes; return how.

    Args:
        path: the file; a symlink stands for its target.
        before: the bytes that were read from it.
        after: the bytes to write.
        root: the project's folder; the file must lie in it.

    Raises:
        FixError: the file leads out of the project, is write-protected or no regular file, has changed since it was
            read, or cannot be written. It is then as it was, unless the message names a backup.
    """
    target = _inside(path, root)
    try:
        status = target.stat()
        _refuse_unwritable(path, status)
        if target.read_bytes() != before:
            raise FixError(f"{path} has changed since it was read; it is left alone")
        if status.st_nlink == 1 and _replace(target, status, before, after):
            return "replaced"
        _write_in_place(target, before, after)
    except OSError as error:
        raise FixError(f"{path} cannot be written: {error.strerror or error}") from error
    return "in place"


def _inside(path: Path, root: Path) -> Path:
    """Return the real file behind a path."""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError up to Python 3.12
        raise FixError(f"{path} cannot be found: {error}") from error
    if not target.is_relative_to(root.resolve()):
        raise FixError(f"{path} leads to {target}, out of the project at {root}; it is left alone")
    return target


def _refuse_unwritable(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FixError(f"{path} is no regular file")
    # Replacing needs no right to write the file itself, and root has every right; who took it away meant it.
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise FixError(f"{path} is write-protected; make it writable to have it mended")


def _replace(target: Path, status: os.stat_result, before: bytes, after: bytes) -> bool:
    """Put a new file in the place of the old one; return whether that was possible."""
    # The name is made before the file, so that an interrupt at any moment finds what to remove. It is short, since that
    # of the file may be as long as names can be, and has no suffix that a tool would take for source.
    temporary = target.with_name(f".lint-epoch-{secrets.token_hex(8)}.tmp")
    try:
        _write_new(temporary, after)
        _copy_attributes(target, temporary, status)
        if target.read_bytes() != before:
            raise FixError(f"{target} has changed since it was read; it is left alone")
        temporary.replace(target)
    except OSError as error:
        if error.errno not in _NO_REPLACING:
            raise
        return False
    finally:
        # Nothing is there any more if all went well.
        with contextlib.suppress(OSError):
            temporary.unlink()
    _sync_folder(target.parent)
    return True


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that must not exist yet, readable by its owner alone, through to the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _copy_attributes(target: Path, temporary: Path, status: os.stat_result) -> None:
    """Give the new file the owner, the mode and the extended attributes of the old one, but not its times.

    Raises:
        PermissionError: the file belongs to somebody else, and only root may give files away.
    """
    created = temporary.stat()
    if (created.st_uid, created.st_gid) != (status.st_uid, status.st_gid):
        os.chown(temporary, status.st_uid, status.st_gid)
    shutil.copystat(target, temporary)  # after chown, which takes the set-user-id bit away
    os.utime(temporary)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, on systems that can open a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _write_in_place(target: Path, before: bytes, after: bytes) -> None:
    """Overwrite a file while a copy of it stands beside it, or in the folder for temporary files."""
    target.open("r+b").close()  # fails, if it must, before anything is touched
    name = f".lint-epoch-{secrets.token_hex(8)}.backup"
    places = (target.with_name(name), Path(tempfile.gettempdir(), name))
    damaged = False
    try:
        backup = next((place for place in places if _has_written(place, before)), None)
        if backup is None:
            raise FixError(f"no folder takes a backup of {target}, so it is left alone")
        damaged = True
        _overwrite(target, after)
        damaged = False
    except BaseException as error:
        if damaged:
            try:
                _overwrite(target, before)
            except OSError:
                raise FixError(f"{target} was damaged while written; its former content is in {backup}") from error
            damaged = False
        raise
    finally:
        for place in places if not damaged else ():
            with contextlib.suppress(OSError):
                place.unlink()


def _has_written(place: Path, data: bytes) -> bool:
    """Write a new file unless its folder takes none; return whether it did."""
    try:
        _write_new(place, data)
    except OSError as error:
        if error.errno not in _NO_REPLACING:
            raise
        return False
    return True


def _overwrite(target: Path, data: bytes) -> None:
    with target.open("r+b") as file:
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
