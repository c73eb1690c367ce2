"""The pipeline on one screen: discover, triage, facts, link and run, rules, findings."""

from __future__ import annotations

import errno
import stat
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lint_epoch.diagnostics import Finding, Hop, Problem, Report, Summary
from lint_epoch.outcomes import Outcome, outcome_of
from lint_epoch.selection import Selection
from lint_epoch.source.discovery import discover, is_excluded, named_files
from lint_epoch.source.ignore import IgnoreRules
from lint_epoch.source.roots import find_root
from lint_epoch.source.text import SourceError
from lint_epoch.source.triage import can_take_part, has_evidence

if TYPE_CHECKING:
    from lint_epoch.analysis import Analysis
    from lint_epoch.baseline import Baseline
    from lint_epoch.config import Config
    from lint_epoch.rules.base import Draft
    from lint_epoch.work import Work

__all__ = ["can_take_part", "check", "check_file", "read_project"]


@dataclass(slots=True)
class Files:
    """A project's files after triage."""

    root: Path
    data: dict[str, bytes]
    """The bytes of the files that can take part, and of packages that may re-export what takes part, by path."""
    others: dict[str, int]
    """The sizes of the files that cannot, by absolute path."""
    problems: list[Problem]
    """What kept files and folders from being read."""
    has_evidence: bool

    def text_lines(self, path: str) -> list[str]:
        """Return the lines of a file as it is analysed, without their ends.

        Raises:
            SourceError: the file cannot be read or decoded.
        """
        # Imported here: only a baseline asks.
        from lint_epoch.source.text import source_of_bytes

        return source_of_bytes(Path(path), self.data[path]).lines


def check(
    paths: Sequence[str | Path],
    config: Config | None = None,
    *,
    heed_comments: bool = True,
    watch: Callable[[int, int], None] | None = None,
    work: Work | None = None,
) -> Report:
    """Report the faults in files and folders; the whole project around them counts as evidence.

    Args:
        paths: the files and folders to report on, possibly of several projects.
        config: the settings; by default those of each project.
        heed_comments: whether a ``noqa`` or ``lint-epoch: ignore`` comment silences findings.
        watch: told, after each file that was parsed, how many were and how many there may be; possibly by a thread.
        work: a cache and other processes, which change how long it takes; by default neither.

    Raises:
        ConfigError: a project's configuration is wrong.
        SchedulerError: the cluster of ``work`` cannot be used.
    """
    reports = [
        check_project(root, named, config or _config_of(root), heed_comments=heed_comments, watch=watch, work=work)
        for root, named in sorted(by_project(paths).items())
    ]
    return merged(reports)


def by_project(paths: Iterable[str | Path]) -> dict[Path, list[Path]]:
    """Return what the user named, by the root of its project."""
    found: dict[Path, list[Path]] = defaultdict(list)
    for path in paths:
        found[find_root(Path(path))].append(Path(path))
    return found


def _config_of(root: Path) -> Config:
    # Imported here: the flake8 plugin comes with settings of its own.
    from lint_epoch.config import load_config

    return load_config(root)


def baseline_of(config: Config) -> Baseline | None:
    """Return the baseline of the settings, ``None`` if they name none.

    Raises:
        ConfigError: it cannot be read.
    """
    if not config.baseline:
        return None
    # Imported here: few projects have one.
    from lint_epoch.baseline import Baseline

    return Baseline.read(Path(config.baseline))


def check_project(
    root: Path,
    named: Sequence[Path],
    config: Config,
    instead: Mapping[str, bytes] | None = None,
    *,
    heed_comments: bool = True,
    watch: Callable[[int, int], None] | None = None,
    work: Work | None = None,
) -> Report:
    """Report the faults in files and folders of one project.

    Args:
        root: the project's root.
        named: what to report on.
        config: the settings.
        instead: as for ``read_project``.
        heed_comments: whether a comment silences findings.
        watch: as for ``check``.
        work: as for ``check``.
    """
    chosen = named_files(named, root, config.exclude)
    files = read_project(root, config, chosen.files, instead)
    wanted = {path.as_posix() for path in chosen.files}
    outcome = outcome_of(files, config, wanted, work, watch=watch)
    problems = [*chosen.problems, *(problem for problem in files.problems if problem.path in wanted)]
    problems += outcome.problems
    findings, suppressed = _selected(outcome, Selection(root, config), heed_comments)
    known = baseline_of(config)
    # What was analysed need not be what is on the disk, and a baseline knows a finding by the text of its line.
    new = known.new(findings, files.text_lines) if known is not None else findings
    states = [verdict.state for verdict in outcome.verdicts]
    summary = Summary(
        files=len(wanted),
        analysed=outcome.analysed,
        findings=len(new),
        suppressed=suppressed,
        baselined=len(findings) - len(new),
        outdated=known.outdated(wanted - {problem.path for problem in problems}, root, config) if known else 0,
        right=states.count("right"),
        faulty=states.count("faulty"),
        unknown=states.count("unknown"),
    )
    return Report(tuple(new), tuple(sorted(problems, key=_by_place)), outcome.verdicts, summary)


def _selected(outcome: Outcome, selection: Selection, heed_comments: bool) -> tuple[list[Finding], int]:
    """Return the findings of the rules that are on, sorted, and how many a comment silenced."""
    found = [item for item in outcome.found if selection.is_on(item[0].code, item[0].path)]
    kept = [finding for finding, silenced, _ in found if not (silenced and heed_comments)]
    return sorted(kept, key=_in_order), len(found) - len(kept)


