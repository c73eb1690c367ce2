"""Unified diffs of what a fix changes, as bytes, so that ``patch -p0`` and ``git apply -p0`` can use them."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from lint_epoch.report.paths import harmless, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lint_epoch.fixes.rounds import FileChange
    from lint_epoch.report.view import View

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_NO_END = b"\n\\ No newline at end of file\n"


def patch(changes: Iterable[FileChange], folder: str) -> bytes:
    """The exact patch, each file's lines in that file's own encoding."""
    return b"".join(_file_patch(change, folder) for change in changes)


def shown_patch(changes: Iterable[FileChange], view: View) -> str:
    """The patch as a terminal may show it.

    It applies as it is, too, unless its lines hold control characters or are not UTF-8.
    """
    return "".join(
        _shown(_file_patch(change, view.folder).decode(change.encoding, "replace"), view) for change in changes
    )


def _file_patch(change: FileChange, folder: str) -> bytes:
    name = shown(change.path, folder).encode()
    # Not splitlines(): to the programs that apply patches, only a line feed ends a line.
    before, after = (_LINE.findall(data) for data in (change.before, change.after))
    lines = difflib.diff_bytes(difflib.unified_diff, before, after, name, name)
    return b"".join(line if line.endswith(b"\n") else line + _NO_END for line in lines)


def _shown(text: str, view: View) -> str:
    return "".join(f"{_painted(line, view)}\n" for line in text.split("\n")[:-1])


def _painted(line: str, view: View) -> str:
    # A tab is no danger; neither is the carriage return of a CRLF line, without which the patch would not apply.
    end = "\r" if line.endswith("\r") else ""
    text = "\t".join(map(harmless, line.removesuffix("\r").split("\t")))
    style = {"+": "green", "-": "red", "@": "blue"}.get(line[:1], "")
    return (view.painted(text, style) if style else text) + end
