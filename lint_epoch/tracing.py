"""The epoch paths that lead through a place: what ``lint-epoch trace`` draws.

A check reports what is faulty. This shows all that the model knows: right paths with the route by which the call
arrives, faulty ones with the hop at which it is lost, and unknown ones with the hop at which sight is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from lint_epoch.diagnostics import Hop
from lint_epoch.engine import analyse, read_project
from lint_epoch.facts.text import text_of
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.passes import GuardSeen
from lint_epoch.project.values import Object, Unknown
from lint_epoch.source.roots import find_root

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from lint_epoch.analysis import Analysis
    from lint_epoch.config import Config
    from lint_epoch.project.modules import ModuleFile
    from lint_epoch.project.passes import EpochSet
    from lint_epoch.project.verdicts import Verdict
    from lint_epoch.project.view import Model, Step
    from lint_epoch.rules.base import Draft

    _Drawn = tuple["EpochPath", set[tuple[str, int]], list[tuple[str, int, int]]]
    """A path, the places on it (path and line), and the classes and loops around it (path, first and last line)."""

State = Literal["right", "faulty", "unknown"]

#: The kind of loop by which the model judges a class that no code of the project iterates.
_ANYBODY = "any user's"


class EpochPath(msgspec.Struct, frozen=True):
    """One path, from the loop or guard to what needs the epoch."""

    state: State
    why: str
    hops: tuple[Hop, ...]
    mark: int | None = None
    """The index of the hop at which the call, or sight of it, is lost."""
    route: tuple[Hop, ...] = ()
    """The calls by which the epoch arrives, from the consumer's to the last."""
    findings: tuple[str, ...] = ()
    """What is reported of it, each as ``CODE`` and its place."""


def epoch_paths(path: Path, line: int | None, config: Config) -> list[EpochPath]:
    """Return the epoch paths that lead through a file, or through one line of it, sorted by where they begin.

    Args:
        path: the file.
        line: a line of it, counted from 1: of a loop, a guard, a call, or in a class; ``None`` for all.
        config: the settings of its project.

    Raises:
        SourceError: the file cannot be parsed.
    """
    path = path.resolve()
    shown = path.as_posix()
    files = read_project(find_root(path), config, (path,))
    analysis = analyse(files, config, {shown})
    if analysis is None:
        return []
    analysis.raise_problem(shown)
    found: list[_Drawn] = []
    for model in analysis.models:
        drawer = _Drawer(analysis, model)
        found += drawer.of_verdicts()
        found += drawer.of_unknown_loops()
    found += _of_other_findings(analysis, {name for path, _, _ in found for name in path.findings})
    for model in analysis.models:
        drawer = _Drawer(analysis, model)
        if line is not None and not any((shown, line) in places for _, places, _ in found):
            found += drawer.of_guards(shown, line)
    if line is None:
        chosen = [one for one, places, _ in found if any(place == shown for place, _ in places)]
    else:
        chosen = [one for one, places, _ in found if (shown, line) in places]
        chosen = chosen or [
            one for one, _, areas in found if any(at == shown and first <= line <= last for at, first, last in areas)
        ]
    return sorted(dict.fromkeys(chosen), key=_in_order)


def _of_other_findings(analysis: Analysis, named: set[str]) -> Iterator[_Drawn]:
    """What is reported of something else than a loop that gets no epoch: of its length, its state, its shards."""
    for draft in analysis.drafts:
        if _name(analysis, draft) not in named:
            own = draft.module.path, analysis.line(draft.module, draft.at)
            hops = tuple(Hop(module.path, analysis.line(module, at), what) for module, at, what in draft.steps)
            places = [(hop.path, hop.line) for hop in hops]
            mark = places.index(own) if own in places else 0
            why = analysis.rule(draft.code).name.replace("-", " ")
            yield EpochPath("faulty", why, hops, mark, (), (_name(analysis, draft),)), {*places, own}, []


def _name(analysis: Analysis, draft: Draft) -> str:
    return f"{draft.code} at {draft.module.shown}:{analysis.line(draft.module, draft.at)}"


