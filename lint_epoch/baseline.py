"""A file of known findings, so that a project with many can stop new ones today.

A finding is known by its code, its file, the class or function around it and the text of its line, so that the file
survives edits above and below, and can be read in a review. Paths in it are relative to the folder in which it stands.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lint_epoch.config import ConfigError
from lint_epoch.fingerprints import identity
from lint_epoch.report.frames import SourceLines
from lint_epoch.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lint_epoch.config import Config
    from lint_epoch.diagnostics import Finding

VERSION = 1


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Findings that cannot be told apart."""

    code: str
    path: str
    scope: str
    line: str
    """The text of the line, with single spaces."""
    count: int = 1


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    findings: tuple[Entry, ...]


class Baseline:
    """The known findings of one file; each of them covers as many findings as it counts, once."""

    def __init__(self, path: Path, known: Counter[tuple[str, str, str, str]]) -> None:
        self._folder = path.parent.as_posix()
        self._left = known

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read a baseline.

        Raises:
            ConfigError: it cannot be read, or is none that this version can read.
        """
        path = path.resolve()
        try:
            # Not msgspec's own decoder, which refuses what stands for the bytes of a file name that are no UTF-8.
            file = msgspec.convert(json.loads(path.read_bytes()), _File)
        except OSError as error:
            why = f"the baseline cannot be read: {error.strerror or error}; --write-baseline writes one"
            raise ConfigError(path.as_posix(), why) from error
        except (ValueError, RecursionError) as error:
            raise ConfigError(path.as_posix(), f"is no baseline: {error}") from error
        if file.version != VERSION:
            message = f"is a baseline of version {file.version}, and this lint-epoch reads version {VERSION}"
            raise ConfigError(path.as_posix(), message)
        return cls(path, Counter({(e.code, e.path, e.scope, e.line): e.count for e in file.findings}))

    def new(self, findings: Sequence[Finding], lines_of: Callable[[str], list[str]]) -> list[Finding]:
        """The findings that it does not cover; of those that cannot be told apart the first are covered.

        Args:
            findings: the findings, sorted by place.
            lines_of: gives the lines of a file as they were analysed.
        """
        found: list[Finding] = []
        for finding in findings:
            key = identity(finding, self._folder, lines_of(finding.path))
            if self._left[key] > 0:
                self._left[key] -= 1
            else:
                found.append(finding)
        return found

    def outdated(self, checked: set[str], root: Path, config: Config) -> int:
        """How many of its findings are there no more, as far as that can be told after ``new``.

        Args:
            checked: the absolute paths of the files that were checked without an error.
            root: the project's root; a file below it that is gone has no findings.
            config: the settings; what a rule that is off would say is not known.
        """
        count = 0
        selection = Selection(root, config)
        for (code, name, _, _), number in self._left.items():
            path = Path(self._folder, name)
            gone = path.is_relative_to(root) and not path.exists()
            if (gone or path.as_posix() in checked) and selection.is_on(code, path.as_posix()):
                count += number
        return count


def text_of(findings: Iterable[Finding], path: Path) -> str:
    """The text of a baseline at ``path`` that covers the findings, the same for the same findings."""
    sources = SourceLines()
    folder = path.resolve().parent.as_posix()
    counts = Counter(identity(finding, folder, sources.of(finding.path)) for finding in findings)
    entries = [
        {"code": code, "path": where, "scope": scope, "line": line, "count": count}
        for (code, where, scope, line), count in sorted(counts.items(), key=lambda item: (item[0][1], item[0]))
    ]
    return json.dumps({"version": VERSION, "findings": entries}, indent=2) + "\n"
