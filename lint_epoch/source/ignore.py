"""What a .gitignore file, or the ``exclude`` setting, leaves out of a walk.

Patterns are matched as Git matches them: against one file or folder at a time, from the top down, since a folder that
is left out is not entered and nothing in it can be brought back (https://git-scm.com/docs/gitignore).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import groupby

import msgspec

#: Names of character classes in brackets, such as ``[[:digit:]]``, and what stands for them in a regular expression.
_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "digit": "0-9",
    "lower": "a-z",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "a-fA-F0-9",
}

_BRACKETS = re.compile(
    r"""\[ (?P<negated>[!^])?
        (?P<members> (?: \\. | \[:[a-z]*:\] | [^\\] ) (?: \\. | \[:[a-z]*:\] | [^]\\] )* ) \]""",
    re.VERBOSE | re.DOTALL,
)
_MEMBER = re.compile(r"\[:(?P<name>[a-z]*):\]|(?P<first>\\.|[^\\])(?:-(?P<last>\\.|[^]\\]))?", re.DOTALL)


class _Pattern(msgspec.Struct, frozen=True):
    regex: str
    """Matches a whole name, or a whole path relative to the rules' folder, with forward slashes."""
    brings_back: bool
    folders_only: bool
    names_only: bool
    tail: str
    """What the pattern's last letters, after its last wildcard, are."""


class _Step(msgspec.Struct, frozen=True):
    """Neighbouring patterns of one kind as one regular expression, which is many times faster."""

    regex: re.Pattern[str]
    brings_back: bool
    names_only: bool


class IgnoreRules:
    """The patterns of one file, which hold for what lies below one folder."""

    def __init__(self, folder: str, lines: Iterable[str]) -> None:
        """Read the patterns.

        Args:
            folder: the absolute path of the folder to which they are relative.
            lines: one pattern each, in gitignore's syntax; what Git ignores, such as an unclosed bracket, is ignored.
        """
        self._start = len(folder.rstrip(os.sep)) + 1
        patterns = [pattern for line in lines if (pattern := _pattern_of(line)) is not None]
        self._for_folders = _steps(patterns)
        # Most patterns name other things (*.log, build/), and each costs time for each file.
        self._for_files = _steps(pattern for pattern in patterns if _may_name_python(pattern))

    def speaks_of_folder(self, path: str) -> bool | None:
        """Return whether a folder is left out (True) or brought back (False); None if no pattern names it."""
        return self._verdict(self._for_folders, path)

    def speaks_of_file(self, path: str) -> bool | None:
        """Return the same for a file; its name must end in ``.py``."""
        return self._verdict(self._for_files, path)

    def cover(self, path: str) -> bool:
        """Return whether a file below the folder, or a folder that holds it, is left out."""
        if self.speaks_of_file(path):
            return True
        above = os.path.dirname(path)  # noqa: PTH120, asked for each finding
        while len(above) > self._start:
            if self.speaks_of_folder(above):
                return True
            above = os.path.dirname(above)  # noqa: PTH120
        return False

    def _verdict(self, steps: tuple[_Step, ...], path: str) -> bool | None:
        if not steps:
            return None
        relative = path[self._start :].replace(os.sep, "/")
        name = relative[relative.rfind("/") + 1 :]
        for step in steps:
            if step.regex.fullmatch(name if step.names_only else relative):
                return not step.brings_back
        return None


def _steps(patterns: Iterable[_Pattern]) -> tuple[_Step, ...]:
    """Return the patterns in the order in which they are asked: the last that matches decides."""
    steps = []
    latest_first = reversed(list(patterns))
    for (brings_back, names_only), group in groupby(latest_first, lambda one: (one.brings_back, one.names_only)):
        regex = re.compile("|".join(dict.fromkeys(f"(?:{one.regex})" for one in group)), re.DOTALL)
        steps.append(_Step(regex, brings_back, names_only))
    return tuple(steps)


def _may_name_python(pattern: _Pattern) -> bool:
    tail = pattern.tail
    return not pattern.folders_only and (tail.endswith(".py") or ".py".endswith(tail))


def _pattern_of(line: str) -> _Pattern | None:
    text = re.sub(r"(?<!\\) +\Z", "", line.removesuffix("\n").removesuffix("\r"))
    if text.startswith("#"):
        return None
    brings_back = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/")
    text = text.removesuffix("/")
    if not text:
        return None
    names_only = "/" not in text
    regex = _regex_of(text.removeprefix("/"))
    if regex is None:
        return None
    tail = re.split(r"[]*?\\/]", text)[-1]
    return _Pattern(regex, brings_back, folders_only, names_only, tail)


def _regex_of(glob: str) -> str | None:
    """Return the regular expression for a glob, None for one that matches nothing."""
    parts = []
    at = 0
    while at < len(glob):
        if stars := re.compile(r"\*+").match(glob, at):
            part, at = _stars(glob, at, stars.end())
        elif glob[at] == "?":
            part, at = "[^/]", at + 1
        elif glob[at] == "[":
            brackets = _BRACKETS.match(glob, at)
            if brackets is None:
                return None
            part, at = _bracket_regex(brackets), brackets.end()
        else:
            at += glob[at] == "\\"
            if at == len(glob):
                return None
            part, at = re.escape(glob[at]), at + 1
        parts.append(part)
    return "".join(parts)


def _stars(glob: str, start: int, end: int) -> tuple[str, int]:
    """Return what a run of stars matches, and where the rest of the glob starts."""
    is_segment = (start == 0 or glob[start - 1] == "/") and (end == len(glob) or glob[end] == "/")
    if end - start == 1 or not is_segment:
        return "[^/]*", end
    # In the middle, "/**/" may also stand for a single slash.
    return (".*", end) if end == len(glob) else ("(?:.*/)?", end + 1)


def _bracket_regex(brackets: re.Match[str]) -> str:
    members = []
    for member in _MEMBER.finditer(brackets["members"]):
        if member["name"] is not None:
            members.append(_CLASSES.get(member["name"], ""))
            continue
        first = member["first"][-1]
        last = (member["last"] or first)[-1]
        if first <= last:
            members.append(f"{re.escape(first)}-{re.escape(last)}")
    inside = "".join(members)
    if brackets["negated"]:
        return f"[^/{inside}]"
    return f"(?!/)[{inside}]" if inside else "(?!)"
