"""Work on a project's comments and baseline, and answers about its settings: what the options of ``check`` ask for.

The functions return what is to be said and to be written; ``commands`` says and writes it.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lint_epoch import baseline
from lint_epoch.config import INTERNAL, OWN_FILE, PYPROJECT, Config, folder_config
from lint_epoch.diagnostics import Problem, Report
from lint_epoch.engine import by_project, merged
from lint_epoch.fixes.errors import FixError
from lint_epoch.report.paths import counted, harmless, shown
from lint_epoch.selection import Selection
from lint_epoch.silencing import Unused, addition, removal, rewrite, unused
from lint_epoch.source.discovery import named_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lint_epoch.diagnostics import Finding
    from lint_epoch.fixes.rounds import FileChange

    Groups = Mapping[Config, Sequence[Path]]
    """The paths that the user named, by the settings that count for them."""
    Check = Callable[..., Report]
    """``engine.check_project`` with the cache, the processes and the progress bar of this run."""


@dataclass(slots=True)
class Outcome:
    """What there is to say."""

    lines: list[str] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)
    changes: list[FileChange] = field(default_factory=list)
    """What was written, or would be."""
    found: bool = False
    """Whether there is something that the user must look at."""


def unused_suppressions(groups: Groups, check: Check) -> Report:
    """Report the comments that silence nothing, in place of the findings."""
    reports = []
    for _, checked, files in _idle_comments(groups, check):
        findings = tuple(one.finding for found in files for one in found)
        counts = {"right": 0, "faulty": 0, "unknown": 0, "suppressed": 0, "findings": len(findings)}
        summary = msgspec.structs.replace(checked.summary, **counts)
        reports.append(Report(findings, checked.errors, (), summary))
    return merged(reports)


def remove_unused(groups: Groups, folder: str, check: Check, *, write: bool) -> Outcome:
    """Take away the comments that silence nothing.

    Args:
        groups: the paths that the user named, by the settings that count for them.
        folder: the working folder, for the paths in what is said.
        check: checks one project.
        write: whether to write the files that change.
    """
    outcome = Outcome()
    for root, checked, files in _idle_comments(groups, check):
        outcome.errors += checked.errors
        for found in files:
            outcome.found = True
            verb = "removed" if write else "would remove"
            if _rewrite(Path(found[0].path), root, found, outcome, write=write):
                outcome.lines += [_place(one.finding, folder, verb) for one in found]
    if not outcome.found:
        outcome.lines.append("no unused suppressions")
    return outcome


def _place(finding: Finding, folder: str, verb: str) -> str:
    place = f"{shown(finding.path, folder)}:{finding.line}:{finding.column}"
    return f"{place}: {finding.message.replace('unused', verb, 1)}"


def _rewrite(path: Path, root: Path, found: list[Unused], outcome: Outcome, *, write: bool) -> bool:
    try:
        outcome.changes.append(rewrite(path, root, lambda text: removal(text, found), write=write))
    except FixError as error:
        outcome.errors.append(Problem(path.as_posix(), f"not changed: {error}"))
        return False
    return True


def _idle_comments(groups: Groups, check: Check) -> Iterator[tuple[Path, Report, list[list[Unused]]]]:
    """Each project's root and check, and file by file the comments that silence nothing."""
    for config, paths in groups.items():
        for root, named in sorted(by_project(paths).items()):
            report = check(root, named, msgspec.structs.replace(config, baseline=""), heed_comments=False)
            unchecked = {problem.path for problem in report.errors}
            selection = Selection(root, config)
            files = []
            for path in named_files(named, root, config.exclude).files:
                if path.as_posix() not in unchecked:
                    own = [finding for finding in report.findings if finding.path == path.as_posix()]
                    files.append(unused(path, own, selection))
            yield root, report, list(filter(None, files))


def add_noqa(groups: Groups, folder: str, check: Check) -> Outcome:
    """Silence every finding that is left with a ``# noqa`` at the end of its line."""
    outcome = Outcome()
    count = 0
    for config, paths in groups.items():
        for root, named in sorted(by_project(paths).items()):
            report = check(root, named, config)
            outcome.errors += report.errors
            for path in sorted({finding.path for finding in report.findings}):
                own = [finding for finding in report.findings if finding.path == path]
                try:
                    change = rewrite(Path(path), root, functools.partial(addition, findings=own), write=True)
                except FixError as error:
                    outcome.errors.append(Problem(path, f"not changed: {error}"))
                    continue
                outcome.changes.append(change)
                count += len(own)
                outcome.lines.append(f"{shown(path, folder)}: silenced {counted(len(own), 'finding')}")
    outcome.lines.append(f"{counted(count, 'finding')} silenced")
    return outcome


def new_baseline(groups: Groups, path: Path, check: Check) -> tuple[str, Outcome]:
    """Return the text of a baseline that covers all findings there are, and what there is to say."""
    outcome = Outcome()
    findings: list[Finding] = []
    for config, paths in groups.items():
        for root, named in sorted(by_project(paths).items()):
            report = check(root, named, msgspec.structs.replace(config, baseline=""))
            findings += report.findings
            outcome.errors += report.errors
    outcome.lines.append(f"{counted(len(findings), 'finding')} in the baseline")
    return baseline.text_of(findings, path), outcome


def settings(groups: Groups, named: Path | None) -> str:
    """Return the settings that count, as TOML that ``lint_epoch.toml`` could hold, for each project."""
    blocks = []
    for config, paths in groups.items():
        for root, chosen in sorted(by_project(paths).items()):
            source = named or next((root / n for n in (OWN_FILE, PYPROJECT) if (root / n).is_file()), None)
            lines = [f"# project: {harmless(root.as_posix())}"]
            lines.append(f"# settings: {harmless(source.as_posix()) if source else 'defaults'}")
            for one in msgspec.structs.fields(Config):
                if one.name not in INTERNAL:
                    value = getattr(config, one.name)
                    # The only table among the keys; the record has it as pairs.
                    shown_value = _toml(value) if one.name != "per_file_ignores" else _inline_table(value)
                    lines.append(f"{one.encode_name} = {shown_value}")
            lines += _of_folders(root, chosen, config)
            blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _of_folders(root: Path, chosen: list[Path], config: Config) -> Iterator[str]:
    """What counts in folders of the chosen files with settings of their own; comments, as no one file can say it."""
    files = named_files(chosen, root, config.exclude).files
    folders = {folder for path in files for folder in path.parents if folder.is_relative_to(root) and folder != root}
    selection = Selection(root, config)
    for folder in sorted(folders if not config.flat else ()):
        own = folder_config(folder)
        if own is not None:
            whole = selection.of_folder(folder.as_posix())
            place = shown(folder.as_posix(), root.as_posix())
            yield f"# in {place}: select = {_toml(whole.select)}, ignore = {_toml(whole.ignore)}"
            if own.per_file_ignores:
                yield f"#   and per-file-ignores = {_inline_table(own.per_file_ignores)}"


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # JSON's strings and booleans are TOML's.
    return json.dumps(value)


def _inline_table(pairs: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    return "{" + ", ".join(f"{_toml(key)} = {_toml(codes)}" for key, codes in pairs) + "}"


def files(groups: Groups, folder: str) -> Outcome:
    """List the files that would be reported on, one a line."""
    outcome = Outcome()
    for config, paths in groups.items():
        for root, named in sorted(by_project(paths).items()):
            chosen = named_files(named, root, config.exclude)
            outcome.errors += chosen.problems
            outcome.lines += [shown(path.as_posix(), folder) for path in chosen.files]
    return outcome
