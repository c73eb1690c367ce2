"""Wrappers on epoch paths: what they hold, whether the call can be passed on, and how."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import DICT, LIST, ProjectClass, class_has
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.model import Project, library_classes
from lint_epoch.project.passes import Pass
from lint_epoch.project.values import Const, Object, TupleValue, ValueSet
from lint_epoch.repairs import Target, Through


class Held:
    """One hop of a path: a wrapper, and what its pass draws from."""

    __slots__ = ("holder", "inner", "outer")

    def __init__(self, outer: Pass, inner: Pass) -> None:
        self.outer = outer
        self.inner = inner
        assert isinstance(outer.source, Object)
        self.holder = outer.source

    @property
    def cls(self) -> ProjectClass:
        """The wrapper's class."""
        assert isinstance(self.holder.cls, ProjectClass)
        return self.holder.cls


def wrappers(repeat: Repeat) -> Iterator[Held]:
    """Yield the project's wrappers on a path, inner ones first, with the pass that they draw from."""
    # What a generator of the wrapper's hands on, the wrapper draws from.
    chain = [one for one in repeat.chain() if isinstance(one.source, Object)]
    for outer, inner in reversed(list(itertools.pairwise(chain))):
        source = outer.source
        if not isinstance(source, Object) or not isinstance(source.cls, ProjectClass):
            continue
        if isinstance(inner.source, Object) and not _is_own_part(source, inner.source):
            yield Held(outer, inner)


def _is_own_part(holder: Object, held: Object) -> bool:
    """Whether the held object is the BatchSampler that a loader makes for itself: no hop of the project's."""
    return held.site == holder.site and not isinstance(held.cls, ProjectClass)


def target_of(project: Project, held: Held, repeat: Repeat) -> Target | None:
    """Return how a wrapper reaches what must receive the epoch, through its own attribute."""
    inner = held.inner.source
    assert isinstance(inner, Object)
    for name, values in sorted(held.holder.base.items()):
        if name.startswith(("~", "#", "[")):
            continue
        container = _container_of(values, inner)
        if container is None:
            continue
        through = through_of(inner, repeat)
        if through is None:
            continue
        certain = container == "one" and _all_have(project, held.cls, name, through)
        return Target(name, through, certain, container)  # type: ignore[arg-type]  # one of three
    return None


def _container_of(values: ValueSet, wanted: Object) -> str | None:
    for value in values:
        if value is wanted:
            return "one"
        if isinstance(value, TupleValue) and any(wanted in element for element in value.elements):
            return "sequence"
        if isinstance(value, Object) and value.cls in (LIST, DICT) and wanted in value.base.get("[]", ()):
            return "sequence" if value.cls is LIST else "mapping"
    return None


def through_of(inner: Object, repeat: Repeat) -> Through | None:
    """Return the attribute of the held object that has ``set_epoch``: empty for the object itself."""
    if isinstance(inner.cls, ProjectClass) and not any(base.entry.kind == "loader" for base in library_classes(inner)):
        return ""
    if inner is repeat.target or class_has(inner.cls, "set_epoch"):
        return ""
    sources = repeat.sources()
    after = sources[sources.index(inner) + 1 :] if inner in sources else []
    if not after:
        return None
    if inner.arguments.get("dataset") and after[0] in inner.arguments["dataset"]:
        return "dataset"
    given = inner.arguments.get("batch_sampler", ())
    if any(not (isinstance(v, Const) and v.value is None) for v in given):
        return "batch_sampler" if class_has(after[0].cls, "set_epoch") else "batch_sampler.sampler"
    return "sampler"


def _all_have(project: Project, cls: ProjectClass, attribute: str, through: Through) -> bool:
    """Whether all that any instance holds under an attribute has the method, so that no guard is needed."""
    for instance in project.instances.get(id(cls), []):
        for value in instance.base.get(attribute, ()):
            if not isinstance(value, Object):
                return False
            if through == "":
                if class_has(value.cls, "set_epoch") is not True:
                    return False
            elif not _part_has(value, through):
                return False
    return True


def _part_has(value: Object, through: Through) -> bool:
    """Whether a loader's sampler (or batch sampler, or dataset) has ``set_epoch`` for sure."""
    name = through.partition(".")[0]
    given = value.arguments.get(name, ())
    if not given:
        return False
    return all(isinstance(v, Object) and class_has(v.cls, "set_epoch") is True for v in given)


def has_own_route(held: Held, repeat: Repeat) -> bool:
    """Whether callers reach what the wrapper holds without its help: a property or a public attribute."""
    cls = held.cls
    if "set_epoch" in held.holder.base or held.holder.open:
        return True
    for name, function in cls.functions.items():
        if any(walk.last_name(decorator) in ("property", "cached_property") for decorator in function.decorators):
            if name in ("sampler", "batch_sampler", "dataset", "loader", "dataloader", "data_loader"):
                return True
    return "__getattr__" in cls.functions or cls.member("set_epoch") is not False


def yields_one_for_one(function: r.FunctionDef) -> bool:
    """Whether an ``__iter__`` gives exactly one item for each that it takes."""
    if not function.is_generator:
        return False
    loops = [item for item in walk.descendants(function) if isinstance(item, r.For | r.While)]
    delegations = [item for item in walk.descendants(function) if isinstance(item, r.Yield) and item.delegates]
    if delegations:
        return len(delegations) == 1 and not any(
            isinstance(item, r.Yield) and not item.delegates for item in walk.descendants(function)
        )
    innermost = [
        loop
        for loop in loops
        if not any(inner is not loop and isinstance(inner, r.For | r.While) for inner in walk.descendants(loop))
        and any(isinstance(item, r.Yield) for item in walk.descendants(loop))
    ]
    outside = _yields_outside(function, innermost)
    return len(innermost) == 1 and not outside and _yields(innermost[0].body) == {1}


def _yields_outside(function: r.FunctionDef, loops: list[r.For | r.While]) -> bool:
    inside = {item.at for loop in loops for item in walk.descendants(loop) if isinstance(item, r.Yield)}
    return any(isinstance(item, r.Yield) and item.at not in inside for item in walk.descendants(function))


def _yields(block: r.Block) -> set[int]:
    """Return how many items the paths through a body yield; paths that leave the loop do not count."""
    totals = {0}
    for statement in block:
        if isinstance(statement, r.Return | r.Raise) or (isinstance(statement, r.Jump) and statement.kind == "break"):
            return set()
        if isinstance(statement, r.Jump):
            return totals
        if isinstance(statement, r.If):
            options = _yields(statement.body) | _yields(statement.orelse)
        elif isinstance(statement, r.Try):
            options = _yields((*statement.body, *statement.orelse))
            for handler in statement.handlers:
                options |= _yields(handler.body)
        elif isinstance(statement, r.With):
            options = _yields(statement.body)
        else:
            options = {sum(isinstance(item, r.Yield) for item in walk.descendants(statement))}
        if not options:
            return set()
        totals = {total + option for total in totals for option in options}
    return totals
