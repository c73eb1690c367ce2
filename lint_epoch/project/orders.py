"""What decides the order in which a project's own sampler or dataset draws: its epoch, or something that moves on."""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.methods import methods_of, own_name, reached
from lint_epoch.project.values import Object


def uses_epoch(value: Object) -> bool:
    """Whether a project's subclass of an epoch-aware sampler still draws from the epoch."""
    if not isinstance(value.cls, ProjectClass):
        return True
    found = value.cls.function("__iter__")
    if found is None:
        return True
    if _moves_its_seed(value.cls):
        return False
    own = walk.self_name(found[1])
    for item in walk.descendants(found[1]):
        if isinstance(item, r.Attribute) and "epoch" in item.attr and isinstance(item.value, r.Name):
            if item.value.id == own:
                return True
        if isinstance(item, r.Call) and isinstance(item.func, r.Attribute) and item.func.attr == "__iter__":
            return True
    return False


def reads_its_epoch(cls: ProjectClass) -> bool:
    """Whether a sampler of the project draws from a field that its ``set_epoch`` fills."""
    setter = cls.function("set_epoch")
    draw = cls.function("__iter__")
    if setter is None or draw is None:
        return False
    if not _is_sampler(cls) and not _shuffles_items(cls):
        return False
    stored = set(walk.self_attributes(setter[1])) - _random_sources(setter[1])
    return bool(stored & attributes_read(cls, draw[1])) and not _moves_its_seed(cls)


def _is_sampler(cls: ProjectClass) -> bool:
    if any(base.entry.kind == "sampler" for base in cls.library_bases()):
        return True
    return "sampler" in cls.name.lower()


#: What is given a seed, by its last name.
_SEEDED = frozenset({"manual_seed", "seed", "Random", "RandomState", "default_rng", "SeedSequence", "PCG64"})

#: What gives another number each time.
_ANOTHER_EACH_TIME = frozenset(
    {"next", "time", "time_ns", "perf_counter", "randint", "randrange", "getrandbits", "urandom"}
)


def _moves_its_seed(cls: ProjectClass) -> bool:
    """Whether each pass seeds its order with something that moves on by itself: a count of its own, the time."""
    functions = reached(methods_of(cls), "__iter__")
    moving = {name for function in functions for name in _raised(function)}
    for function in functions:
        own = walk.self_name(function)
        for call in walk.descendants(function):
            if isinstance(call, r.Call) and walk.last_name(call) in _SEEDED:
                for item in (part for argument in call.arguments for part in walk.descendants(argument)):
                    if isinstance(item, r.Call) and walk.last_name(item) in _ANOTHER_EACH_TIME:
                        return True
                    if own_name(item, own) in moving:
                        return True
    return False


def _raised(function: r.FunctionDef) -> Iterator[str]:
    """Yield the attributes of ``self``, other than its epoch, to which a method adds something."""
    own = walk.self_name(function)
    for item in walk.descendants(function):
        if isinstance(item, r.AugmentedAssign) and (name := own_name(item.target, own)) and "epoch" not in name:
            yield name


#: What makes a source of random numbers, which goes on from pass to pass unless it is seeded again.
_RANDOM_SOURCES = frozenset({"Random", "default_rng", "RandomState", "Generator", "SystemRandom"})


def _random_sources(setter: r.FunctionDef) -> set[str]:
    """Return the attributes into which a ``set_epoch`` puts a new source of random numbers."""
    return {
        target.attr
        for item in walk.descendants(setter)
        if isinstance(item, r.Assign) and isinstance(item.value, r.Call)
        if walk.last_name(item.value) in _RANDOM_SOURCES
        for target in item.targets
        if isinstance(target, r.Attribute)
    }


def attributes_read(cls: ProjectClass, function: r.FunctionDef) -> set[str]:
    """Return the attributes of ``self`` that a method reads, also in the class's own methods that it calls."""
    found: set[str] = set()
    waiting, seen = [function], {function.at}
    while waiting:
        current = waiting.pop()
        own = walk.self_name(current)
        for item in walk.descendants(current):
            if isinstance(item, r.Attribute) and isinstance(item.value, r.Name) and item.value.id == own:
                found.add(item.attr)
                called = cls.function(item.attr)
                if called is not None and called[1].at not in seen:
                    seen.add(called[1].at)
                    waiting.append(called[1])
    return found


def _shuffles_items(cls: ProjectClass) -> bool:
    """Whether some method of a dataset puts its items into a random order."""
    words = ("randperm", "shuffle", "permutation", "manual_seed", "default_rng", "Random")
    return any(
        not walk.mentions(owner.record).isdisjoint(words) for owner in cls.mro() if isinstance(owner, ProjectClass)
    )
