"""Loaders whose saved state is put back: whether the job around them goes on where it was.

torchdata's StatefulDataLoader counts the batches of the present pass, and its state tells how many to skip. It knows
nothing of the epoch, and a state that was saved behind the last batch of a pass, but before the pass was over, skips
all of the next one (read in torchdata 0.11, `stateful_dataloader.py`: the state of a pass is marked as finished only
when `StopIteration` was raised).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from lint_epoch.project import walk
from lint_epoch.project.classes import LibraryClass, class_has
from lint_epoch.project.model import library_classes
from lint_epoch.project.passes import CallKind, CallSeen, EpochSet, Moment, Trace
from lint_epoch.project.values import Const, Object, only_constant
from lint_epoch.project.view import Model

Kind = Literal["sampler forgets", "exhausted", "counts from zero", "overwritten"]


class BadResume:
    """One way in which a job does not go on where its loader was saved."""

    __slots__ = ("kind", "moment", "restore", "sampler", "subject")

    def __init__(
        self, kind: Kind, subject: Object, restore: Moment, moment: Moment, sampler: Object | None = None
    ) -> None:
        self.kind = kind
        self.subject = subject
        """The loader."""
        self.restore = restore
        """Where its state is put back."""
        self.moment = moment
        """Where the epochs are counted."""
        self.sampler = sampler


def bad_resumes(model: Model) -> Iterator[BadResume]:
    """Yield what goes wrong after loaders' states were put back."""
    for trace in model.project.traces:
        for restore in _seen(trace, "restore"):
            for loader in restore.values:
                if isinstance(loader, Object) and not any(base.entry.epoch for base in library_classes(loader)):
                    yield from _forgotten(trace, loader, restore.moment)
                    yield from _exhausted(trace, loader, restore.moment)
                    yield from _counted_anew(trace, loader, restore.moment)
        for restore in _seen(trace, "reposition"):
            for sampler in restore.values:
                if isinstance(sampler, Object):
                    yield from _overwritten(trace, sampler, restore.moment)


def _seen(trace: Trace, kind: CallKind, loader: Object | None = None) -> Iterator[CallSeen]:
    for call in trace.calls:
        if call.kind == kind and not call.moment.dead and (loader is None or loader in call.values):
            yield call


def _forgotten(trace: Trace, loader: Object, restore: Moment) -> Iterator[BadResume]:
    """Yield random samplers that draw a new order after a resume, since no state of theirs is saved."""
    again = [
        one for one in trace.passes if one.source is loader and any(t == 1 and lp.repeats for lp, t in one.moment.turns)
    ]
    if not again:
        return
    for sampler in loader.arguments.get("sampler", ()):
        if isinstance(sampler, Object) and isinstance(sampler.cls, LibraryClass) and sampler.site[0] is not None:
            if "Random" in sampler.cls.name and class_has(sampler.cls, "state_dict") is False:
                yield BadResume("sampler forgets", loader, restore, again[0].moment, sampler)


def _exhausted(trace: Trace, loader: Object, restore: Moment) -> Iterator[BadResume]:
    """Yield states that may be those of a pass that is all but over, where the epochs go on with the next one."""
    for counted in _seen(trace, "passes", loader):
        saved = [
            call for call in _seen(trace, "save", loader) if any(p.source is loader for p in call.moment.consuming)
        ]
        tested = any(call.moment.order < counted.moment.order for call in _seen(trace, "boundary", loader))
        if saved and not tested and restore.order < counted.moment.order:
            yield BadResume("exhausted", loader, restore, counted.moment)


def _counted_anew(trace: Trace, loader: Object, restore: Moment) -> Iterator[BadResume]:
    """Yield epochs that are counted from zero again after the loader was put back into the middle of one."""
    for name in ("sampler", "batch_sampler"):
        for sampler in loader.arguments.get(name, ()):
            told = [epoch for epoch in trace.epochs if epoch.target is sampler and not epoch.moment.dead]
            later = [epoch for epoch in told if epoch.moment.order > restore.order]
            if isinstance(sampler, Object) and later and _starts_at_zero(later[0]):
                yield BadResume("counts from zero", loader, restore, later[0].moment, sampler)


def _overwritten(trace: Trace, sampler: Object, restore: Moment) -> Iterator[BadResume]:
    """Yield epochs that a sampler was put back to, and that the loader around it replaces by a count of its own."""
    later = [
        epoch
        for epoch in trace.epochs
        if epoch.target is sampler
        and epoch.moment.order > restore.order
        and not any(one.source is sampler for one in epoch.moment.passes)
    ]
    if not later or any(epoch.how != "itself" for epoch in later):
        return
    for one in trace.passes:
        if one.source is sampler and one.moment.order > restore.order:
            for source in (part.source for part in one.chain()):
                if isinstance(source, Object) and any(base.entry.advances for base in library_classes(source)):
                    if not _is_told_its_count(trace, source):
                        yield BadResume("overwritten", source, restore, later[0].moment, sampler)
            return


def _is_told_its_count(trace: Trace, loader: Object) -> bool:
    """Whether a job may set the count of a prepared loader: its set_epoch, its attribute."""
    if any(epoch.target is loader for epoch in trace.epochs):
        return True
    around = (one.moment.module.record for one in trace.passes if one.source is loader)
    return any(record is None or "iteration" in walk.mentions(record) for record in around)


def _starts_at_zero(epoch: EpochSet) -> bool:
    """Whether the first value that a loop sets is a zero that is written out, and the later ones differ."""
    turns = [turn for loop, turn in epoch.moment.turns if loop.repeats]
    return bool(turns) and not any(turns) and only_constant(epoch.values) == Const(0)
