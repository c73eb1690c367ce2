"""What ``lint-epoch check`` and ``lint-epoch fix`` do once the command line has been read."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from lint_epoch.config import Config, ConfigError, project_config, read_config
from lint_epoch.engine import check, check_project, merged
from lint_epoch.exits import CLEAN, FAILED, FOUND
from lint_epoch.progress import watcher
from lint_epoch.report import render
from lint_epoch.report.output import say, write_whole
from lint_epoch.report.paths import counted, harmless, shown
from lint_epoch.report.view import Colour, View, can_draw, repository_of, wants_colour

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lint_epoch.diagnostics import Problem, Report
    from lint_epoch.fixes.driver import FixResult
    from lint_epoch.fixes.rounds import FileChange
    from lint_epoch.work import Work


Upkeep = Literal["settings", "files", "add noqa", "write baseline", "remove unused"]


class Refusal(click.ClickException):
    """A configuration that cannot be used, or a report that cannot be written."""

    exit_code = FAILED

    def show(self, file: object = None) -> None:
        """Print the message as the errors of checked files are printed."""
        say(f"{harmless(self.message)}\n", error=True)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asked for, as the command line's options of the same names say it."""

    paths: tuple[Path, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    extend_select: tuple[str, ...]
    config_file: Path | None
    diff: bool
    unsafe_fixes: bool
    exit_zero: bool
    interactive: bool = False
    output_format: str = "text"
    output_file: Path | None = None
    heed_comments: bool = True
    baseline: Path | None = None
    color: Colour = "auto"
    jobs: int | None = None
    no_cache: bool = False
    cache_dir: Path | None = None
    scheduler: str | None = None


def report_findings(request: Request) -> int:
    """Check, show what was found, and return the exit status."""
    view = _view(request)
    groups = _by_config(request, view)
    heed = request.heed_comments
    with _refusals(view), watcher(sys.stderr) as watch, _work(request) as work:
        report = merged(
            [check(paths, config, heed_comments=heed, watch=watch, work=work) for config, paths in groups.items()]
        )
    _show_errors(report.errors, view)
    _publish(report, request, view)
    return _status(request, bool(report.findings), report.errors)


def report_unused(request: Request) -> int:
    """Show the comments that silence nothing, and return the exit status."""
    # Imported here: it needs libcst, and is seldom asked for.
    from lint_epoch.upkeep import unused_suppressions

    view = _view(request)
    groups = _by_config(request, view)
    with _checking(request, view) as check_one:
        report = unused_suppressions(groups, check_one)
    _show_errors(report.errors, view)
    _publish(report, request, view)
    return _status(request, bool(report.findings), report.errors)


@contextlib.contextmanager
def _checking(request: Request, view: View) -> Iterator[Callable[..., Report]]:
    """Give what checks one project as this run should."""
    with _refusals(view), watcher(sys.stderr) as watch, _work(request) as work:
        yield functools.partial(check_project, watch=watch, work=work)


@contextlib.contextmanager
def _work(request: Request) -> Iterator[Work]:
    """Give what the user allows a check to work with, and keep its cache small."""
    # Imported here: `trace` and others do without.
    from lint_epoch.work import SchedulerError, open_work

    work = open_work(
        use_cache=not request.no_cache, cache_dir=request.cache_dir, jobs=request.jobs, scheduler=request.scheduler
    )
    try:
        yield work
    except SchedulerError as error:
        raise Refusal(f"error: {error}") from error
    finally:
        if work.cache is not None:
            work.cache.prune()


def mend(request: Request, *, changes_count: bool) -> int:
    """Fix, or with ``diff`` show what fixing would change; show what remains, and return the exit status.

    Args:
        request: what the user asked for.
        changes_count: whether having changed something is an exit status of its own, even if nothing remains.
    """
    # Imported here: it needs libcst, which a check of a project without loaders does not.
    from lint_epoch.fixes.driver import fix

    view = _view(request)
    decide = None
    if request.interactive:
        # Imported here: it needs difflib, and is seldom asked for.
        from lint_epoch.asking import Asker

        decide = Asker(view)
    groups = _by_config(request, view)
    with _refusals(view):
        results = [
            fix(paths, config, unsafe=request.unsafe_fixes, write=not request.diff, decide=decide)
            for config, paths in groups.items()
        ]
    changes = [change for result in results for change in result.changes]
    remaining = merged([result.report for result in results])
    errors = dict.fromkeys((*(error for result in results for error in result.errors), *remaining.errors))
    _show_errors(errors, view)
    _tell_changes(changes, results, request, view)
    if request.diff:
        _write_patch(changes, request, view)
        say(f"{counted(len(remaining.findings), 'finding')} would remain\n", error=True)
    else:
        _publish(remaining, request, view)
    found = bool(remaining.findings) or (bool(changes) and (changes_count or request.diff))
    return _status(request, found, remaining.errors, failed=len(errors) > len(set(remaining.errors)))


def tend(request: Request, what: Upkeep, *, target: Path | None = None) -> int:
    """Do what an option asks for instead of a report, say what was done, and return the exit status.

    Args:
        request: what the user asked for.
        what: the work.
        target: the baseline to write.
    """
    # Imported here: it needs libcst, and is seldom asked for.
    from lint_epoch import upkeep

    view = _view(request)
    groups = _by_config(request, view)
    with _checking(request, view) as check_one:
        if what == "settings":
            _say_whole(upkeep.settings(groups, request.config_file), request)
            return CLEAN
        if what == "files":
            outcome = upkeep.files(groups, view.folder)
        elif what == "add noqa":
            outcome = upkeep.add_noqa(groups, view.folder, check_one)
        elif target is not None:
            text, outcome = upkeep.new_baseline(groups, target, check_one)
            _write_file(target, text.encode())
        else:
            outcome = upkeep.remove_unused(groups, view.folder, check_one, write=not request.diff)
    _show_errors(outcome.errors, view)
    told = "".join(f"{line}\n" for line in outcome.lines)
    if request.diff:
        say(told, error=True)
        _write_patch(outcome.changes, request, view)
    else:
        _say_whole(told, request)
    return _status(request, outcome.found, outcome.errors)


def _say_whole(text: str, request: Request) -> None:
    if request.output_file is None:
        say(text)
    else:
        _write_file(request.output_file, text.encode("utf-8", "backslashreplace"))


def _by_config(request: Request, view: View) -> dict[Config, list[Path]]:
    """The paths, together where the same settings count for them: each project has its own."""
    groups: dict[Config, list[Path]] = {}
    with _refusals(view):
        named = None if request.config_file is None else read_config(request.config_file)
        for path in request.paths:
            config = project_config(path) if named is None else named
            config = config.overruled(select=request.select, ignore=request.ignore, extend_select=request.extend_select)
            if request.baseline is not None:
                config = msgspec.structs.replace(config, baseline=request.baseline.absolute().as_posix())
            groups.setdefault(config, []).append(path)
    return groups


@contextlib.contextmanager
def _refusals(view: View) -> Iterator[None]:
    """Turn settings that cannot be used into an end of the program."""
    try:
        yield
    except ConfigError as error:
        raise Refusal(f"{shown(Path(error.path).as_posix(), view.folder)}: error: {error.message}") from error


def _status(request: Request, found: bool, unchecked: Sequence[Problem], *, failed: bool = False) -> int:
    """The exit status.

    Args:
        request: tells whether findings, and files that could not be checked, are to pass.
        found: whether there is something that the user must look at.
        unchecked: paths that could not be checked.
        failed: whether something else went wrong.
    """
    # Not Path.exists(), which raises where a folder on the way may not be read.
    tolerated = request.exit_zero and all(os.path.exists(path) for path in request.paths)  # noqa: PTH110
    if failed or (unchecked and not tolerated):
        return FAILED
    return FOUND if found and not request.exit_zero else CLEAN


def _folder() -> str:
    try:
        return Path.cwd().as_posix()
    except FileNotFoundError as error:
        raise Refusal("error: the working folder has been removed") from error


def _view(request: Request) -> View:
    folder = _folder()
    repository = repository_of(folder, os.environ)
    if request.output_file is not None:
        return View(folder=folder, repository=repository)
    colour, drawing = wants_colour(sys.stdout, os.environ, request.color), can_draw(sys.stdout)
    return View(folder=folder, colour=colour, drawing=drawing, repository=repository)


def _show_errors(errors: Iterable[Problem], view: View) -> None:
    for error in errors:
        where = shown(error.path, view.folder) + ("" if error.line is None else f":{error.line}")
        say(f"{where}: error: {harmless(error.message)}\n", error=True)


def _tell_changes(changes: Sequence[FileChange], results: Sequence[FixResult], request: Request, view: View) -> None:
    """Say on the error stream which files change, and for which rules."""
    verb = "would mend" if request.diff else "mended"
    applied = [finding for result in results for finding in result.applied]
    for change in changes:
        codes = Counter(finding.code for finding in applied if finding.path == change.path)
        named = ", ".join(code if count == 1 else f"{code} ({count})" for code, count in sorted(codes.items()))
        say(f"{verb} {shown(change.path, view.folder)}" + (f": {named}\n" if named else "\n"), error=True)


def _publish(report: Report, request: Request, view: View) -> None:
    """Write the report, and on GitHub also the table on the job's page."""
    text = render(request.output_format, report, view)
    if request.output_file is None:
        say(text, colour=view.colour)
    else:
        _write_file(request.output_file, text.encode("utf-8", "backslashreplace"))
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if request.output_format == "github" and page:
        # Imported here: see `render`.
        from lint_epoch.report.github import summary

        try:
            with Path(page).open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(summary(report, view))
        except OSError as error:
            raise Refusal(f"{page}: error: cannot be written: {error.strerror or error}") from error


def _write_patch(changes: Sequence[FileChange], request: Request, view: View) -> None:
    # Imported here: difflib is needed for nothing else.
    from lint_epoch.report.diff import patch, shown_patch

    if request.output_file is None:
        say(shown_patch(changes, view), colour=view.colour)
    else:
        _write_file(request.output_file, patch(changes, view.folder))


def _write_file(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise Refusal(f"{path}: error: cannot be written: {error.strerror or error}") from error
