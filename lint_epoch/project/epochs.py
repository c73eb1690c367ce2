"""Epoch paths: which passes repeat, which samplers they end at, and whether a new epoch arrives in between.

Everything that the rules say follows from one question, asked of each pass that a loop takes twice: between its first
and its second time, did the object at the end of the path hear of another epoch?
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.classes import LibraryClass, ProjectClass
from lint_epoch.project.counters import EPOCH_NAME, counted_in
from lint_epoch.project.model import Project, library_classes
from lint_epoch.project.orders import reads_its_epoch, uses_epoch
from lint_epoch.project.passes import EpochSet, Moment, Pass, Trace
from lint_epoch.project.state import Frame, Loop
from lint_epoch.project.values import Const, Data, Object, Unknown, ValueSet, only_constant

#: Words in the names of loaders and functions that look at data without learning from it: their order is harmless.
_EVALUATION = re.compile(
    r"(^|[_.\W])(val|valid|validate|validation|vali|eval|evaluate|evaluation|evaluator|test|testing|tester|dev|infer"
    r"|inference|predict|prediction|benchmark|calibrat\w*|knn|probe|extract\w*|visuali[sz]e\w*|valset|testset"
    r"|dataloader_?val|valloader|testloader|evalloader|validloader)(?=$|[_.\W\d])",
    re.I,
)


@dataclass(slots=True)
class Repeat:
    """A pass over a sampler or dataset that needs an epoch, taken twice by one loop."""

    target: Object
    """What needs the epoch."""
    first: Pass
    second: Pass
    loop: Loop
    trace: Trace
    heard: list[EpochSet] = field(default_factory=list)
    """The epochs that arrived at the target in between."""
    lost_sight: str = ""
    """Why the path cannot be followed, if it cannot."""

    def chain(self) -> list[Pass]:
        """The passes from the consumer's to the target's."""
        return self.first.chain()

    def sources(self) -> list[Object]:
        """The objects on the path, from the consumer's to the target."""
        return [one.source for one in self.chain() if isinstance(one.source, Object)]

    def repeater(self) -> Pass | None:
        """Return the pass in whose own code the loop runs: the wrapper or generator that repeats by itself.

        ``None`` if the loop is the consumer's: then all passes of the chain were started inside it.
        """
        for one in reversed(self.first.moment.passes):
            if one.moment.turn(self.loop) is None and self._runs_in(one):
                return one
        return None

    def _runs_in(self, one: Pass) -> bool:
        """Whether the loop runs in the code of a pass: a library's class has none, a generator has its function's."""
        source = one.source
        if isinstance(source, Object):
            called = any(frame.self_value is source for frame in self.loop.frame.chain())
            return isinstance(source.cls, ProjectClass) and (called or self.loop.kind in ("next", "cycle"))
        return any(
            frame.function is not None and frame.function.record is source.function.record
            for frame in self.loop.frame.chain()
        )

    @property
    def consumer(self) -> Pass:
        """The outermost pass: the one that the consumer's code starts."""
        return self.chain()[0]

    def started(self) -> Pass:
        """The pass that the repeating loop's own code starts, or that code which it calls does."""
        chain = self.chain()
        return next((one for one in chain if one.moment.turn(self.loop) is not None), chain[-1])

    def outer_loops(self) -> tuple[Loop, ...] | None:
        """The loops around the one that repeats; ``None`` if the first pass was taken in another run of that loop."""
        loops = tuple(loop for loop, _ in self.first.moment.turns)
        return loops[: loops.index(self.loop)] if self.loop in loops else None

    def inside_loop(self, moment: Moment) -> bool:
        """Whether something happened inside the repeating loop."""
        return moment.turn(self.loop) is not None

    def concerns(self, value: object) -> bool:
        """Whether a value is an object of the path, or a sampler that a loader of the path made for itself."""
        if not isinstance(value, Object):
            return False
        return any(value is source or (value.site == source.site and value.site[0]) for source in self.sources())


