"""Code frames: the source lines of a finding with its span underlined."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from lint_epoch.report.paths import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lint_epoch.diagnostics import Finding
    from lint_epoch.report.view import View

#: A span of more lines is shown by its first two and its last one, so that a frame stays a glance.
MOST_LINES = 4
#: Characters of one source line that are shown; generated files have lines of megabytes.
MOST_CHARACTERS = 160
#: Characters kept before the span where a long line is cut.
CONTEXT = 40
TAB = "    "


class SourceLines:
    """The lines of source files, read once each."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def of(self, path: str) -> list[str]:
        """The file's lines without their ends; empty if it cannot be read any more."""
        if path not in self._lines:
            self._lines[path] = _read(path)
        return self._lines[path]


def _read(path: str) -> list[str]:
    # Imported here: a run without findings reads no source for its report.
    from pathlib import Path

    from lint_epoch.source.text import SourceError, read_source

    try:
        text = read_source(Path(path)).text
    except SourceError:
        return []
    # Not splitlines(): Python ends a line at these three only, not at a form feed or a line separator.
    return re.split("\r\n|\r|\n", text)


def frame(finding: Finding, lines: list[str], view: View) -> list[str]:
    """The finding's source lines, each followed by a line that underlines the part in the span.

    Empty if the file no longer has those lines.
    """
    if not 1 <= finding.line <= finding.end_line <= len(lines):
        return []
    width = len(str(finding.end_line))
    gutter = view.painted(" " * width + " |", "blue")
    drawn: list[str] = []
    for number in _numbers(finding.line, finding.end_line):
        if number is None:
            drawn.append(view.painted("." * max(width, 3), "blue"))
            continue
        line = lines[number - 1]
        start = finding.column - 1 if number == finding.line else len(line) - len(line.lstrip())
        stop = finding.end_column - 1 if number == finding.end_line else len(line.rstrip())
        code, marks = _underlined(line, start, max(stop, start + 1), view)
        drawn.append(f"{view.painted(f'{number:>{width}} |', 'blue')} {code}".rstrip())
        drawn.append(f"{gutter} {marks}")
    return drawn


def _numbers(first: int, last: int) -> Iterator[int | None]:
    """The line numbers to show; None for a gap."""
    if last - first < MOST_LINES:
        yield from range(first, last + 1)
    else:
        yield from (first, first + 1, None, last)


def _underlined(line: str, start: int, stop: int, view: View) -> tuple[str, str]:
    """The line as it is shown and the marks below it, for a span in code points of the line."""
    begin, end, ellipsis = 0, len(line), "…" if view.drawing else "..."
    if len(line) > MOST_CHARACTERS:
        begin = max(0, min(start - CONTEXT, len(line) - MOST_CHARACTERS))
        end = begin + MOST_CHARACTERS
    head, tail = ellipsis if begin else "", ellipsis if end < len(line) else ""
    before, within, after = line[begin:start], line[start : min(stop, end)], line[min(stop, end) : end]
    marks = view.painted("^" * max(1, _columns(within)), "red")
    code = "".join(map(_visible, (before, within, after)))
    return head + code + tail, " " * (len(head) + _columns(before)) + marks


def _visible(text: str) -> str:
    return harmless(text.replace("\t", TAB))


def _columns(text: str) -> int:
    """How many columns of a terminal the text takes as it is shown."""
    return sum(_width(character) for character in _visible(text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
