"""Mends a project: rounds of analysis and edits up to a fixed point, inner wrappers before outer ones.

Each round is held against the next analysis: what it mended must be gone, and nothing new may have come that nobody
can mend. Where that fails, the round is undone and its fixes are tried one by one, so that one bad fix, or one that
cannot be carried out, does not keep the others back.
"""

from __future__ import annotations

import platform
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lint_epoch.diagnostics import Finding, Problem
from lint_epoch.engine import Files, analyse, finding_of, read_project
from lint_epoch.fixes.errors import FixError

if TYPE_CHECKING:
    from lint_epoch.analysis import Analysis
    from lint_epoch.config import Config
    from lint_epoch.rules.base import Draft

#: Rounds of analysis and edits. A tower of wrappers needs one for each storey and one for the loop; the tallest real
#: one has six. Where fixes are made one by one, each of them may take as many.
MOST_ROUNDS = 12

Key = tuple[str, str, str]
"""What tells a finding from others of its file, whatever lines it moves to: code, path, message without numbers."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a fix makes of one file."""

    path: str
    before: bytes
    after: bytes
    encoding: str


Decide = Callable[[Finding, FileChange], bool]


@dataclass(slots=True)
class Work:
    """The state of one project while it is mended."""

    root: Path
    config: Config
    named: tuple[Path, ...]
    unsafe: bool
    decide: Decide | None = None
    original: dict[str, bytes] = field(default_factory=dict)
    """The bytes of changed files as they were."""
    instead: dict[str, bytes] = field(default_factory=dict)
    """The bytes of changed files as they are to be."""
    applied: list[Finding] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)
    refused: set[Key] = field(default_factory=set)
    """Findings that are not mended: their fix failed, or the user did not want it."""
    alone: bool = False
    """Whether each round makes one fix only."""


@dataclass(frozen=True, slots=True)
class _Round:
    """What one round did, and what was there before."""

    drafts: list[Draft]
    keys: Counter[Key]
    instead: dict[str, bytes]
    applied: int


def mend(work: Work) -> None:
    """Mend a project in memory: fill ``instead``, ``applied`` and ``errors``."""
    wanted = {path.as_posix() for path in work.named}
    done: _Round | None = None
    rounds, limit = 0, MOST_ROUNDS
    while rounds < limit:
        rounds += 1
        files = read_project(work.root, work.config, work.named, work.instead)
        analysis = analyse(files, work.config, wanted)
        if analysis is None:
            return
        if done is not None and (fault := _fault(work, done, analysis, wanted)):
            _undo(work, done, fault)
            limit += MOST_ROUNDS * len(done.drafts)
            done = None
            continue
        drafts = list(_ready(work, analysis, wanted))
        if work.decide is not None and rounds == 1:
            limit *= max(1, len(drafts))
        before = _Round([], _keys(work, analysis, wanted), dict(work.instead), len(work.applied))
        mended = _one_round(work, files, analysis, drafts)
        if not mended:
            return
        done = _Round(mended, before.keys, before.instead, before.applied)
    _give_up(work, done.drafts if done is not None else [])


def key_of(draft: Draft) -> Key:
    """Return what tells a draft from others of its file."""
    return draft.code, draft.module.path, re.sub(r"\d+", "", draft.message)


def _shown(work: Work, analysis: Analysis, wanted: set[str]) -> Iterator[Draft]:
    """Yield the drafts that a check would report."""
    for draft in analysis.drafts:
        if draft.module.path in wanted and work.config.is_on(draft.code):
            if not analysis.silences(finding_of(analysis, draft)):
                yield draft


def _keys(work: Work, analysis: Analysis, wanted: set[str]) -> Counter[Key]:
    return Counter(key_of(draft) for draft in _shown(work, analysis, wanted))


def _ready(work: Work, analysis: Analysis, wanted: set[str]) -> Iterator[Draft]:
    """Yield the drafts that can be mended now, and that the user wants to be."""
    for draft in _shown(work, analysis, wanted):
        if draft.offer is not None and draft.repairs and key_of(draft) not in work.refused:
            if draft.offer.safety == "safe" or work.unsafe or work.decide is not None:
                yield draft


# --- one round -------------------------------------------------------------------------------------------------------


def _one_round(work: Work, files: Files, analysis: Analysis, drafts: Sequence[Draft]) -> list[Draft]:
    """Make the edits of one round; return the drafts of which some were made."""
    if work.alone or work.decide is not None:
        for draft in drafts:
            if _edit(work, files, analysis, draft.repairs[0].path, [draft]):
                return [draft]
        return []
    by_file: dict[str, list[Draft]] = defaultdict(list)
    for draft in drafts:
        for path in sorted({repair.path for repair in draft.repairs}):
            by_file[path].append(draft)
    return [draft for path, some in sorted(by_file.items()) for draft in _edit(work, files, analysis, path, some)]


