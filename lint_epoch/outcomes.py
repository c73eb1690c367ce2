"""What one analysis of a project found, in a form that a cache can keep, so that the next run need not repeat it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lint_epoch.diagnostics import Finding, Problem, Verdict

if TYPE_CHECKING:
    from lint_epoch.analysis import Analysis
    from lint_epoch.config import Config
    from lint_epoch.engine import Files
    from lint_epoch.work import Work


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """What the analysis says of the files that were asked about, whatever rules are on."""

    found: tuple[tuple[Finding, bool, bool], ...] = ()
    """The findings of all rules, each with whether a comment of either kind silences it, and whether one of ours."""
    verdicts: tuple[Verdict, ...] = ()
    problems: tuple[Problem, ...] = ()
    analysed: int = 0
    """How many of the files were parsed."""
    read: tuple[tuple[str, str], ...] = ()
    """What else it rests on: the paths and digests of files that take no part, but into which an import led."""


_decoder = msgspec.msgpack.Decoder(Outcome)


def outcome_of(
    files: Files,
    config: Config,
    wanted: set[str],
    work: Work | None,
    *,
    watch: Callable[[int, int], None] | None = None,
    only_findings: bool = False,
) -> Outcome:
    """Return what an analysis says of the wanted files; from the cache if it knows one of the very same files.

    Args:
        files: the project's files.
        config: the settings.
        wanted: the files that are asked about.
        work: as for ``engine.check``.
        watch: as for ``engine.check``.
        only_findings: whether verdicts, and what is wrong with files that no run needs, may be left out.
    """
    if not files.has_evidence:
        return Outcome()
    if work is None or work.cache is None or not config.cache:
        alone = replace(work, cache=None) if work is not None else None
        return _analysed(files, config, wanted, alone, watch, only_findings)
    entry = _entry_of(files, config, wanted, only_findings)
    held = work.cache.get(entry)
    if held is not None:
        with suppress(msgspec.DecodeError):
            known = _decoder.decode(held)
            if all(_digest_of(path) == digest for path, digest in known.read):
                return known
    outcome = _analysed(files, config, wanted, work, watch, only_findings)
    # Names of files that are no Unicode, which msgpack has no place for, are found out anew each time.
    with suppress(UnicodeEncodeError):
        work.cache.put(entry, msgspec.msgpack.encode(outcome))
    return outcome


def _entry_of(files: Files, config: Config, wanted: set[str], only_findings: bool) -> str:
    """Return a name for all that an outcome depends on, apart from what runs turn out to read beside it."""
    # Imported here, as below: a run without a cache does without.
    from lint_epoch.source.cache import fingerprint, name_of

    tables: list[bytes | str] = []
    for path in config.libraries:
        tables += [path, Path(path).read_bytes()]
    return name_of(
        *("outcome", fingerprint("."), files.root.as_posix(), str(config.closed_world), str(only_findings)),
        *("tables", *tables),
        *("wanted", *sorted(wanted)),
        *("others", *sorted(files.others)),
        *("files", *(part for path in sorted(files.data) for part in (path, files.data[path]))),
    )


def _digest_of(path: str) -> str:
    from lint_epoch.source.cache import name_of

    try:
        return name_of(Path(path).read_bytes())
    except OSError:
        return ""


def _analysed(
    files: Files,
    config: Config,
    wanted: set[str],
    work: Work | None,
    watch: Callable[[int, int], None] | None,
    only_findings: bool,
) -> Outcome:
    # Imported here: the analysis asks the engine for places.
    from lint_epoch.engine import analyse, finding_of

    analysis = analyse(files, config, wanted, watch, work)
    assert analysis is not None
    findings = [finding_of(analysis, draft) for draft in analysis.found if draft.module.path in wanted]
    problems = [problem for problem in analysis.problems if problem.path in wanted]
    if not only_findings:
        problems += _broken(files, wanted, analysis)
    return Outcome(
        tuple((finding, analysis.silences(finding), analysis.is_ignored(finding)) for finding in findings),
        () if only_findings else analysis.verdicts(wanted),
        tuple(problems),
        len(wanted & analysis.parsed),
        tuple(sorted(analysis.read_beside.items())),
    )


def _broken(files: Files, wanted: set[str], analysis: Analysis) -> list[Problem]:
    """Return why files that could take part could not be parsed, where no run needed to read them."""
    return [problem for path in sorted(wanted & set(files.data)) for problem in analysis.problem_of(path)]