def _in_order(path: EpochPath) -> tuple[object, ...]:
    first, hops = path.hops[0], (*path.hops, *path.route)
    return first.path, first.line, path.why, [(hop.path, hop.line, hop.what) for hop in hops]


class _Drawer:
    """Turns what one model says into paths; each comes with the places on it, and the classes and loops around it."""

    def __init__(self, analysis: Analysis, model: Model) -> None:
        self._analysis = analysis
        self._model = model

    def of_verdicts(self) -> Iterator[_Drawn]:
        real = {
            id(source.cls)
            for verdict in self._model.verdicts
            if verdict.repeat.loop.kind != _ANYBODY
            for source in verdict.repeat.sources()
        }
        for verdict in self._model.verdicts:
            steps = self._model.steps(verdict.repeat)
            if verdict.repeat.loop.kind == _ANYBODY:
                if all(id(source.cls) in real for source in verdict.repeat.sources()):
                    continue  # what the project's own loops show says more
                module, at, _ = steps[0]
                steps[0] = (module, at, f"anybody's loop reads {verdict.repeat.consumer.text}")
            hops = self._hops(steps)
            route = self._route(verdict)
            mark = self._mark(verdict, steps)
            if (unseen := self._unseen(verdict)) is not None:
                mark, hops = len(hops), (*hops, unseen)
            reported = self._reported(verdict, steps) if verdict.state == "faulty" else []
            names = sorted({_name(self._analysis, draft) for draft in reported})
            drawn = EpochPath(verdict.state, verdict.why, hops, mark, route, tuple(names))
            places = {(hop.path, hop.line) for hop in (*hops, *route)}
            places |= {self._place(draft.module, draft.at) for draft in reported}
            places |= {self._place(attempt.moment.module, attempt.moment.at) for attempt in verdict.attempts}
            loop = verdict.repeat.loop
            places.add(self._place(loop.module, loop.record.at))
            areas = [(loop.module.path, *self._analysis.lines(loop.module, loop.record.at))]
            for source in verdict.repeat.sources():
                if isinstance(source.cls, ProjectClass):
                    module, at = source.cls.module, source.cls.record.at
                    areas.insert(0, (module.path, *self._analysis.lines(module, at)))
                    places.add(self._place(module, at))
            yield drawn, places, areas

    def of_unknown_loops(self) -> Iterator[_Drawn]:
        judged = {self._place(v.repeat.loop.module, v.repeat.loop.record.at) for v in self._model.verdicts}
        for module, at, why in self._model.unknown_loops():
            place = self._place(module, at)
            if place not in judged:
                hop = Hop(*place, "the loop reads a loader that cannot be followed")
                yield EpochPath("unknown", why, (hop,), 0), {place}, [(module.path, *self._analysis.lines(module, at))]

    def of_guards(self, path: str, line: int) -> Iterator[_Drawn]:
        """The guards on a line that stands on no path."""
        for occurrences in self._model.guards.values():
            guard = occurrences[0][0]
            if self._place(guard.moment.module, guard.moment.at) == (path, line):
                drawn = self._guard([seen for seen, _ in occurrences])
                yield drawn, {(path, line)}, []

    def _guard(self, seen: list[GuardSeen]) -> EpochPath:
        answers = {one.answer for one in seen}
        subject = text_of(seen[0].subject_record)
        hops = [Hop(*self._place(seen[0].moment.module, seen[0].moment.at), f"the guard asks {subject}")]
        mark = None
        for value in dict.fromkeys(value for one in seen for value in one.subject):
            module = value.site[0] if isinstance(value, Object) else None
            if isinstance(value, Object) and module is not None:
                hops.append(Hop(*self._place(module, value.site[1]), f"which may be this {value.cls.name}"))
            elif isinstance(value, Unknown) and mark is None:
                mark = len(hops)
                hops.append(Hop(hops[0].path, hops[0].line, f"which cannot be seen: {value.reason}"))
        if answers == {False}:
            return EpochPath("faulty", "the guard is never true", tuple(hops), 0)
        if answers == {True}:
            return EpochPath("right", "the guard is true each time", tuple(hops))
        return EpochPath("unknown", "whether the guard is true cannot be told", tuple(hops), mark)

    # --- parts -------------------------------------------------------------------------------------------------------

    def _place(self, module: ModuleFile, at: int) -> tuple[str, int]:
        return module.path, self._analysis.line(module, at)

    def _hops(self, steps: Iterable[Step]) -> tuple[Hop, ...]:
        return tuple(Hop(*self._place(module, at), what) for module, at, what in steps)

    def _route(self, verdict: Verdict) -> tuple[Hop, ...]:
        if verdict.state != "right" or not verdict.evidence:
            return ()
        last = verdict.evidence[-1]
        if last.how == "itself" and last.origin is last.moment:
            return (self._arrival(last),)  # a loader of a framework sets those of all that it holds at once
        outer = {id(frame) for frame in last.moment.frame.chain()}
        # Each call of a wrapper's own set_epoch on the way was seen, too, with the same call as its origin.
        way = [
            epoch
            for epoch in verdict.repeat.trace.epochs
            if epoch.origin is last.origin
            and epoch.moment.order <= last.moment.order
            and id(epoch.moment.frame) in outer
        ]
        return tuple(self._arrival(epoch) for epoch in way or [last])

    def _arrival(self, epoch: EpochSet) -> Hop:
        place = self._place(epoch.moment.module, epoch.moment.at)
        name = epoch.target.cls.name
        said = {
            "call": f"set_epoch is called on {name}",
            "assignment": f"the epoch of {name} is assigned",
            "itself": f"{name} sets its own epoch",
        }
        return Hop(*place, said[epoch.how])

    def _unseen(self, verdict: Verdict) -> Hop | None:
        """Where an object of an unknown path leaves what can be seen."""
        repeat = verdict.repeat
        if verdict.state != "unknown":
            return None
        for call in repeat.trace.calls:
            if call.moment.order < repeat.second.moment.order:
                place = self._place(call.moment.module, call.moment.at)
                if call.kind == "escape" and verdict.why == f"{call.name}() was given it":
                    return Hop(*place, f"here {call.name}() is given one of them, and may set the epoch")
                if call.kind == "unseen" and repeat.inside_loop(call.moment):
                    return Hop(*place, "here set_epoch is called on something that cannot be seen")
        return None

    def _mark(self, verdict: Verdict, steps: list[Step]) -> int | None:
        """The hop at which the call is lost, or sight of it."""
        if verdict.state == "right":
            return None
        if verdict.state == "unknown":
            return len(steps) - 1
        culprit: object = None
        if verdict.fault in ("wrapper repeats", "generator repeats"):
            repeater = verdict.repeat.repeater()
            culprit = repeater.source if repeater is not None else None
        elif verdict.fault == "stops at a wrapper":
            culprit = verdict.evidence[-1].target
        elif verdict.attempts:
            attempt = verdict.attempts[0]
            values = attempt.subject if isinstance(attempt, GuardSeen) else attempt.values
            culprit = next((value for value in values if verdict.repeat.concerns(value)), None)
        if not isinstance(culprit, Object):
            return 0
        sites = [(module, at) for module, at, _ in steps]
        return sites.index(culprit.site) if culprit.site in sites else 0

    def _reported(self, verdict: Verdict, steps: list[Step]) -> list[Draft]:
        """What is reported at a place of the path, or of the same loop and the same sampler."""
        repeat = verdict.repeat
        seen = [*verdict.attempts, *verdict.evidence]
        places = {(module, at) for module, at, _ in steps} | {(one.moment.module, one.moment.at) for one in seen}
        places.add((repeat.loop.module, repeat.loop.record.at))
        places |= {(cls.module, cls.record.at) for s in repeat.sources() if isinstance(cls := s.cls, ProjectClass)}
        found = []
        for draft in self._analysis.drafts:
            told = [(module, at) for module, at, _ in draft.steps]
            same = bool(told) and told[-1] == steps[-1][:2] and places.issuperset(told[1:])
            if same or (draft.module, draft.at) in places:
                found.append(draft)
        return found