class EpochPaths:
    """All repeats of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.repeats: list[Repeat] = []
        for trace in project.traces:
            self.repeats.extend(self._repeats(trace))

    # --- what needs an epoch ---------------------------------------------------------------------------------------

    def needs_epoch(self, value: object) -> bool | None:
        """Whether an object's order depends on an epoch that its user must set: yes, no, or unknown."""
        if not isinstance(value, Object):
            return False
        for cls in library_classes(value):
            if cls.entry.epoch == "advances itself":
                return False
            if cls.entry.epoch == "set by the caller":
                return self._shuffles(value, cls) if uses_epoch(value) else False
        if isinstance(value.cls, ProjectClass):
            return reads_its_epoch(value.cls)
        return False

    @staticmethod
    def _shuffles(value: Object, cls: LibraryClass) -> bool | None:
        name = cls.entry.not_if_false
        given = value.arguments.get(name)
        if given is None:
            given = value.base.get(name)
        if given is None:
            return None if "**" in value.arguments or "*" in value.arguments else cls.entry.shuffles_by_default
        if any(isinstance(v, Const) and v.value is True for v in given):
            return True
        if any(isinstance(v, Const) for v in given):
            constant = only_constant(given)
            return bool(constant.value) if constant is not None else None
        # A setting or a test that cannot be followed: training loops ask for a shuffle (the finding is `likely`).
        return True

    # --- repeats -----------------------------------------------------------------------------------------------------

    def _repeats(self, trace: Trace) -> Iterator[Repeat]:
        by_place: dict[tuple[int, int, int, int], list[Pass]] = defaultdict(list)
        for one in trace.passes:
            if one.moment.dead or not self.needs_epoch(one.source):
                continue
            outermost = one.chain()[0]
            by_place[
                id(one.source),
                id(one.moment.module),
                one.moment.at,
                hash((id(outermost.moment.module), outermost.moment.at)),
            ].append(one)
        epochs: dict[int, list[EpochSet]] = defaultdict(list)
        for epoch in trace.epochs:
            if not epoch.moment.dead:
                epochs[id(epoch.target)].append(epoch)
        for passes in by_place.values():
            yield from self._pairs(passes, epochs, trace)
        yield from self._made_anew(trace, epochs)

    def _made_anew(self, trace: Trace, epochs: dict[int, list[EpochSet]]) -> Iterator[Repeat]:
        """Yield passes over samplers that a loop makes anew on each turn, with the same seed and epoch 0."""
        by_site: dict[tuple[int, int], list[Pass]] = defaultdict(list)
        for one in trace.passes:
            if isinstance(one.source, Object) and not one.moment.dead and self.needs_epoch(one.source):
                by_site[id(one.source.site[0]), one.source.site[1]].append(one)
        for passes in by_site.values():
            for second in passes:
                loop, turn = second.moment.turns[-1] if second.moment.turns else (None, 0)
                if loop is None or turn != 1 or not (loop.repeats or _learns(loop)) or _has_own_seed(second.source):
                    continue
                first = next((one for one in passes if _differ_in(one, second, loop)), None)
                if first is None or first.source is second.source or second.moment.passes[:-2]:
                    continue
                if _only_looks(second):
                    continue
                target = second.source
                assert isinstance(target, Object) and isinstance(first.source, Object)
                if first.source.uid < loop.uid:
                    # Made before the loop: another object, not a new one of the same kind.
                    continue
                heard = [epoch for epoch in epochs[id(target)] if epoch.moment.order < second.moment.order]
                repeat = Repeat(target, first, second, loop, trace, heard)
                repeat.lost_sight = self._lost_sight(repeat)
                yield repeat

    def _pairs(self, passes: list[Pass], epochs: dict[int, list[EpochSet]], trace: Trace) -> Iterator[Repeat]:
        for second in passes:
            for loop, turn in second.moment.turns:
                if turn != 1 or not loop.repeats:
                    continue
                first = next((one for one in passes if _differ_in(one, second, loop)), None)
                if first is None:
                    continue
                target = second.source
                assert isinstance(target, Object)
                heard = [
                    epoch
                    for epoch in epochs[id(target)]
                    if first.moment.order < epoch.moment.order < second.moment.order
                ]
                repeat = Repeat(target, first, second, loop, trace, heard)
                repeat.lost_sight = self._lost_sight(repeat)
                yield repeat

    @staticmethod
    def _lost_sight(repeat: Repeat) -> str:
        """Return why somebody unseen may set the epoch: an object of the path was handed out."""
        involved = {id(source) for source in repeat.sources()}
        for call in repeat.trace.calls:
            if call.kind == "unseen" and not call.moment.dead:
                # A call on something that cannot be seen may well reach this sampler.
                if repeat.first.moment.order < call.moment.order < repeat.second.moment.order:
                    return "set_epoch is called on something that cannot be seen"
            if call.kind == "escape" and call.moment.order < repeat.second.moment.order:
                if any(id(value) in involved for value in call.values):
                    return f"{call.name}() was given it"
        return ""


def is_certain(target: Object) -> bool:
    """Whether a sampler certainly shuffles, so that its order depends on the epoch."""
    for cls in library_classes(target):
        if cls.entry.not_if_false:
            given = target.arguments.get(cls.entry.not_if_false)
            return given is None or any(isinstance(value, Const) for value in given)
    return True


def _only_looks(one: Pass) -> bool:
    """Whether nothing but one batch is taken of a pass: ``next(iter(loader))``."""
    outermost = one.chain()[0]
    return outermost.text.startswith("iter(") and len(outermost.pulled) == 1


