"""Datasets whose epoch persistent workers never hear of, and loaders that are sharded twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import DICT, LIST, ProjectClass
from lint_epoch.project.model import library_classes
from lint_epoch.project.orders import attributes_read
from lint_epoch.project.passes import CallSeen, EpochSet, Trace
from lint_epoch.project.values import Const, Data, Object, Unknown, Value, ValueSet
from lint_epoch.project.view import Model


def stale_datasets(model: Model) -> Iterator[tuple[EpochSet, Object]]:
    """Yield epochs that were set on a dataset while a loader's persistent workers keep copies of it."""
    for trace in model.project.traces:
        loaders = [
            loader
            for loader in _read_more_than_once(trace)
            if model.project.is_torch_loader(loader) and _persists(loader)
        ]
        for epoch in trace.epochs:
            if epoch.how != "call" or epoch.moment.dead or not _keeps_plain_epoch(epoch.target):
                continue
            for loader in loaders:
                if _holds(loader.arguments.get("dataset", ()), epoch.target, 0):
                    yield epoch, loader
                    break


def _read_more_than_once(trace: Trace) -> list[Object]:
    """Return what may be passed over more than once: not what each turn of a loop makes for itself."""
    found: dict[int, Object] = {}
    times = Counter(id(one.source) for one in trace.passes)
    for one in trace.passes:
        source = one.source
        if isinstance(source, Object):
            made_inside = any(loop.repeats and loop.uid < source.uid for loop, _ in one.moment.turns)
            if times[id(source)] > 1 or not made_inside:
                found[id(source)] = source
    return list(found.values())


def stale_by_sampler(model: Model) -> Iterator[tuple[EpochSet, Object]]:
    """Yield epochs that a sampler sets on its loader's dataset, while the loader's persistent workers keep copies."""
    usual = _is_usual(model)
    for trace in model.project.traces:
        for epoch in trace.epochs:
            owner = epoch.moment.frame.owner
            if owner is None or not epoch.target.assumed or not _keeps_plain_epoch(epoch.target):
                continue
            for loader in _loaders(model):
                given = (*loader.arguments.get("batch_sampler", ()), *loader.arguments.get("sampler", ()))
                if any(isinstance(value, Object) and value.cls is owner for value in given):
                    if _persists(loader) or (usual and _may_persist(loader)):
                        yield epoch, loader
                        break


def _loaders(model: Model) -> Iterator[Object]:
    for instances in model.project.instances.values():
        if instances and model.project.is_torch_loader(instances[0]):
            yield from instances


def _is_usual(model: Model) -> bool:
    """Whether some class of the project has an option for persistent workers that is on unless it is turned off."""
    for cls in model.project.classes():
        field = cls.assigned.get("persistent_workers")
        if field is not None and isinstance(field.value, r.Constant) and field.value.value is True:
            return True
    return False


def _may_persist(loader: Object) -> bool:
    """Whether a loader is told by an option whether its workers persist."""
    given = loader.arguments.get("persistent_workers", ())
    return any(isinstance(value, Unknown | Data) for value in given)


def _persists(loader: Object) -> bool:
    """Whether a loader certainly keeps its workers from pass to pass."""
    persistent = loader.arguments.get("persistent_workers", ())
    workers = loader.arguments.get("num_workers", ())
    if not any(isinstance(value, Const) and value.value is True for value in persistent):
        # `persistent_workers=num_workers > 0` is as good as True where there are workers.
        if not (persistent and all(isinstance(value, Data) for value in persistent)):
            return False
    return any(not (isinstance(value, Const) and value.value in (0, None)) for value in workers)


def _keeps_plain_epoch(dataset: Object) -> bool:
    """Whether a dataset of the project keeps its epoch in an attribute that no other process shares."""
    if not isinstance(dataset.cls, ProjectClass):
        return False
    if any(base.entry.kind == "sampler" for base in library_classes(dataset)):
        return False
    setter = dataset.cls.function("set_epoch")
    reader = dataset.cls.function("__getitem__") or dataset.cls.function("__iter__")
    if setter is None or reader is None:
        return False
    stored = {
        target.attr
        for item in walk.descendants(setter[1])
        if isinstance(item, r.Assign)
        for target in item.targets
        if isinstance(target, r.Attribute) and isinstance(target.value, r.Name)
    }
    return bool(stored & attributes_read(dataset.cls, reader[1]))


def _holds(values: ValueSet, wanted: Value, depth: int) -> bool:
    """Whether a dataset is among values or inside the datasets that they hold."""
    for value in values:
        if value is wanted:
            return True
        if isinstance(value, Object) and depth < 4:
            inner: list[ValueSet] = list(value.arguments.values())
            if isinstance(value.cls, ProjectClass) or value.cls in (LIST, DICT):
                inner.extend(value.base.values())
            if any(_holds(held, wanted, depth + 1) for held in inner):
                return True
    return False


def sharded_twice(model: Model) -> Iterator[tuple[CallSeen, Object, Object]]:
    """Yield each call of ``prepare`` with a loader whose sampler or dataset already gives each rank its own part."""
    for trace in model.project.traces:
        for call in trace.calls:
            if call.kind != "prepare" or call.moment.dead:
                continue
            for value in call.values:
                if isinstance(value, Object):
                    part = rank_disjoint_part(value)
                    if part is not None:
                        yield call, value, part


def rank_disjoint_part(loader: Object) -> Object | None:
    """Return the sampler or dataset of a loader that gives each rank its own part, if all alternatives do."""
    for name in ("sampler", "batch_sampler", "dataset"):
        values = [v for v in loader.arguments.get(name, ()) if not (isinstance(v, Const) and v.value is None)]
        for value in values:
            found = _disjoint(value, 0)
            if found is not None:
                return found
    return None


def _disjoint(value: Value, depth: int) -> Object | None:
    if not isinstance(value, Object) or depth > 3:
        return None
    if "rank-disjoint" in value.arguments:
        return value
    if any(base.entry.distributed for base in library_classes(value)):
        return value
    for name in ("sampler", "batch_sampler"):
        for held in value.arguments.get(name, ()):
            found = _disjoint(held, depth + 1)
            if found is not None:
                return found
    return value if _splits_by_rank(value) else None


def _splits_by_rank(value: Object) -> bool:
    """Whether a project's iterable dataset or sampler takes every n-th item for its own rank."""
    cls = value.cls
    if not isinstance(cls, ProjectClass):
        return False
    found = cls.function("__iter__")
    if found is None or not any(base.entry.kind in ("dataset", "sampler") for base in library_classes(value)):
        return False
    names = walk.mentions(found[1])
    own_rank = {"rank", "get_rank", "process_index"} & names
    world = {"world_size", "get_world_size", "num_replicas", "num_processes"} & names
    return bool(own_rank and world)
