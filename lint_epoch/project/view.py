"""What the rules read: verdicts, guards, calls and wrappers, with places that people can follow."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from lint_epoch.diagnostics import Confidence
from lint_epoch.project.classes import LibraryClass, ProjectClass
from lint_epoch.project.epochs import EpochPaths, Repeat, is_certain
from lint_epoch.project.model import Project
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.passes import CallSeen, GuardSeen, Moment, Pass, Trace
from lint_epoch.project.state import Frame
from lint_epoch.project.values import Object, Unknown, Value
from lint_epoch.project.verdicts import Verdict, judge

#: How loaders are called where nothing else is known of them.
_LOADER = re.compile(r"loader|sampler", re.I)

Step = tuple[ModuleFile, int, str]
"""One hop of a trace: where, and what stands there."""


class Model:
    """The finished analysis of a project."""

    def __init__(self, project: Project, line_of: Callable[[ModuleFile, int], int]) -> None:
        self.project = project
        self._line_of = line_of

    @functools.cached_property
    def paths(self) -> EpochPaths:
        """The epoch paths that the runs showed."""
        return EpochPaths(self.project)

    @functools.cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdicts of all repeats, in the order in which they were seen."""
        return judge(self.paths)

    @functools.cached_property
    def guards(self) -> dict[tuple[int, int], list[tuple[GuardSeen, Trace]]]:
        """All occurrences of each guard, by its place."""
        found: dict[tuple[int, int], list[tuple[GuardSeen, Trace]]] = defaultdict(list)
        for trace in self.project.traces:
            for guard in trace.guards:
                if not guard.moment.dead:
                    found[id(guard.moment.module), guard.moment.at].append((guard, trace))
        return found

    @functools.cached_property
    def calls(self) -> dict[tuple[int, int, str], list[tuple[CallSeen, Trace]]]:
        """All occurrences of each call that rules ask about, by its place and kind."""
        found: dict[tuple[int, int, str], list[tuple[CallSeen, Trace]]] = defaultdict(list)
        for trace in self.project.traces:
            for call in trace.calls:
                found[id(call.moment.module), call.moment.at, call.kind].append((call, trace))
        return found

    def never_true(self, occurrences: list[tuple[GuardSeen, Trace]]) -> bool:
        """Whether a guard was false each time that any run met it."""
        return all(guard.answer is False for guard, _ in occurrences)

    def faulty(self, *faults: str) -> Iterator[Verdict]:
        """The faulty verdicts of some kinds."""
        return (verdict for verdict in self.verdicts if verdict.state == "faulty" and verdict.fault in faults)

    def confidence(self, repeat: Repeat) -> Confidence:
        """Return how sure a finding about a repeat is: ``likely`` if its sampler may not shuffle, or is anybody's."""
        if any(source.assumed for source in repeat.sources()):
            return "likely"
        return "proved" if is_certain(repeat.target) else "likely"

    def line(self, module: ModuleFile, at: int) -> int:
        """Return the line of a place, counted from 1."""
        return self._line_of(module, at)

    def place(self, module: ModuleFile | None, at: int) -> str:
        """Return ``path:line`` of a place, the path relative to the project's root."""
        return f"{module.shown}:{self.line(module, at)}" if module is not None else "?"

    def made_at(self, value: Object) -> str:
        """Return where an object was made."""
        return self.place(*value.site)

    def describe(self, value: object) -> str:
        """Return an object's class and where it was made: ``DistributedSampler at data.py:12``."""
        if isinstance(value, Object) and value.assumed and isinstance(value.cls, LibraryClass):
            return f"{value.cls.name} of a loader that is given at {self.made_at(value)}"
        if isinstance(value, Object):
            return f"{value.cls.name} at {self.made_at(value)}"
        return "a generator"

    # --- traces ----------------------------------------------------------------------------------------------------

    def steps(self, repeat: Repeat) -> list[Step]:
        """Return the hops of a repeat's path: the loop, the functions that gave the loader, each holder, the target."""
        found: list[Step] = []
        consumer = repeat.consumer
        found.append((consumer.moment.module, consumer.moment.at, f"the loop reads {consumer.text}"))
        source = consumer.source
        if isinstance(source, Object):
            found.extend(self.made_through(source, consumer.moment))
        previous: Pass | None = None
        for one in repeat.chain():
            if isinstance(one.source, Object) and one.source.site[0] is not None:
                if previous is not None and one.source.site == getattr(previous.source, "site", None):
                    continue
                what = f"{one.source.cls.name}" if previous is None else f"which draws from {one.source.cls.name}"
                found.append((one.source.site[0], one.source.site[1], what))
                previous = one
        return found

    def made_through(self, value: Object, seen_from: Moment) -> list[Step]:
        """Return the calls through which an object came to the place that uses it."""
        frame: Frame | None = value.frame
        if frame is None:
            return []
        outer = {id(other) for other in seen_from.frame.chain()}
        found: list[Step] = []
        for called in frame.chain():
            if id(called) in outer or called.function is None or called.call_site[0] is None:
                continue
            name = called.function.name
            if name.endswith(".__init__") or name.endswith(".__iter__"):
                continue
            found.append((called.call_site[0], called.call_site[1], f"given by {name}()"))
        return found

    def instances(self, cls: ProjectClass) -> list[Object]:
        """All objects of a class that some run made."""
        return self.project.instances.get(id(cls), [])

    def is_iterated_wrapper(self, value: Object) -> bool:
        """Whether an object of a class of the project is iterated somewhere and draws from something in turn."""
        return isinstance(value.cls, ProjectClass) and id(value.cls) in self._iterated_classes

    @functools.cached_property
    def _iterated_classes(self) -> set[int]:
        found: set[int] = set()
        for trace in self.project.traces:
            for one in trace.passes:
                for outer in one.moment.passes:
                    if isinstance(outer.source, Object) and isinstance(one.source, Object):
                        found.add(id(outer.source.cls))
        return found

    def unknown_loops(self) -> Iterator[tuple[ModuleFile, int, str]]:
        """Yield the repeating loops that read a loader which cannot be followed, and at which hop sight is lost."""
        for trace in self.project.traces:
            for value, moment, text in trace.unknown_passes:
                repeating = [loop for loop, _ in moment.turns if loop.repeats]
                if repeating and not moment.dead and not moment.passes and _LOADER.search(text):
                    yield repeating[-1].module, repeating[-1].record.at, _why_unknown(value)


def _why_unknown(value: Value) -> str:
    if isinstance(value, Unknown):
        return value.reason
    return f"{value.cls.name} has a base that is not known" if isinstance(value, Object) else "it cannot be followed"
