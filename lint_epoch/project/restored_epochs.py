"""Epochs that a class restores for itself and does not pass on to the stream or sampler that it draws from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass, class_has
from lint_epoch.project.methods import Methods, assignments, methods_of, own_name, reached
from lint_epoch.project.model import library_classes
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.values import Object
from lint_epoch.project.view import Model


@dataclass(frozen=True, slots=True)
class UngivenEpoch:
    """An epoch that is restored and does not reach the object whose state is restored beside it."""

    module: ModuleFile
    at: int
    """The call that restores the object's state."""
    attribute: str
    """The attribute of the epoch."""
    held: str
    """The attribute of the object."""
    before_at: int | None
    """The statement in front of which a call can tell the epoch; ``None`` if the epoch comes later."""
    call: str
    """That call, as source, asking first where the class asks, too."""


def ungiven_epochs(model: Model, cls: ProjectClass, methods: Methods) -> Iterator[UngivenEpoch]:
    """Yield the epochs that a class restores for itself alone."""
    for owner, function in methods.values():
        if owner is not cls or not function.parameters[1:]:
            continue
        own = walk.self_name(function)
        epochs = [
            (name, statement)
            for name, value, statement in assignments(function)
            if "epoch" in name.lower() and value is not None and _reads_parameter(value, function)
        ]
        if not epochs:
            continue
        for call, held, path in _restored(function.body, own, ()):
            beside = [s for block in path for s in block if not any(item is call for item in walk.descendants(s))]
            told_here = any(_tells(methods, statement, held, own) for statement in beside)
            if told_here or not _is_told(cls, held) or not _is_drawn_from(methods, held):
                continue
            if not _is_told_before_it_is_read(methods, held) and _may_forget(model, cls, held):
                name, assigned = epochs[0]
                statement = next(s for s in path[-1] if any(item is call for item in walk.descendants(s)))
                before_at = statement.at if assigned.at < statement.at else None
                source = _call(methods, held, own, name)
                yield UngivenEpoch(owner.module, call.at, name, held, before_at, source)


def _call(methods: Methods, held: str, own: str, attribute: str) -> str:
    call = f"{own}.{held}.set_epoch({own}.{attribute})"
    asks = any(
        "hasattr" in walk.mentions(function)
        for _, function in methods.values()
        if any(_sets_epoch(item, held) for item in walk.descendants(function))
    )
    return f'if hasattr({own}.{held}, "set_epoch"):\n    {call}' if asks else call


def _reads_parameter(value: r.AnyExpression, function: r.FunctionDef) -> bool:
    """Whether a value is looked up in what a method was given: ``state["epoch"]``, ``state.get("epoch", 0)``."""
    names = {parameter.name for parameter in function.parameters[1:]}
    return any(isinstance(part, r.Name) and part.id in names for part in walk.descendants(value))


Path = tuple[r.Block, ...]


def _restored(block: r.Block, own: str, path: Path) -> Iterator[tuple[r.Call, str, Path]]:
    """Yield the calls ``self.held.load_state_dict(…)``: the call, the attribute, the bodies that it stands in."""
    path = (*path, block)
    for statement in block:
        inner = [getattr(statement, field, ()) for field in ("body", "orelse", "final")]
        inner += [handler.body for handler in getattr(statement, "handlers", ())]
        if any(inner) and not isinstance(statement, r.FunctionDef | r.ClassDef):
            for body in inner:
                yield from _restored(body, own, path)
            continue
        for item in walk.descendants(statement):
            if isinstance(item, r.Call) and isinstance(item.func, r.Attribute) and item.func.attr == "load_state_dict":
                if held := own_name(item.func.value, own):
                    yield item, held, path


def _sets_epoch(item: Any, held: str) -> bool:
    return (
        isinstance(item, r.Call)
        and isinstance(item.func, r.Attribute)
        and item.func.attr == "set_epoch"
        and isinstance(item.func.value, r.Attribute)
        and item.func.value.attr == held
    )