def _differ_in(first: Pass, second: Pass, loop: Loop) -> bool:
    """Whether two passes stand at the same turns of all loops but one, which took one turn in between."""
    if first is second or len(first.moment.turns) != len(second.moment.turns):
        return False
    for (one, turn), (other, later) in zip(first.moment.turns, second.moment.turns, strict=True):
        if one is loop and other is loop:
            if (turn, later) != (0, 1):
                return False
        elif one.record is not other.record or turn != later:
            return False
    return True


def _learns(loop: Loop) -> bool:
    """Whether the function in which a loop stands trains a model."""
    function = loop.frame.function
    return function is not None and "backward" in walk.mentions(function.record)


def _has_own_seed(source: object) -> bool:
    """Whether a sampler is given a seed that may differ from turn to turn."""
    return isinstance(source, Object) and not all(isinstance(v, Const) for v in source.arguments.get("seed", ()))


def is_evaluation(repeat: Repeat) -> bool:
    """Whether the repeated pass only looks at data: validation, test, prediction, a benchmark."""
    outer = repeat.consumer
    if _EVALUATION.search(outer.text) or _is_named_for_evaluation(repeat):
        return True
    nearest = _by_function(repeat)
    if nearest is not None:
        return nearest
    if outer.moment.evaluating:
        return True
    return any(_MEASURING.search(part) or _EVALUATION.search(part) for part in outer.moment.module.parts)


def is_inside_epoch(repeat: Repeat) -> bool:
    """Whether the passes are those of one epoch: a loop outside sets it anew, and the inner one is not called after it.

    Several models or phases may read the same order on purpose.
    """
    around = repeat.outer_loops()
    if around is None or _is_named_for_epochs(repeat.loop):
        return False
    outer = {loop.uid for loop in around if loop.repeats}
    return any(
        not outer.isdisjoint(value.varies)
        for epoch in repeat.trace.epochs
        if epoch.target is repeat.target and not epoch.moment.dead
        for value in epoch.values
        if isinstance(value, Data)
    )


#: A number of epochs, unlike one of steps in an epoch.
_EPOCHS = re.compile(r"epochs|(?:^|num|max|total|n)_?epoch", re.I)


def _is_named_for_epochs(loop: Loop) -> bool:
    record = loop.record
    if isinstance(record, r.For):
        return bool(EPOCH_NAME.search(text_of(record.target)) or _EPOCHS.search(text_of(record.iterable)))
    if isinstance(record, r.While):
        return _EPOCHS.search(text_of(record.test)) is not None or counted_in(record.body) is not None
    return False


#: What only code that learns names.
_LEARNING = frozenset({"backward", "manual_backward", "zero_grad", "loss_scaler"})


def _by_function(repeat: Repeat) -> bool | None:
    """Whether the nearest function that tells, from the consumer to the loop, evaluates (yes) or learns (no).

    One that takes a step of training learns, whatever it is called: it may have a frozen teacher in evaluation mode,
    or be called after the evaluation that it trains for. The function of the loop counts as learning only where the
    batches come to it: a script both trains and evaluates.
    """
    start: Frame | None = repeat.consumer.moment.frame
    frame = start
    while frame is not None:
        is_loops = frame is repeat.loop.frame
        if frame.function is not None:
            if (frame is start or not is_loops) and not _LEARNING.isdisjoint(walk.mentions(frame.function.record)):
                return False
            if _EVALUATION.search(frame.function.name):
                return True
        if is_loops:
            break
        frame = frame.caller
    return None


def _is_named_for_evaluation(repeat: Repeat) -> bool:
    """Whether the loader, or the sampler, is called after evaluation wherever it has a telling name."""
    for source in (repeat.consumer.source, repeat.target):
        if isinstance(source, Object) and any(_EVALUATION.search(name) for name in source.names):
            return not any("train" in name.lower() for name in source.names)
    return False


#: Folders and files whose loops measure or test loaders instead of learning from them.
_MEASURING = re.compile(r"^(tests?|testing|bench\w*|test_\w*|\w*_test)$")


def same_value(before: ValueSet, after: ValueSet, repeat: Repeat) -> bool:
    """Whether a value is provably the same on the two turns of a repeat: a literal, or read again and not made anew."""
    if not before or len(before) != len(after):
        return False
    outer = {loop.uid for loop in repeat.outer_loops() or ()}
    for one, other in zip(before, after, strict=True):
        if isinstance(one, Const) and one == other:
            continue
        # What varies with a loop around this one is the same on all turns of this one.
        if not isinstance(one, Unknown | Data) or one is not other or (isinstance(one, Data) and one.varies - outer):
            return False
    return True
