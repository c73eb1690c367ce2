"""What public libraries do with the epoch, as data: one TOML file for each group of libraries."""

from __future__ import annotations

import functools
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec

EpochKind = Literal["", "set by the caller", "advances itself"]


class AttributeRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One alternative of what an attribute of a library object is."""

    if_given: str | None = None
    """Holds if that constructor argument was given and is not ``None``."""
    if_true: str | None = None
    if_none: str | None = None
    argument: str | None = None
    """The attribute is that argument of the constructor."""
    new: str | None = None
    """The attribute is a new object of that class."""
    with_attribute: str | None = None
    """The new object's constructor gets that attribute of this object under its own first parameter's name."""
    with_prepared: str | None = None
    """As before, with that attribute of the prepared object."""
    of: str | None = None
    attribute: str | None = None
    """The attribute of that name of the object in argument ``of``."""
    none: bool = False


class Prepares(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"as_": "as"}):
    """What a framework's ``prepare`` makes of a loader."""

    as_: str
    shards: bool
    """Whether it splits the batches of the loader among the ranks."""


class FitLoop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The training loop that a framework runs over the loader which a subclass of the project gives it."""

    run_by: str
    """The class whose ``sets_epoch`` says what that loop tells."""
    loader: str
    """The method that gives the loader."""
    hook: str
    """The method that is called in front of each pass."""
    setup: tuple[str, ...] = ()
    """The methods that are called in front of it."""
    hooks: tuple[str, ...] = ()
    """The methods, of the subclass and of others, that are called between two passes."""
    replaced_by: tuple[str, ...] = ()
    """The methods with which a subclass brings a loop of its own."""


class LibraryEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A class of a library."""

    name: str
    kind: Literal["loader", "sampler", "dataset", "framework", "other"]
    set_epoch: bool
    length: bool
    state_dict: bool | Literal["unknown"]
    aliases: tuple[str, ...] = ()
    since: str = ""
    """The first version for which the entry holds."""
    bases: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    attributes: dict[str, tuple[AttributeRule, ...]] = {}
    methods: dict[str, str] = {}
    like: str = ""
    """The class whose parameters, attributes and behaviour it shares."""
    epoch: EpochKind = ""
    not_if_false: str = ""
    """The constructor argument that, when it is False, makes the order independent of the epoch."""
    shuffles_by_default: bool = True
    """Whether its order depends on the epoch if the argument ``not_if_false`` is not given."""
    distributed: bool = False
    """Whether it hands out a part for each rank."""
    epoch_attribute: str = ""
    shares_epoch_with_workers: bool = False
    advances: tuple[str, ...] = ()
    """Attributes, from the loader on, whose epoch an ``advances itself`` loader sets at each pass; empty for all."""
    repeats: bool = False
    """Whether a pass over it starts again and again for ever."""
    prepares: Prepares | None = None
    sets_epoch: tuple[str, ...] = ()
    """Where a framework's own loop sets the epoch before each pass, as paths from the loader; ``""`` is the loader."""
    fit: FitLoop | None = None


class LibraryFunction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A function of a library."""

    names: tuple[str, ...]
    gives: str
    of: int = 0
    new: str = ""


class _Table(msgspec.Struct, forbid_unknown_fields=True, rename={"classes": "class", "functions": "function"}):
    classes: tuple[LibraryEntry, ...] = ()
    functions: tuple[LibraryFunction, ...] = ()


class Libraries:
    """All tables, by dotted name."""

    def __init__(self, tables: list[_Table]) -> None:
        entries = {entry.name: entry for table in tables for entry in table.classes}
        self.classes: dict[str, LibraryEntry] = {}
        for entry in entries.values():
            whole = entry
            if entry.like:
                model = entries[entry.like]
                whole = msgspec.structs.replace(
                    entry,
                    parameters=entry.parameters or model.parameters,
                    holds=entry.holds or model.holds,
                    attributes={**model.attributes, **entry.attributes},
                    epoch=entry.epoch or model.epoch,
                    not_if_false=entry.not_if_false or model.not_if_false,
                    distributed=entry.distributed or model.distributed,
                    epoch_attribute=entry.epoch_attribute or model.epoch_attribute,
                    fit=entry.fit or model.fit,
                )
            for name in (entry.name, *entry.aliases):
                self.classes[name] = whole
        self.functions: dict[str, LibraryFunction] = {
            name: function for table in tables for function in table.functions for name in function.names
        }


def _parse_toml(text: str) -> Any:
    # Imported here: a run in which no file takes part needs no table.
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib  # type: ignore[no-redef]
    return tomllib.loads(text)


class TableError(Exception):
    """A table of the user's own that cannot be used; the message says why."""


@functools.cache
def load(own: tuple[str, ...] = ()) -> Libraries:
    """Return the tables that ship with the package, and over them those of the user.

    Args:
        own: paths of files in the same format; where one names a class that is known, the file's word counts.

    Raises:
        TableError: one of the files cannot be used.
    """
    folder = resources.files(__name__)
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    tables = [msgspec.convert(_parse_toml((folder / name).read_text("utf-8")), _Table) for name in names]
    return Libraries([*tables, *map(read_table, own)])


@functools.cache
def read_table(path: str) -> _Table:
    """Read a file of the user's own.

    Raises:
        TableError: it cannot be read, is no TOML, or is not in the format of these tables.
    """
    try:
        table = msgspec.convert(_parse_toml(Path(path).read_text("utf-8")), _Table)
    except OSError as error:
        raise TableError(f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # what tomllib raises, what msgspec raises, and what is not UTF-8
        raise TableError(f"is no table of classes: {error}") from error
    shipped = {entry.name for entry in load().classes.values()} | {entry.name for entry in table.classes}
    for entry in table.classes:
        if entry.like and entry.like not in shipped:
            raise TableError(f"{entry.name} is `like` {entry.like}, which no table has")
    return table


def telling_names(own: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return the last parts of the names of the user's classes: a file that holds one may be worth analysing."""
    tables = map(read_table, own)
    names = (name for table in tables for entry in table.classes for name in (entry.name, *entry.aliases))
    return tuple(sorted({name.rpartition(".")[2].encode() for name in names}))
