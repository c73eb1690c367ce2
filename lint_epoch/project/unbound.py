"""Epochs that are set to a name which nothing binds: the call raises NameError on its first run on several ranks."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.counters import EPOCH_NAME, number_of
from lint_epoch.project.modules import ModuleFile

#: What binds names that no reading of the code can tell.
_DYNAMIC = frozenset({"exec", "globals", "locals", "vars"})


@dataclass(frozen=True, slots=True)
class UnboundEpoch:
    """A call ``….set_epoch(name)`` whose name nothing binds: the function, what is around it, the module."""

    module: ModuleFile
    call: r.Call
    name: str
    meant: str | None
    """The one count of epochs that is bound there: a loop's variable, or a parameter."""


def unbound_epochs(modules: list[ModuleFile]) -> Iterator[UnboundEpoch]:
    """Yield the calls of ``set_epoch`` with a name that nothing binds."""
    for module in modules:
        record = module.record
        if record is None or "set_epoch" not in walk.mentions(record) or not _DYNAMIC.isdisjoint(walk.mentions(record)):
            continue
        if any(isinstance(item, r.ImportFrom) and not item.names for item in walk.descendants(record)):
            continue
        declared = {name for item in walk.descendants(record) if isinstance(item, r.Declaration) for name in item.names}
        known = frozenset(dir(builtins)) | declared
        for scope, call, name in _in_scope(record, known):
            yield UnboundEpoch(module, call, name, _meant(scope, call))


def _meant(scope: Any, call: r.Call) -> str | None:
    """Return the one count of the loops around a call, else the one parameter for it; ``None`` if there is not one."""
    loops = [item for item in walk.descendants(scope) if isinstance(item, r.For) and call in walk.descendants(item)]
    counts = [text for loop in loops if (text := number_of(loop)) is not None]
    if not counts and isinstance(scope, r.FunctionDef):
        counts = [
            one.name
            for one in scope.parameters
            if EPOCH_NAME.search(one.name) and one.kind in ("positional", "keyword")
        ]
    named = [text for text in counts if EPOCH_NAME.search(text)]
    candidates = named or counts
    return candidates[0] if len(candidates) == 1 else None


def _in_scope(scope: Any, outer: frozenset[str]) -> Iterator[tuple[Any, r.Call, str]]:
    bound = frozenset(_bound(scope)) | outer
    stack = list(walk.children(scope))
    while stack:
        item = stack.pop()
        if isinstance(item, r.FunctionDef | r.Lambda):
            yield from _in_scope(item, bound)
            continue
        if isinstance(item, r.ClassDef):
            # The names of a class's body are not seen from its methods.
            for inner in walk.children(item):
                yield from _in_scope(inner, bound) if isinstance(inner, r.FunctionDef) else ()
            continue
        if isinstance(item, r.Call) and isinstance(item.func, r.Attribute) and item.func.attr == "set_epoch":
            if len(item.arguments) == 1 and isinstance(item.arguments[0].value, r.Name):
                name = item.arguments[0].value.id
                if name not in bound and not name.startswith("__"):
                    yield scope, item, name
        stack.extend(walk.children(item))


def _bound(scope: Any) -> Iterator[str]:
    """Yield the names that a scope binds anywhere, those of comprehensions and of nested statements too."""
    stack = list(walk.children(scope))
    while stack:
        item = stack.pop()
        if isinstance(item, r.FunctionDef | r.ClassDef):
            yield item.name
            continue
        if isinstance(item, r.Parameter):
            yield item.name
        elif isinstance(item, r.ImportFrom):
            yield from (name.alias for name in item.names)
        elif isinstance(item, r.Import):
            yield item.alias or item.module.split(".")[0]
        elif isinstance(item, r.Declaration):
            yield from item.names
        elif isinstance(item, r.Handler) and item.name is not None:
            yield item.name
        elif isinstance(item, r.Case):
            yield from item.names
        for target in _targets(item):
            yield from (part.id for part in walk.descendants(target) if isinstance(part, r.Name))
        if not isinstance(item, r.Lambda):
            stack.extend(walk.children(item))


def _targets(item: Any) -> tuple[Any, ...]:
    if isinstance(item, r.Assign | r.Delete):
        return item.targets
    if isinstance(item, r.AugmentedAssign | r.For | r.Walrus | r.Generator):
        return (item.target,)
    return (item.target,) if isinstance(item, r.WithItem) and item.target is not None else ()