def _edit(work: Work, files: Files, analysis: Analysis, path: str, drafts: list[Draft]) -> list[Draft]:
    """Make the edits of one file; return the drafts of which some were made."""
    if path not in files.data:
        return []
    mender = _Mender(analysis, path)
    try:
        data, undone = mender.mended(drafts)
    except FixError:
        drafts = list(_possible(work, mender, path, drafts))
        data, undone = mender.mended(drafts)
    if data is None:
        return []
    if work.decide is not None and not work.decide(
        finding_of(analysis, drafts[0]), FileChange(path, files.data[path], data, analysis.source(path).encoding)
    ):
        work.refused.add(key_of(drafts[0]))
        return []
    work.original.setdefault(path, files.data[path])
    work.instead[path] = data
    made = [draft for draft in drafts if not any(repair in undone for repair in draft.repairs)]
    work.applied += [finding_of(analysis, draft) for draft in made]
    return made


def _possible(work: Work, mender: _Mender, path: str, drafts: Sequence[Draft]) -> Iterator[Draft]:
    """Yield the drafts that can be mended together; refuse those that cannot be, leave the others for another round."""
    kept: list[Draft] = []
    for draft in drafts:
        try:
            mender.mended([*kept, draft])
        except FixError:
            try:
                mender.mended([draft])
            except FixError as error:
                _refuse(work, draft, path, str(error))
            continue
        kept.append(draft)
        yield draft


class _Mender:
    """One file that is mended in memory."""

    def __init__(self, analysis: Analysis, path: str) -> None:
        # Imported here: most runs of the command line mend nothing.
        from lint_epoch.facts.visitor import nodes_of
        from lint_epoch.source.deep import run_deep
        from lint_epoch.source.parsing import parse

        self._path = path
        self._source = analysis.source(path)
        self._tree = parse(self._source)
        self._nodes = run_deep(lambda: nodes_of(self._tree))

    def mended(self, drafts: Sequence[Draft]) -> tuple[bytes | None, list[object]]:
        """Return the verified bytes with the repairs of some drafts, and the repairs that were not made.

        There are no bytes if nothing is to be changed.

        Raises:
            FixError: a repair cannot be carried out.
        """
        from lint_epoch.fixes.plan import plan_file
        from lint_epoch.fixes.spans import apply
        from lint_epoch.fixes.verify import verify
        from lint_epoch.source.deep import run_deep

        repairs = [repair for draft in drafts for repair in draft.repairs if repair.path == self._path]
        plan = run_deep(lambda: plan_file(repairs, self._tree, self._source.text, self._nodes))
        undone: list[object] = [*plan.deferred, *plan.idle]
        if not plan.edits:
            return None, undone
        after, _ = apply(self._source.text, plan.edits)
        return verify(self._source, self._tree, plan.edits, after), undone


# --- whether it helped -----------------------------------------------------------------------------------------------


def _fault(work: Work, done: _Round, analysis: Analysis, wanted: set[str]) -> str:
    """Return what is wrong with a round: a finding that stays, or a new one for which there is no mend."""
    now = _keys(work, analysis, wanted)
    for key in (key_of(draft) for draft in done.drafts):
        if now[key] >= done.keys[key]:
            return f"the fix would not have mended {key[0]}"
    counts = Counter(key[:2] for key in now.elements())
    known = Counter(key[:2] for key in done.keys.elements())
    for draft in _shown(work, analysis, wanted):
        place = draft.code, draft.module.path
        if counts[place] > known[place] and key_of(draft) not in done.keys and draft.offer is None:
            return f"the fix would have brought {draft.code}: {draft.message}"
    return ""


def _undo(work: Work, done: _Round, fault: str) -> None:
    """Take a round back; refuse its only fix, or go on with its fixes one by one."""
    work.instead = done.instead
    del work.applied[done.applied :]
    if len(done.drafts) == 1:
        _refuse(work, done.drafts[0], done.drafts[0].module.path, fault)
    else:
        work.alone = True


def _refuse(work: Work, draft: Draft, path: str, why: str) -> None:
    work.refused.add(key_of(draft))
    work.errors.append(Problem(path, f"not mended ({draft.code}): {why}"))


def _give_up(work: Work, last: Sequence[Draft]) -> None:
    """Undo everything, with a message that is a bug report."""
    from lint_epoch import __version__

    codes = ", ".join(sorted({draft.code for draft in last}))
    work.errors.append(
        Problem(
            work.root.as_posix(),
            f"the fixes did not come to rest after {MOST_ROUNDS} rounds; nothing was written. This is a fault in "
            f"lint-epoch, not in your code. Please report it with the files {', '.join(sorted(work.instead))}, the "
            f"codes of the last round ({codes}), and these versions: lint-epoch {__version__}, "
            f"Python {platform.python_version()}",
        )
    )
    work.instead.clear()
    work.applied.clear()
