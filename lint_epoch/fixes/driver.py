"""Mends a project: rounds of analysis and edits up to a fixed point, inner wrappers before outer ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lint_epoch.diagnostics import Finding, Problem, Report, Summary
from lint_epoch.engine import Files, analyse, by_project, check_project, finding_of, merged, read_project
from lint_epoch.fixes.errors import FixError
from lint_epoch.source.discovery import named_files

if TYPE_CHECKING:
    from lint_epoch.analysis import Analysis
    from lint_epoch.config import Config
    from lint_epoch.rules.base import Draft

#: Rounds of analysis and edits. A tower of wrappers needs one for each storey and one for the loop; the tallest real
#: one has six.
MOST_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a fix makes of one file."""

    path: str
    before: bytes
    after: bytes
    encoding: str


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


@dataclass(slots=True)
class _Work:
    """The state of one project while it is mended."""

    root: Path
    config: Config
    named: tuple[Path, ...]
    unsafe: bool
    original: dict[str, bytes] = field(default_factory=dict)
    instead: dict[str, bytes] = field(default_factory=dict)
    applied: list[Finding] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)


def fix(paths: Sequence[str | Path], config: Config | None, *, unsafe: bool, write: bool) -> FixResult:
    """Mend what can be mended in files and folders.

    Args:
        paths: the files and folders to mend; the whole project around them counts as evidence.
        config: the settings; by default those of each project.
        unsafe: whether to make changes that may alter what a correct program does.
        write: whether to write the files; else the changes are only returned.
    """
    from lint_epoch.config import load_config

    changes: list[FileChange] = []
    applied: list[Finding] = []
    reports: list[Report] = []
    errors: list[Problem] = []
    for root, named in sorted(by_project(paths).items()):
        settings = config or load_config(root)
        work = _Work(root, settings, named_files(named, root, settings.exclude).files, unsafe)
        _mend(work)
        made = _changes(work)
        if write:
            made = _write(work, made)
        changes += made
        applied += work.applied
        errors += work.errors
        reports.append(check_project(root, named, settings, None if write else work.instead))
    empty = Report((), (), (), Summary(0, 0, 0, 0, 0, 0, 0))
    return FixResult(tuple(changes), tuple(applied), merged(reports) if reports else empty, tuple(errors))


def _mend(work: _Work) -> None:
    for _ in range(MOST_ROUNDS):
        files = read_project(work.root, work.config, work.named, work.instead)
        analysis = analyse(files, work.config, {path.as_posix() for path in work.named})
        if analysis is None or not _round(work, files, analysis):
            return
    places = ", ".join(sorted(work.instead))
    work.errors.append(
        Problem(
            work.root.as_posix(),
            f"the fixes did not come to rest after {MOST_ROUNDS} rounds; nothing was written. Please report this "
            f"with these files: {places}",
        )
    )
    work.instead.clear()
    work.applied.clear()


def _round(work: _Work, files: Files, analysis: Analysis) -> bool:
    """Make the edits of one round; return whether there were any."""
    wanted = {path.as_posix() for path in work.named}
    by_file: dict[str, list[Draft]] = defaultdict(list)
    for draft in analysis.drafts:
        if draft.module.path not in wanted or not work.config.is_on(draft.code) or draft.offer is None:
            continue
        if draft.offer.safety == "unsafe" and not work.unsafe:
            continue
        if draft.repairs and not analysis.silences(finding_of(analysis, draft)):
            for path in sorted({repair.path for repair in draft.repairs}):
                by_file[path].append(draft)
    changed = False
    for path, drafts in sorted(by_file.items()):
        if path not in work.refused and path in files.data:
            changed = _edit(work, files, analysis, path, drafts) or changed
    return changed


def _edit(work: _Work, files: Files, analysis: Analysis, path: str, drafts: list[Draft]) -> bool:
    # Imported here: most runs of the command line mend nothing.
    from lint_epoch.facts.visitor import nodes_of
    from lint_epoch.fixes.plan import plan_file
    from lint_epoch.fixes.spans import apply
    from lint_epoch.fixes.verify import verify
    from lint_epoch.source.deep import run_deep
    from lint_epoch.source.parsing import parse

    source = analysis.source(path)
    tree = parse(source)
    repairs = [repair for draft in drafts for repair in draft.repairs if repair.path == path]
    try:
        plan = run_deep(lambda: plan_file(repairs, tree, source.text, nodes_of(tree)))
        if not plan.edits:
            return False
        after, _ = apply(source.text, plan.edits)
        data = verify(source, tree, plan.edits, after)
    except FixError as error:
        work.errors.append(Problem(path, f"not mended: {error}"))
        work.refused.add(path)
        return False
    work.original.setdefault(path, files.data[path])
    work.instead[path] = data
    undone = [*plan.deferred, *plan.idle]
    done = [draft for draft in drafts if not any(repair in undone for repair in draft.repairs)]
    work.applied += [finding_of(analysis, draft) for draft in done]
    return True


def _changes(work: _Work) -> list[FileChange]:
    from lint_epoch.source.text import source_of_bytes

    return [
        FileChange(path, work.original[path], after, source_of_bytes(Path(path), after).encoding)
        for path, after in sorted(work.instead.items())
        if after != work.original[path]
    ]


def _write(work: _Work, changes: list[FileChange]) -> list[FileChange]:
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
