"""Mends files and folders: each project up to its fixed point, and then the files are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lint_epoch.diagnostics import Finding, Problem, Report, Summary
from lint_epoch.engine import by_project, check_project, merged
from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.rounds import FileChange, Work, mend
from lint_epoch.source.discovery import named_files

if TYPE_CHECKING:
    from lint_epoch.config import Config
    from lint_epoch.fixes.rounds import Decide


@dataclass(slots=True)
class FixResult:
    """The outcome of a fix."""

    changes: tuple[FileChange, ...]
    applied: tuple[Finding, ...]
    """The findings that the changes mend."""
    report: Report
    """What remains."""
    errors: tuple[Problem, ...]
    """Files that could not be mended or written."""


def fix(
    paths: Sequence[str | Path], config: Config | None, *, unsafe: bool, write: bool, decide: Decide | None = None
) -> FixResult:
    """Mend what can be mended in files and folders.

    Args:
        paths: the files and folders to mend; the whole project around them counts as evidence.
        config: the settings; by default those of each project.
        unsafe: whether to make changes that may alter what a correct program does.
        write: whether to write the files; else the changes are only returned.
        decide: is asked for each finding whether to mend it, and shown what that changes; by default all are mended.
    """
    from lint_epoch.config import load_config

    changes: list[FileChange] = []
    applied: list[Finding] = []
    reports: list[Report] = []
    errors: list[Problem] = []
    for root, named in sorted(by_project(paths).items()):
        settings = config or load_config(root)
        work = Work(root, settings, named_files(named, root, settings.exclude).files, unsafe, decide)
        mend(work)
        made = _changes(work)
        if write:
            made = _write(work, made)
        changes += made
        applied += work.applied
        errors += work.errors
        reports.append(check_project(root, named, settings, None if write else work.instead))
    empty = Report((), (), (), Summary(0, 0, 0, 0, 0, 0, 0))
    return FixResult(tuple(changes), tuple(applied), merged(reports) if reports else empty, tuple(errors))


def _changes(work: Work) -> list[FileChange]:
    from lint_epoch.source.text import source_of_bytes

    return [
        FileChange(path, work.original[path], after, source_of_bytes(Path(path), after).encoding)
        for path, after in sorted(work.instead.items())
        if after != work.original[path]
    ]


def _write(work: Work, changes: list[FileChange]) -> list[FileChange]:
    from lint_epoch.fixes.writer import write_atomically

    written: list[FileChange] = []
    for change in changes:
        try:
            write_atomically(Path(change.path), change.before, change.after, work.root)
        except (FixError, OSError) as error:
            work.errors.append(Problem(change.path, f"not written: {error}"))
            continue
        written.append(change)
    return written
