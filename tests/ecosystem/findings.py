"""What the tool finds in public packages, held against the record of what it found before."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Literal

import msgspec

import lint_epoch

from ..packages import Pin, unpacked

RECORD = Path(__file__).parent / "findings.json"


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finding, and what a reader of the package's source says of it."""

    place: str
    """Path in the package, line and column."""
    code: str
    message: str
    judged: Literal["", "right", "false"] = ""
    """Empty for one that nobody has read yet."""
    why: str = ""
    """Why it is right, or which fact the model lacks."""

    @property
    def shown(self) -> str:
        """The finding as the command line shows it."""
        return f"{self.place} {self.code} {self.message}"


Record = dict[str, tuple[Known, ...]]
"""The findings of each package, by ``name==version``."""


def recorded() -> Record:
    """Return the record."""
    return msgspec.json.decode(RECORD.read_bytes(), type=Record)


def write(record: Record) -> None:
    """Write the record, its packages in their order of names."""
    text = msgspec.json.format(msgspec.json.encode(dict(sorted(record.items()))), indent=2)
    RECORD.write_bytes(text + b"\n")


def found_in(pin: Pin) -> tuple[Known, ...]:
    """Check a package.

    Raises:
        UnavailableError: it cannot be had.
    """
    root = unpacked(pin)
    start = len(root.resolve().as_posix()) + 1
    findings = lint_epoch.check([root]).findings
    # Messages name files relative to the project's root, so they do not depend on where the cache lies.
    return tuple(Known(f"{one.path[start:]}:{one.line}:{one.column}", one.code, one.message) for one in findings)


def difference(old: tuple[Known, ...], new: tuple[Known, ...]) -> list[str]:
    """Return the lines that tell two sets of findings apart; a finding that is gone shows what was said of it."""
    said = {one.shown: one for one in old}
    lines: list[str] = []
    for line in difflib.ndiff([one.shown for one in old], [one.shown for one in new]):
        if line[0] in "+-":
            lines.append(line)
            known = said.get(line[2:])
            if line[0] == "-" and known is not None and known.judged:
                lines.append(f"    was judged {known.judged}: {known.why}")
    return lines


def with_judgements(old: tuple[Known, ...], new: tuple[Known, ...]) -> tuple[Known, ...]:
    """Return the new findings with what was said of the old ones at the same place and of the same code."""
    exact = {(one.place, one.code): one for one in old}
    kept: list[Known] = []
    for one in new:
        known = exact.get((one.place, one.code))
        kept.append(msgspec.structs.replace(one, judged=known.judged, why=known.why) if known is not None else one)
    return tuple(kept)