def _by_place(problem: Problem) -> tuple[str, int, str]:
    return problem.path, problem.line or 0, problem.message


def read_project(
    root: Path, config: Config, named: Iterable[Path] = (), instead: Mapping[str, bytes] | None = None
) -> Files:
    """Read and sift a project's files.

    Args:
        root: the project's root.
        config: the settings.
        named: files that belong to it whether or not a walk would find them.
        instead: bytes by absolute path that stand in for what is on the disk (unsaved text, a fix not yet written).
    """
    walked = discover(root, config.exclude)
    files = Files(root, {}, {}, list(walked.problems), False)
    telling = telling_names(config)
    for path in sorted({*walked.files, *named}):
        shown = path.as_posix()
        try:
            data = instead[shown] if instead is not None and shown in instead else bytes_of(path)
        except OSError as error:
            files.problems.append(Problem(shown, f"cannot be read: {error.strerror or error}"))
            continue
        if can_take_part(data, telling) or path.name == "__init__.py":
            files.data[shown] = data
            files.has_evidence = files.has_evidence or has_evidence(data, telling)
        else:
            files.others[shown] = len(data)
    return files


def telling_names(config: Config) -> tuple[bytes, ...]:
    """Return the names that make a file worth reading because the user's own tables describe them."""
    if not config.libraries:
        return ()
    # Imported here: few projects have tables of their own.
    from lint_epoch.project import libraries

    return libraries.telling_names(config.libraries)


def bytes_of(path: Path) -> bytes:
    """Return a file's bytes.

    Raises:
        OSError: it cannot be read, or is no regular file (reading a pipe would wait for ever).
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "is not a regular file")
    return path.read_bytes()


def analyse(
    files: Files,
    config: Config,
    wanted: set[str] | None = None,
    watch: Callable[[int, int], None] | None = None,
    work: Work | None = None,
) -> Analysis | None:
    """Run what takes part on abstract values; ``None`` if nothing in the project can be at fault.

    Args:
        files: the project's files.
        config: the settings.
        wanted: the files that are asked about; what cannot influence them is left out. By default all.
        watch: as for ``check``.
        work: as for ``check``.
    """
    if not files.has_evidence:
        return None
    # Imported here: libcst and the interpreter are needed only where something takes part.
    from lint_epoch.analysis import Analysis

    return Analysis(files, config, wanted=wanted, watch=watch, work=work)


def finding_of(analysis: Analysis, draft: Draft) -> Finding:
    """Return a draft with its lines and columns."""
    rule = analysis.rule(draft.code)
    line, column, end_line, end_column = analysis.span(draft.module, draft.at)
    trace = tuple(Hop(module.path, analysis.line(module, at), what) for module, at, what in draft.steps)
    return Finding(
        code=draft.code,
        name=rule.name,
        message=draft.message,
        path=draft.module.path,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        confidence=draft.confidence,
        consequence=draft.consequence or rule.consequence,
        trace=trace,
        fix=draft.offer,
    )


def merged(reports: Sequence[Report]) -> Report:
    """Return the reports of several projects as one."""
    if len(reports) == 1:
        return reports[0]
    names = Summary.__struct_fields__
    totals = {name: sum(getattr(report.summary, name) for report in reports) for name in names}
    return Report(
        tuple(sorted((f for report in reports for f in report.findings), key=_in_order)),
        tuple(sorted((problem for report in reports for problem in report.errors), key=_by_place)),
        tuple(verdict for report in reports for verdict in report.verdicts),
        Summary(**totals),
    )


_remembered: dict[tuple[Path, Config, str | None, str | None], tuple[Files, Outcome]] = {}


def check_file(path: Path, config: Config, text: str | None = None, work: Work | None = None) -> list[Finding]:
    """Return the findings of one file, those under a ``noqa`` included, with the whole project as evidence.

    The project is read once in each process; flake8 asks file by file and does the ``noqa`` comments itself.

    Args:
        path: the file.
        config: the settings.
        text: what to take for the file's content instead of what is on the disk.
        work: as for ``check``.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    path = path.resolve()
    root = find_root(path)
    shown = path.as_posix()
    if config.exclude and is_excluded(str(path), str(root), (IgnoreRules(str(root), config.exclude),)):
        return []
    key = (root, config, shown if text is not None else None, text)
    if key not in _remembered:
        instead = {shown: text.encode("utf-8", "surrogatepass")} if text is not None else None
        # A file outside of what a walk finds must not be evidence for those that are asked about later.
        files = read_project(root, config, () if instead is None else (path,), instead)
        _remembered[key] = (files, outcome_of(files, config, set(files.data), work, only_findings=True))
    files, outcome = _remembered[key]
    if shown not in files.data and shown not in files.others:
        # The file is outside of what a walk of the project finds: it is evidence for itself alone.
        files = read_project(root, config, (path,), None)
        outcome = outcome_of(files, config, set(files.data), work, only_findings=True)
    for problem in outcome.problems:
        if problem.path == shown:
            raise SourceError(path, problem.message, problem.line)
    selection = Selection(root, config)
    found = [finding for finding, _, ignored in outcome.found if finding.path == shown and not ignored]
    new = sorted((one for one in found if selection.is_on(one.code, shown)), key=_in_order)
    known = baseline_of(config)
    return new if known is None else known.new(new, files.text_lines)


def _in_order(finding: Finding) -> tuple[str, int, int, str]:
    return finding.path, finding.line, finding.column, finding.code
