"""Where a report goes: a stream that may close early, or a file that is complete or not there."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import click

from lint_epoch.exits import BROKEN_PIPE, FAILED


def say(text: str, *, colour: bool = False, error: bool = False) -> None:
    """Write text, as it is, to the standard output or error stream.

    Raises:
        click.exceptions.Exit: the reader closed the pipe, as ``head`` does, and nothing is left to say; or the stream
            cannot be written, as on a full disk.
    """
    try:
        click.echo(text, nl=False, err=error, color=colour)
    except OSError as failed:
        # What is still buffered would be written at exit, and fail there with a traceback.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), (sys.stderr if error else sys.stdout).fileno())
        if isinstance(failed, BrokenPipeError):
            raise click.exceptions.Exit(BROKEN_PIPE) from failed
        if not error:
            say(f"error: the output cannot be written: {failed.strerror or failed}\n", error=True)
        raise click.exceptions.Exit(FAILED) from failed


def survive_any_character() -> None:
    """Let the standard streams write an escape for what their encoding has no character for, rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part.

    A link stays a link to the file that is replaced; a device or a pipe is written to as it is.

    Raises:
        OSError: the folder does not exist or cannot be written.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    # Imported here: few runs write to a file.
    import tempfile

    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    beside = Path(name)
    try:
        os.close(handle)
        beside.write_bytes(data)
        beside.chmod(_mode(target))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """The permissions that the file has, or those that a new one would get."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
