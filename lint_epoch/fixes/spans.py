"""Edits of a text, and the way from libcst's lines and columns to offsets.

libcst does not give back every file as it was (a form feed at the start, a carriage return at the end and a space
in ``except E :`` get lost), so its text is never written. A fix replaces spans of the original and leaves the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from lint_epoch.fixes.errors import FixError

# What ends a line for Python's tokenizer and for libcst; ``str.splitlines`` also splits at form feeds and others.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


@dataclass(frozen=True, slots=True)
class Edit:
    """Put ``text`` in place of what stands from ``start`` to before ``end``, in code points of the decoded text."""

    start: int
    end: int
    text: str

    def overlaps(self, other: Edit) -> bool:
        """Return whether the two cannot both be made.

        The same replacement can be, once; insertions can be beside each other and beside a replaced span.
        """
        return self != other and self.start < other.end and other.start < self.end


def apply(text: str, edits: Sequence[Edit]) -> tuple[str, list[Edit]]:
    """Make the edits; return the new text and the edits left out because they overlap one given before them.

    The same replacement given twice is made once; insertions at one place keep their order.
    """
    accepted: list[Edit] = []
    deferred: list[Edit] = []
    for edit in edits:
        if edit.start < edit.end and edit in accepted:
            continue
        (deferred if any(edit.overlaps(other) for other in accepted) else accepted).append(edit)
    # From the end of the text to its start, so that no edit moves the place of a later one.
    for edit in reversed(in_order(accepted)):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text, deferred


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits by place; those of one place keep their order."""
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def split_lines(text: str) -> list[str]:
    r"""Return the lines with their ends, which may be ``\n``, ``\r\n`` and ``\r`` in any mixture."""
    return _LINE.findall(text)


class Offsets:
    """Offsets in a text for the positions that libcst computes from the text that it would write."""

    __slots__ = ("_lines", "_starts", "_written")

    def __init__(self, text: str, written: str) -> None:
        """Take the original text and what libcst makes of it."""
        self._lines = split_lines(text)
        self._written = split_lines(written)
        # Line breaks lost at the end of the file move nothing.
        lost = self._lines[len(self._written) :]
        if len(self._written) > len(self._lines) or any(line.strip() for line in lost):
            raise FixError("libcst does not give back the lines of this file, so places in it are uncertain")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def start(self, line: int, column: int) -> int:
        """Return the offset of a node's start; ``line`` counts from 1, ``column`` code points from 0."""
        return self._offset(line, column, is_start=True)

    def end(self, line: int, column: int) -> int:
        """Return the offset of a node's end, which is the first code point behind it."""
        return self._offset(line, column, is_start=False)

    def _offset(self, line: int, column: int, *, is_start: bool) -> int:
        if line > len(self._written):  # an empty file, or the place behind the last line break
            return self._starts[line - 1]
        original, written = self._lines[line - 1], self._written[line - 1]
        begin = self._starts[line - 1]
        if original == written:
            return begin + column
        # libcst lost something in this line: places in front of the loss and behind it are still certain. At the loss
        # itself (which is white space) a node ends in front of it or starts behind it.
        head, tail = _shared(original, written), _shared(original[::-1], written[::-1])
        from_head, from_tail = begin + column, begin + len(original) - (len(written) - column)
        before, behind = column <= head, len(written) - column <= tail
        if is_start and behind:
            return from_tail
        if before:
            return from_head
        if behind:
            return from_tail
        raise FixError(f"libcst does not give back line {line} of this file, so places in it are uncertain")


def _shared(one: str, other: str) -> int:
    """Return how many code points the two have in common at their start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
