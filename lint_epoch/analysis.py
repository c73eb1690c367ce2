"""One project, analysed: its drafts of findings, its verdicts, and where things stand in its files."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lint_epoch.diagnostics import Finding, Problem, Verdict
from lint_epoch.facts import records as r
from lint_epoch.facts.stage import cached_facts, unpacked
from lint_epoch.project import libraries, roots, walk
from lint_epoch.project.model import Project
from lint_epoch.project.modules import ModuleFile, ModuleIndex
from lint_epoch.project.reach import groups
from lint_epoch.project.view import Model
from lint_epoch.rules import all_rules
from lint_epoch.rules.base import Draft, Rule
from lint_epoch.selection import Selection
from lint_epoch.source.cache import name_of
from lint_epoch.source.deep import run_deep
from lint_epoch.source.gate import check_syntax
from lint_epoch.source.suppressions import Suppressions
from lint_epoch.source.text import Source, SourceError, source_of_bytes
from lint_epoch.source.triage import can_take_part
from lint_epoch.work import Work

if TYPE_CHECKING:
    from lint_epoch.config import Config
    from lint_epoch.engine import Files
    from lint_epoch.facts.visitor import Span


class Analysis:
    """The finished analysis of one project."""

    def __init__(
        self,
        files: Files,
        config: Config,
        *,
        wanted: set[str] | None = None,
        watch: Callable[[int, int], None] | None = None,
        work: Work | None = None,
    ) -> None:
        self._files = files
        self._work = work if work is not None else Work()
        self._packed: dict[bytes, bytes] = {}
        """What other processes have read, by the bytes of the files."""
        self._config = config
        self._watch = watch
        self._errors: dict[str, SourceError] = {}
        self._spans: dict[str, list[Span]] = {}
        self._rules = {rule.code: rule for rule in all_rules()}
        self.parsed: set[str] = set()
        """The paths of the files that were parsed."""
        self.models: list[Model] = []
        """A model for each group of files that imports join."""
        self.read_beside: dict[str, str] = {}
        """The digests of files that take no part but were read, since an import led into them, by path."""
        self.found: list[Draft] = run_deep(lambda: self._run(wanted))
        """What all rules say."""

    @functools.cached_property
    def drafts(self) -> list[Draft]:
        """What the rules say that are on where they say it.

        Raises:
            ConfigError: the settings of a folder below the root cannot be used.
        """
        selection = Selection(self._files.root, self._config)
        return [draft for draft in self.found if selection.is_on(draft.code, draft.module.path)]

    def _modules(self, telling: tuple[bytes, ...]) -> list[ModuleFile]:
        root = self._files.root.as_posix().rstrip("/") + "/"
        found: list[ModuleFile] = []
        for path in sorted([*self._files.data, *self._files.others]):
            module = ModuleFile(path, path.removeprefix(root), self._read)
            data = self._files.data.get(path)
            module.takes_part = data is not None and can_take_part(data, telling)
            found.append(module)
        return found

    def _run(self, wanted: set[str] | None) -> list[Draft]:
        data = self._files.data
        telling = libraries.telling_names(self._config.libraries)
        index = ModuleIndex(self._modules(telling))
        found: dict[tuple[str, str, int], Draft] = {}
        chosen = [
            taking_part
            for group, taking_part in groups(index, lambda module: data.get(module.path), telling)
            if wanted is None or not wanted.isdisjoint(module.path for module in group)
        ]
        self._packed = self._work.facts_of_all([data[module.path] for taking_part in chosen for module in taking_part])
        for taking_part in chosen:
            project = Project(index, closed_world=self._config.closed_world, tables=self._config.libraries)
            roots.run_all(project, taking_part)
            model = Model(project, self.line)
            self.models.append(model)
            for draft in self._drafts(model):
                known = found.get((draft.code, draft.module.path, draft.at))
                if known is None or (draft.repairs and not known.repairs):
                    found[draft.code, draft.module.path, draft.at] = draft
            walk.forget()
        return list(found.values())

    def _drafts(self, model: Model) -> Iterator[Draft]:
        for rule in self._rules.values():
            yield from rule.check(model)

    # --- files -----------------------------------------------------------------------------------------------------

    def source(self, path: str) -> Source:
        """Return a file's text.

        Raises:
            SourceError: the file cannot be read or decoded.
        """
        return source_of_bytes(Path(path), self._bytes_of(path))

    def _bytes_of(self, path: str) -> bytes:
        data = self._files.data.get(path)
        if data is None:
            try:
                data = Path(path).read_bytes()
            except OSError as error:  # it was there when the project was walked
                raise SourceError(Path(path), f"cannot be read: {error.strerror or error}") from error
            self.read_beside[path] = name_of(data)
        return data

    def _read(self, path: str) -> r.Module | None:
        try:
            data = self._bytes_of(path)
            packed = self._packed.pop(data, None)
            facts = (unpacked(packed) if packed is not None else None) or cached_facts(data, self._work.cache)
            facts.raise_error(Path(path))
        except SourceError as error:
            self._errors[path] = error
            return None
        self.parsed.add(path)
        if self._watch is not None:
            self._watch(len(self.parsed), len(self._files.data))
        return facts.module

    def problem_of(self, path: str) -> list[Problem]:
        """Return what is wrong with a file that no run needed, so that none is left unchecked in silence."""
        if path in self.parsed or path in self._errors:
            return []
        try:
            # The gate is some ten times cheaper than a tree that nobody will read.
            host_error = check_syntax(self.source(path))
            if host_error is not None:
                # Imported here, as below: what a cache knows of a file without findings does without libcst.
                from lint_epoch.source.parsing import parse

                parse(self.source(path))
        except SourceError as error:
            return [error.problem]
        return []

    @property
    def problems(self) -> list[Problem]:
        """Why files could not be parsed."""
        return [error.problem for error in self._errors.values()]

    def raise_problem(self, path: str) -> None:
        """Raise the SourceError of a file, if it could not be parsed."""
        if path in self._errors:
            raise self._errors[path]

    # --- places ----------------------------------------------------------------------------------------------------

    def _positions(self, path: str) -> list[Span]:
        known = self._spans.get(path)
        if known is None:
            from lint_epoch.facts.visitor import positions
            from lint_epoch.source.parsing import parse

            tree = parse(self.source(path))
            known = self._spans[path] = run_deep(lambda: positions(tree))
        return known

    def line(self, module: ModuleFile, at: int) -> int:
        """Return the line of a node, counted from 1."""
        return self._positions(module.path)[at][0]

    def lines(self, module: ModuleFile, at: int) -> tuple[int, int]:
        """Return the first and the last line of a node, counted from 1."""
        line, _, last, _ = self._positions(module.path)[at]
        return line, last

    def span(self, module: ModuleFile, at: int) -> Span:
        """Return where to point for a node: its own span, or the rest of its first line if it has several."""
        line, column, end_line, end_column = self._positions(module.path)[at]
        if end_line != line:
            text = self._lines(module.path)[line - 1]
            end_line, end_column = line, len(text.rstrip()) + 1
        return line, column, end_line, max(end_column, column)

    @functools.cache  # noqa: B019 - an analysis lives as long as its process needs it
    def _lines(self, path: str) -> list[str]:
        return self.source(path).lines

    # --- answers -----------------------------------------------------------------------------------------------------

    def rule(self, code: str) -> Rule:
        """Return the rule of a code."""
        return self._rules[code]

    @functools.cache  # noqa: B019 - as above
    def _suppressions(self, path: str) -> Suppressions:
        return Suppressions.of(self.source(path).text)

    def silences(self, finding: Finding) -> bool:
        """Whether a comment of either kind silences a finding."""
        return self._suppressions(finding.path).silences(finding.code, finding.line)

    def is_ignored(self, finding: Finding) -> bool:
        """Whether a ``lint-epoch: ignore`` comment silences a finding."""
        return self._suppressions(finding.path).ignores(finding.code, finding.line)

    def verdicts(self, wanted: set[str]) -> tuple[Verdict, ...]:
        """Return what the model says of each loop on an epoch path in the wanted files."""
        ranks = {"faulty": 0, "unknown": 1, "right": 2}
        found: dict[tuple[str, int], tuple[Literal["right", "faulty", "unknown"], str]] = {}
        for verdict in (verdict for model in self.models for verdict in model.verdicts):
            module, at = verdict.repeat.loop.module, verdict.repeat.loop.record.at
            known = found.get((module.path, at))
            if known is None or ranks[verdict.state] < ranks[known[0]]:
                found[module.path, at] = (verdict.state, verdict.why)
        for module, at, why in (loop for model in self.models for loop in model.unknown_loops()):
            found.setdefault((module.path, at), ("unknown", why))
        by_place = sorted(item for item in found.items() if item[0][0] in wanted)
        return tuple(Verdict(path, self._positions(path)[at][0], state, why) for (path, at), (state, why) in by_place)
