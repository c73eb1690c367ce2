"""Classes of the project and of libraries: their bases, members, and whether an instance has an attribute."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.libraries import LibraryEntry

if TYPE_CHECKING:
    from lint_epoch.project.modules import ModuleFile
    from lint_epoch.project.state import Frame

#: Bases and decorators that give a class no attribute that matters here.
PLAIN_BASES = frozenset(
    {
        "object", "Generic", "Protocol", "ABC", "Exception", "NamedTuple", "TypedDict", "Enum", "dict", "list",
        "Iterator", "Iterable", "Sized", "Collection", "Generator", "Sequence",
    }
)  # fmt: skip
KEEPING_DECORATORS = frozenset(
    {"dataclass", "final", "runtime_checkable", "total_ordering", "dataclasses", "define", "frozen", "attrs", "s"}
)


class LibraryClass:
    """A class of a library, as its table entry describes it."""

    __slots__ = ("bases", "entry", "name")

    def __init__(self, entry: LibraryEntry, bases: tuple[LibraryClass, ...]) -> None:
        self.entry = entry
        self.name = entry.name.rpartition(".")[2]
        self.bases = bases

    def ancestors(self) -> Iterator[LibraryClass]:
        """This class and all its bases."""
        yield self
        for base in self.bases:
            yield from base.ancestors()

    def __repr__(self) -> str:
        return self.entry.name


class BuiltinClass:
    """A builtin container: ``list`` or ``dict``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


LIST = BuiltinClass("list")
DICT = BuiltinClass("dict")


class ProjectClass:
    """A class that the project defines."""

    def __init__(self, record: r.ClassDef, module: ModuleFile, closure: Frame | None) -> None:
        self.record = record
        self.module = module
        self.name = record.name
        self.closure = closure
        self.bases: tuple[AnyClass | None, ...] = ()
        """The bases in order; ``None`` for one that cannot be resolved."""
        self.patched: dict[str, object] = {}
        """What was assigned to the class from outside."""
        self.has_unknown_decorator = False

    @functools.cached_property
    def functions(self) -> dict[str, r.FunctionDef]:
        """The functions of the class's body by name; the last definition counts, as at run time."""
        return {item.name: item for item in walk.definitions(self.record.body) if isinstance(item, r.FunctionDef)}

    @functools.cached_property
    def assigned(self) -> dict[str, r.Assign]:
        """The class's own variables, and a dataclass's fields."""
        found: dict[str, r.Assign] = {}
        for statement in self.record.body:
            if isinstance(statement, r.Assign):
                for target in statement.targets:
                    if isinstance(target, r.Name):
                        found[target.id] = statement
        return found

    @functools.cached_property
    def own_self_attributes(self) -> frozenset[str]:
        """The attributes that some method of this class puts into ``self``."""
        return frozenset(
            attribute for function in self.functions.values() for attribute in walk.self_attributes(function)
        )

    @functools.cached_property
    def is_dataclass(self) -> bool:
        """Whether a decorator makes ``__init__`` from the fields."""
        return any(
            walk.last_name(decorator) in ("dataclass", "define", "frozen") for decorator in self.record.decorators
        )

    def mro(self) -> list[AnyClass]:
        """The classes in the order of look-up (depth first, a base met twice counts at its last place)."""
        found: list[AnyClass] = [self]
        for base in self.bases:
            chain: list[AnyClass] = []
            if isinstance(base, ProjectClass):
                chain = base.mro() if base is not self else []
            elif isinstance(base, LibraryClass):
                chain = list(base.ancestors())
            for cls in chain:
                if cls in found:
                    found.remove(cls)
                found.append(cls)
        return found

    @property
    def is_open(self) -> bool:
        """Whether something about its members cannot be known: a base, a decorator."""
        return self.has_unknown_decorator or any(
            base is None or (isinstance(base, ProjectClass) and base is not self and base.is_open)
            for base in self.bases
        )

    def function(self, name: str) -> tuple[ProjectClass, r.FunctionDef] | None:
        """Return the project's function that a look-up of ``name`` finds, and the class that defines it."""
        for cls in self.mro():
            if isinstance(cls, ProjectClass) and name in cls.functions:
                return cls, cls.functions[name]
        return None

    def library_bases(self) -> list[LibraryClass]:
        """All library classes among the ancestors."""
        return [cls for cls in self.mro() if isinstance(cls, LibraryClass)]

    def derives_from(self, dotted: str) -> bool:
        """Whether a library class of that name, or of that alias, is among the ancestors."""
        return any(dotted == cls.entry.name or dotted in cls.entry.aliases for cls in self.library_bases())

    def member(self, name: str) -> bool | None:
        """Whether an instance has the attribute: yes, no, or unknown."""
        may_be_set = False
        for cls in self.mro():
            if isinstance(cls, ProjectClass):
                if name in cls.functions or name in cls.assigned or name in cls.patched:
                    return True
                may_be_set = may_be_set or name in cls.own_self_attributes or "__getattr__" in cls.functions
                may_be_set = may_be_set or "__getattribute__" in cls.functions or walk.updates_dict(cls.record)
            else:
                known = library_member(cls, name) if isinstance(cls, LibraryClass) else False
                if known:
                    return True
                may_be_set = may_be_set or known is None
        return None if may_be_set or self.is_open else False

    def __repr__(self) -> str:
        return f"{self.name} ({self.module.shown})"


AnyClass: TypeAlias = "ProjectClass | LibraryClass | BuiltinClass"


def library_member(cls: LibraryClass, name: str) -> bool | None:
    """Whether an instance of a library class has the attribute; other names than the tables know are unknown."""
    entry = cls.entry
    if name == "set_epoch":
        return entry.set_epoch
    if name == "__len__":
        return entry.length
    if name in ("state_dict", "load_state_dict"):
        return None if entry.state_dict == "unknown" else entry.state_dict
    if name in entry.attributes or name in entry.methods or name == "__iter__":
        return True
    # The three names that torch's own loaders and samplers are asked for; the tables list all that exist.
    return False if name in ("sampler", "batch_sampler", "dataset") and entry.kind in ("loader", "sampler") else None


def class_has(cls: AnyClass, name: str) -> bool | None:
    """Whether instances of the class have the attribute: yes, no, or unknown."""
    if isinstance(cls, ProjectClass):
        return cls.member(name)
    if isinstance(cls, LibraryClass):
        answers = [library_member(ancestor, name) for ancestor in cls.ancestors()]
        return answers[0] if answers[0] is not None or len(answers) == 1 else None
    return False if name in ("set_epoch", "state_dict", "sampler", "batch_sampler") else None


def is_a(cls: AnyClass, wanted: AnyClass) -> bool | None:
    """Whether an instance of ``cls`` is an instance of ``wanted``: yes, no, or unknown."""
    if cls is wanted:
        return True
    if isinstance(cls, ProjectClass):
        if any(other is wanted for other in cls.mro()):
            return True
        return None if cls.is_open else False
    if isinstance(cls, LibraryClass):
        if not isinstance(wanted, LibraryClass):
            return None if isinstance(wanted, ProjectClass) else False
        return any(other.entry.name == wanted.entry.name for other in cls.ancestors())
    return False