def _is_told(cls: ProjectClass, held: str) -> bool:
    """Whether the class sets the epoch of what it holds."""
    return any(_sets_epoch(item, held) for item in walk.descendants(cls.record))


def _is_drawn_from(methods: Methods, held: str) -> bool:
    """Whether some method iterates what is held: other objects have epochs too, diagnostics for one."""
    return any(
        isinstance(part, r.Attribute) and part.attr == held
        for _, function in methods.values()
        for iterated in _iterated(function)
        for part in walk.descendants(iterated)
    )


def _iterated(function: r.FunctionDef) -> Iterator[r.AnyExpression]:
    for item in walk.descendants(function):
        if isinstance(item, r.For):
            yield item.iterable
        elif isinstance(item, r.Yield) and item.delegates and item.value is not None:
            yield item.value
        elif isinstance(item, r.Call) and walk.last_name(item) in ("iter", "next", "enumerate", "islice", "chain"):
            yield item


def _tells(methods: Methods, statement: r.AnyStatement, held: str, own: str) -> bool:
    """Whether a statement, outside branches that the call does not stand in, sets the epoch of what is held."""
    branches = isinstance(statement, r.If | r.Try | r.For | r.While)
    for item in walk.descendants(statement):
        if _sets_epoch(item, held):
            # A branch on whether it has the method at all is as good as a call.
            return not branches or (isinstance(statement, r.If) and _asks(statement.test, held))
        name = own_name(item, own)
        if name in methods and not branches:
            called = reached(methods, name)
            if any(_sets_epoch(part, held) for function in called for part in walk.descendants(function)):
                return True
    return False


def _asks(test: r.AnyExpression, held: str) -> bool:
    return any(isinstance(item, r.Attribute) and item.attr == held for item in walk.descendants(test))


def _is_told_before_it_is_read(methods: Methods, held: str) -> bool:
    """Whether a pass sets the epoch before it takes its first item from what is held."""
    for name in ("__iter__", "__next__"):
        for function in reached(methods, name):
            told = [item.at for item in walk.descendants(function) if _sets_epoch(item, held)]
            read = _first_read(function, held)
            if told and (read is None or min(told) < read):
                return True
    return False


def _first_read(function: r.FunctionDef, held: str) -> int | None:
    """Return where a method first iterates what is held, or calls a method that may."""
    own = walk.self_name(function)
    found: list[int] = []
    for item in walk.descendants(function):
        iterated = item.iterable if isinstance(item, r.For) else None
        if isinstance(item, r.Yield) and item.delegates:
            iterated = item.value
        if iterated is not None:
            if any(own_name(part, own) for part in walk.descendants(iterated)):
                found.append(item.at)
        elif isinstance(item, r.Call) and walk.last_name(item) == "iter":
            if any(isinstance(part, r.Attribute) and part.attr == held for part in walk.descendants(item)):
                found.append(item.at)
    return min(found, default=None)


def _may_forget(model: Model, cls: ProjectClass, held: str) -> bool:
    """Whether the state of what is held may lack its epoch: a library's does, and so does anybody's object."""
    values = [value for instance in model.instances(cls) for value in instance.base.get(held, ())]
    return not any(
        isinstance(value, Object)
        and isinstance(value.cls, ProjectClass)
        and class_has(value.cls, "load_state_dict") is not False
        and class_has(value.cls, "set_epoch") is not False
        and _puts_its_epoch_back(value, value.cls)
        for value in values
    )


def _puts_its_epoch_back(value: Object, cls: ProjectClass) -> bool:
    """Whether the ``load_state_dict`` of an object may bind what its ``set_epoch`` binds."""
    methods = methods_of(cls)
    loads = reached(methods, "load_state_dict")
    told = methods.get("set_epoch")
    fields = set(walk.self_attributes(told[1])) if told is not None else set()
    fields |= {base.entry.epoch_attribute for base in library_classes(value) if base.entry.epoch_attribute}
    if not loads or not fields or any("set_epoch" in walk.mentions(one) or walk.updates_dict(one) for one in loads):
        return True
    return any(not fields.isdisjoint(walk.self_attributes(one)) for one in loads)
