"""The comments that silence findings: flake8's ``# noqa``, and our own ``# lint-epoch: ignore[LEP101] reason``.

``# noqa`` is read as flake8 reads it, quirks included, so that the command line and the flake8 plugin show the same
findings. Its rules (flake8 7, the same since 6.0; ``defaults.py``, ``violation.py`` and ``processor.py`` there):

- It is text that is searched for in the line, not a comment: inside a string it counts too.
- The first one on a line counts. Codes are prefixes and compared by case; ``# noqa:`` with anything but a code behind
  it silences everything, and ``#noqa`` nothing.
- Lines that a multi-line string or a backslash joins are one line. In brackets each line stands alone.
- A line that starts with ``# flake8: noqa`` silences the whole file, whatever follows.

Our own comment is one: in a string it is text. It names at least one code or the start of one, and covers the same
lines as ``# noqa`` would. Neither does anything for the line below it.
"""

from __future__ import annotations

import io
import re
import tokenize
import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: flake8's own two expressions: another wording would be another language.
_NOQA = re.compile(r"# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_NOQA_FILE = re.compile(r"\s*# flake8[:=]\s*noqa", re.IGNORECASE)

#: The brackets hold no ``#``: a line of nothing but openings is then searched in linear time.
_IGNORE = re.compile(r"#\s*lint-epoch:\s*ignore\s*\[(?P<codes>[\w\s,]*)\]")
#: What looks like a ``noqa`` with codes to people, and to ruff, which is laxer than flake8; the latter for a file.
_ANY_NOQA = re.compile(r"#\s*noqa\s*:\s*(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+)", re.IGNORECASE)
_ANY_NOQA_FILE = re.compile(
    r"#\s*(?P<tool>flake8|ruff)\s*[:=]\s*noqa\s*:\s*(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+)", re.IGNORECASE
)
_BETWEEN_CODES = re.compile(r"[,\s]+")

#: The starts of the codes that are silenced; every code starts with the empty string.
_Prefixes = tuple[str, ...]
_EVERYTHING: _Prefixes = ("",)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """Which codes are silenced on which lines of one file."""

    _whole_file: bool = False
    _noqa: Mapping[int, _Prefixes] = field(default_factory=dict)
    _ignored: Mapping[int, _Prefixes] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Suppressions:
        """Read the suppressions in the text of a Python file, which need not be one that parses."""
        if "lint-epoch:" not in text and "noqa" not in text.lower():
            return cls()  # so most files are never tokenized, which takes as long as parsing them
        lines = _lines(text)
        noqa: dict[int, _Prefixes] = {}
        ignored: dict[int, _Prefixes] = {}
        for row in _rows(lines):
            numbers = range(row.first, row.last + 1)
            if prefixes := _noqa_prefixes("".join(lines[row.first - 1 : row.last])):
                noqa.update(dict.fromkeys(numbers, prefixes))
            if prefixes := _ignored_prefixes(row.comment):
                ignored.update(dict.fromkeys(numbers, prefixes))
        return cls(any(map(_NOQA_FILE.match, lines)), noqa, ignored)

    def silences(self, code: str, line: int) -> bool:
        """Whether a comment of either kind silences a code on a line, counted from 1."""
        return self._whole_file or code.startswith(self._noqa.get(line, ())) or self.ignores(code, line)

    def ignores(self, code: str, line: int) -> bool:
        """Whether a ``lint-epoch: ignore`` comment silences a code on a line, counted from 1."""
        return code.startswith(self._ignored.get(line, ()))


#: What a comment silences: the codes that it names, everything where it stands, or nothing whatever it names.
Effect = Literal["named", "everything", "nothing"]


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment that names codes to silence, as flake8, ruff or we would spell it, and where it stands."""

    kind: str
    """``noqa``, ``flake8: noqa``, ``ruff: noqa`` or ``lint-epoch: ignore``."""
    codes: _Prefixes
    """The codes, or beginnings of codes, that it names; at least one."""
    effect: Effect
    first: int
    """The first of the lines, counted from 1, on which it silences findings."""
    last: int
    """The last of them."""
    line: int
    """The line in which it stands."""
    start: int
    """Where it begins in that line, counted from 0 in code points."""
    end: int
    """Where what names the codes ends; a reason may follow."""


def comments_of(text: str) -> list[Comment]:
    """Return the comments in the text of a Python file that name codes to silence, in their order.

    Those are in it, too, that look to people as if they silenced something, or do so for ruff. What stands in a string
    is not: flake8 heeds it there, but it is no comment that could be changed.
    """
    lines = _lines(text)
    found: list[Comment] = []
    for row in _rows(lines):
        if row.comment:
            at = lines[row.last - 1].rfind(row.comment.rstrip("\n"))
            own = [*_noqa_comments(row, lines, at), *_file_comments(row, lines, at), *_ignore_comments(row, at)]
            found += sorted(own, key=lambda comment: comment.start)
    return found


def _noqa_comments(row: _Row, lines: Sequence[str], at: int) -> Iterator[Comment]:
    whole = "".join(lines[row.first - 1 : row.last])
    heeded = _NOQA.search(whole)
    offset = len(whole) - len(lines[row.last - 1]) + at
    for match in _ANY_NOQA.finditer(row.comment):
        effect: Effect = "nothing"
        if heeded is not None and heeded.start() == offset + match.start():
            effect = "named" if heeded["codes"] else "everything"
        yield _comment("noqa", match, effect, row, at)


def _file_comments(row: _Row, lines: Sequence[str], at: int) -> Iterator[Comment]:
    heeded = _NOQA_FILE.match(lines[row.last - 1])
    for match in _ANY_NOQA_FILE.finditer(row.comment):
        effect: Effect = "everything" if heeded and at + match.start() < heeded.end() else "nothing"
        one = _comment(f"{match['tool'].lower()}: noqa", match, effect, row, at)
        yield replace(one, first=1, last=len(lines)) if effect == "everything" else one


def _ignore_comments(row: _Row, at: int) -> Iterator[Comment]:
    for match in _IGNORE.finditer(row.comment):
        if _split(match["codes"]):
            yield _comment("lint-epoch: ignore", match, "named", row, at)


def _comment(kind: str, match: re.Match[str], effect: Effect, row: _Row, at: int) -> Comment:
    # A list of codes ends before the white space behind it.
    end = at + match.start() + len(match[0].rstrip())
    return Comment(kind, _split(match["codes"]), effect, row.first, row.last, row.last, at + match.start(), end)


def row_of(text: str, line: int) -> int:
    """Return the line, counted from 1, at whose end a comment silences findings on ``line``."""
    return next((row.last for row in _rows(_lines(text)) if row.first <= line <= row.last), line)


@dataclass(frozen=True, slots=True)
class _Row:
    """Lines that count as one, first and last from 1, and what may hold our comments: the comment at their end."""

    first: int
    last: int
    comment: str


def _lines(text: str) -> list[str]:
    """Split as a file is read, at ``\\n``, ``\\r\\n`` and ``\\r`` alone, each of which becomes ``\\n``."""
    return list(io.StringIO(text.removeprefix("\ufeff"), newline=None))


def _rows(lines: Sequence[str]) -> list[_Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the analysed code, not about ours
        try:
            rows = list(_rows_of_tokens(lines))
        except (tokenize.TokenError, SyntaxError, SystemError):
            rows = []  # SystemError is Python's own bug with some broken files (python/cpython#140576)
    # As in flake8, each line for which there are no tokens stands alone. What is a comment is not known there; libcst
    # can read syntax that the running Python cannot, and a silencing comment has to work in it.
    done = rows[-1].last if rows else 0
    return rows + [_Row(number, number, line) for number, line in enumerate(lines[done:], start=done + 1)]


def _rows_of_tokens(lines: Sequence[str]) -> Iterator[_Row]:
    first, comment = 0, ""
    for token in tokenize.generate_tokens(iter(lines).__next__):
        if token.type in (tokenize.DEDENT, tokenize.ENDMARKER):
            continue  # they stand on the line of what follows
        first = first or token.start[0]
        if token.type == tokenize.COMMENT:
            comment = token.string  # nothing but the end of the line can follow it
        elif token.type in (tokenize.NL, tokenize.NEWLINE):
            yield _Row(first, token.end[0], comment)
            first, comment = 0, ""


def _noqa_prefixes(row: str) -> _Prefixes:
    match = _NOQA.search(row)
    if match is None:
        return ()
    return _split(match["codes"]) if match["codes"] else _EVERYTHING


def _ignored_prefixes(comment: str) -> _Prefixes:
    return tuple(prefix for match in _IGNORE.finditer(comment) for prefix in _split(match["codes"]))


def _split(codes: str) -> _Prefixes:
    return tuple(filter(None, _BETWEEN_CODES.split(codes)))
