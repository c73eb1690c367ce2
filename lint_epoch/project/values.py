"""What an expression can be: the abstract values of the inference.

A *value set* is a tuple of alternatives. It is three-valued by construction: as long as an ``Unknown`` is among the
alternatives, nothing can be said about all of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from lint_epoch.facts import records as r

if TYPE_CHECKING:
    from lint_epoch.project.classes import AnyClass, ProjectClass
    from lint_epoch.project.modules import ModuleFile
    from lint_epoch.project.passes import Pass
    from lint_epoch.project.state import Frame

#: Alternatives kept for one name. Real loaders have two or three (with and without a sampler, train and test); a
#: larger set comes from tables of objects, of which no single one can be named in a message.
MOST_VALUES = 12

_uids = itertools.count(1)


def next_uid() -> int:
    """Return a number that no other value of this process has; numbers grow in the order of creation."""
    return next(_uids)


class Value:
    """Base of all alternatives; equality is identity unless a subclass says otherwise."""

    __slots__ = ()


class Const(Value):
    """A literal that is known: a string, a number, a truth value or ``None``."""

    __slots__ = ("value",)

    def __init__(self, value: str | int | float | bool | None) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(other.value) is type(self.value) and other.value == self.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))

    def __repr__(self) -> str:
        return f"Const({self.value!r})"


class Unknown(Value):
    """Something that the inference cannot see; ``reason`` says at which hop sight was lost."""

    __slots__ = ("parameter", "reason")

    def __init__(self, reason: str, parameter: str = "") -> None:
        self.reason = reason
        self.parameter = parameter

    def __repr__(self) -> str:
        return f"Unknown({self.reason})"


class Data(Value):
    """A plain datum (a number, a string, a tensor): certainly no loader, sampler or dataset.

    ``varies`` holds the loops whose turns change it; ``rank`` says that ranks have different ones; ``main_only`` is
    True for a truth value that holds on one rank alone, False for its negation. ``measure`` says what a number tells
    of an object: its ``length``, how many whole ``passes`` over it fit, or the ``rest`` of the last one.
    """

    __slots__ = ("main_only", "measure", "rank", "varies")

    def __init__(
        self,
        varies: frozenset[int] = frozenset(),
        rank: bool = False,
        main_only: bool | None = None,
        measure: tuple[str, Object] | None = None,
    ) -> None:
        self.varies = varies
        self.rank = rank
        self.main_only = main_only
        self.measure = measure

    def __repr__(self) -> str:
        return f"Data(varies={sorted(self.varies)}, rank={self.rank})"


class Object(Value):
    """An instance of a class of the project, of a library or of the builtins, known by where it was made."""

    __slots__ = ("arguments", "assumed", "base", "cls", "frame", "holds_loader", "names", "open", "site", "uid")

    def __init__(self, cls: AnyClass, site: Site, *, assumed: bool = False) -> None:
        self.cls = cls
        self.site = site
        self.uid = next_uid()
        self.base: dict[str, ValueSet] = {}
        self.arguments: dict[str, ValueSet] = {}
        self.assumed = assumed
        """Whether its class rests on an annotation alone."""
        self.frame: Frame | None = None
        """The call in which it was made, for objects that a constructor's call made."""
        self.holds_loader = False
        """Whether a loader, sampler or iterator was put into one of its attributes."""
        self.names: set[str] = set()
        """The variables and attributes that it was bound to."""
        self.open = False
        """Whether somebody may have given it attributes that the inference cannot name."""

    def __repr__(self) -> str:
        return f"<{self.cls.name} {self.uid} at {self.site}>"


class TupleValue(Value):
    """A tuple whose elements are known one by one."""

    __slots__ = ("elements",)

    def __init__(self, elements: tuple[ValueSet, ...]) -> None:
        self.elements = elements

    def __repr__(self) -> str:
        return f"Tuple{self.elements!r}"


class FunctionValue(Value):
    """A function of the project, possibly bound to an instance or class."""

    __slots__ = ("bound", "closure", "module", "owner", "record")

    def __init__(
        self,
        record: r.FunctionDef | r.Lambda,
        module: ModuleFile,
        closure: Frame | None,
        owner: ProjectClass | None = None,
        bound: Value | None = None,
    ) -> None:
        self.record = record
        self.module = module
        self.closure = closure
        self.owner = owner
        self.bound = bound

    @property
    def name(self) -> str:
        """The function's name, with its class's in front."""
        own = self.record.name if isinstance(self.record, r.FunctionDef) else "<lambda>"
        return f"{self.owner.name}.{own}" if self.owner is not None else own

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, FunctionValue)
            and other.record is self.record
            and other.bound is self.bound
            and other.closure is self.closure
        )

    def __hash__(self) -> int:
        return hash((id(self.record), id(self.bound)))

    def __repr__(self) -> str:
        return f"<function {self.name}>"


class ClassValue(Value):
    """A class held in a variable."""

    __slots__ = ("cls",)

    def __init__(self, cls: AnyClass) -> None:
        self.cls = cls

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassValue) and other.cls is self.cls

    def __hash__(self) -> int:
        return hash(id(self.cls))

    def __repr__(self) -> str:
        return f"<class {self.cls.name}>"


