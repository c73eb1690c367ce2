"""The one diagnostic model: what the rules produce and what every front end shows.

Lines and columns count from 1; columns count code points. Paths in these records are absolute and use forward
slashes; an output format makes them relative to the working folder.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Confidence = Literal["proved", "likely"]
Safety = Literal["safe", "unsafe"]

#: What a fault does at run time, in the field's terms (measured, see docs/runtime-facts.md); the last is of comments.
Consequence = Literal[
    "same order every epoch",
    "one pass behind",
    "crashes when distributed",
    "ranks overlap",
    "data lost",
    "starts over on resume",
    "length unknown",
    "silences nothing",
]


class Hop(msgspec.Struct, frozen=True):
    """One hop of an epoch path: a place and what stands there."""

    path: str
    line: int
    what: str


class FixOffer(msgspec.Struct, frozen=True):
    """What ``lint-epoch fix`` would do about a finding, and whether it needs ``--unsafe-fixes``."""

    safety: Safety
    description: str


class Finding(msgspec.Struct, frozen=True):
    """One fault, at the place where somebody can mend it."""

    code: str
    name: str
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    confidence: Confidence
    consequence: Consequence
    trace: tuple[Hop, ...] = ()
    fix: FixOffer | None = None


class Problem(msgspec.Struct, frozen=True):
    """Something that kept the tool from its work: a file that cannot be read or parsed, a missing path."""

    path: str
    message: str
    line: int | None = None


class Verdict(msgspec.Struct, frozen=True):
    """What the model says of one loop over a loader on an epoch path."""

    path: str
    line: int
    state: Literal["right", "faulty", "unknown"]
    why: str


class Summary(msgspec.Struct, frozen=True):
    """Counts over one run."""

    files: int
    """Python files that were looked at."""
    analysed: int
    """Files that could take part and were parsed."""
    findings: int
    suppressed: int
    """Findings silenced by a comment."""
    right: int
    faulty: int
    unknown: int
    baselined: int = 0
    """Findings that the baseline covers."""
    outdated: int = 0
    """Findings of the baseline that are there no more."""


class Report(msgspec.Struct, frozen=True):
    """The outcome of a check: findings sorted by path, line, column and code, and what could not be checked."""

    findings: tuple[Finding, ...]
    errors: tuple[Problem, ...]
    verdicts: tuple[Verdict, ...]
    summary: Summary