class ModuleValue(Value):
    """A module or package of the project."""

    __slots__ = ("module",)

    def __init__(self, module: ModuleFile) -> None:
        self.module = module

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModuleValue) and other.module is self.module

    def __hash__(self) -> int:
        return hash(id(self.module))


class External(Value):
    """A name of a library, by its dotted path; what the tables know of it decides what it does."""

    __slots__ = ("dotted",)

    def __init__(self, dotted: str) -> None:
        self.dotted = dotted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, External) and other.dotted == self.dotted

    def __hash__(self) -> int:
        return hash(self.dotted)

    def __repr__(self) -> str:
        return f"<external {self.dotted}>"


class BoundExternal(Value):
    """A method of a library or builtin object."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Object, name: str) -> None:
        self.receiver = receiver
        self.name = name


class Partial(Value):
    """``functools.partial(function, …)``."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: Value, arguments: CallArguments) -> None:
        self.function = function
        self.arguments = arguments


class SuperValue(Value):
    """``super()`` inside a method of ``owner``, called on ``instance``."""

    __slots__ = ("instance", "owner")

    def __init__(self, owner: ProjectClass, instance: Value) -> None:
        self.owner = owner
        self.instance = instance


class GeneratorValue(Value):
    """What a call of a generator function returns: its body runs when somebody iterates."""

    __slots__ = ("arguments", "function", "site", "uid")

    def __init__(self, function: FunctionValue, arguments: CallArguments, site: Site) -> None:
        self.function = function
        self.arguments = arguments
        self.site = site
        self.uid = next_uid()


class ComprehensionValue(Value):
    """A generator expression: it runs when somebody iterates."""

    __slots__ = ("elements",)

    def __init__(self, elements: ValueSet) -> None:
        self.elements = elements


class IteratorValue(Value):
    """An iterator that was made over something: the pass it belongs to and what it yields."""

    __slots__ = ("elements", "passes", "source")

    def __init__(self, source: ValueSet, passes: tuple[Pass, ...], elements: ValueSet) -> None:
        self.source = source
        self.passes = passes
        self.elements = elements


class View(Value):
    """A lazy view that hands on the items of others: ``enumerate``, ``zip``, ``tqdm``, ``islice``, ``map``."""

    __slots__ = ("kind", "sources")

    def __init__(self, kind: str, sources: tuple[ValueSet, ...]) -> None:
        self.kind = kind
        self.sources = sources


ValueSet: TypeAlias = tuple[Value, ...]
Site: TypeAlias = "tuple[ModuleFile | None, int]"


class CallArguments:
    """The arguments of a call, evaluated."""

    __slots__ = ("keywords", "open", "positional")

    def __init__(
        self, positional: tuple[ValueSet, ...] = (), keywords: dict[str, ValueSet] | None = None, is_open: bool = False
    ) -> None:
        self.positional = positional
        self.keywords = keywords or {}
        self.open = is_open
        """Whether ``*args`` or ``**kwargs`` of unknown content were given."""

    def values(self) -> Iterable[ValueSet]:
        """All value sets that were given."""
        yield from self.positional
        yield from self.keywords.values()


NONE: ValueSet = (Const(None),)
TRUE: ValueSet = (Const(True),)
FALSE: ValueSet = (Const(False),)


def unknown(reason: str, parameter: str = "") -> ValueSet:
    """Return a value set that holds nothing but an ``Unknown``."""
    return (Unknown(reason, parameter),)


def join(*sets: ValueSet) -> ValueSet:
    """Return the alternatives of all sets, without duplicates, bounded by ``MOST_VALUES``."""
    first = sets[0]
    if all(other is first for other in sets):
        return first
    found: list[Value] = []
    seen: set[Any] = set()
    has_unknown = False
    for values in sets:
        for value in values:
            if isinstance(value, Unknown):
                if has_unknown:
                    continue
                has_unknown = True
            if value in seen:
                continue
            seen.add(value)
            found.append(value)
    if len(found) > MOST_VALUES:
        kept = [value for value in found if isinstance(value, Object)][: MOST_VALUES - 1]
        return (*kept, Unknown(f"more than {MOST_VALUES} alternatives"))
    return tuple(found)


def each(values: ValueSet, get: Callable[[Value], ValueSet]) -> ValueSet:
    """Return what ``get`` gives for each alternative, joined."""
    if len(values) == 1:
        return get(values[0])
    parts = [get(value) for value in values]
    return join(*parts) if parts else ()


def is_known(values: ValueSet) -> bool:
    """Whether there are alternatives and none of them is unknown."""
    return bool(values) and not any(isinstance(value, Unknown) for value in values)


def measured(values: ValueSet, what: str) -> Object | None:
    """Return the object of which a number is the ``length``, the ``passes`` or the ``rest``."""
    for value in values:
        if isinstance(value, Data) and value.measure is not None and value.measure[0] == what:
            return value.measure[1]
    return None


def only_constant(values: ValueSet) -> Const | None:
    """Return the constant, if the set is one constant and nothing else."""
    return values[0] if len(values) == 1 and isinstance(values[0], Const) else None
