"""The tables of libraries, held against the installed packages."""

from __future__ import annotations

import importlib
import inspect

import pytest

from lint_epoch.project import libraries
from lint_epoch.project.libraries import LibraryEntry

ENTRIES = {entry.name: entry for entry in libraries.load().classes.values()}


def resolve(dotted: str) -> type:
    parts = dotted.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        assert isinstance(found, type)
        return found
    raise AssertionError(f"{dotted} cannot be imported")


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_an_entry_says_what_the_class_has(entry: LibraryEntry) -> None:
    package = entry.name.partition(".")[0]
    pytest.importorskip(package, reason=f"{package} is not installed: its entries cannot be held against it")
    cls = resolve(entry.name)
    assert hasattr(cls, "set_epoch") is entry.set_epoch
    assert hasattr(cls, "__len__") is entry.length
    if entry.state_dict != "unknown":
        assert hasattr(cls, "state_dict") is entry.state_dict


@pytest.mark.parametrize(
    "entry",
    [entry for entry in ENTRIES.values() if entry.name.startswith("torch.utils.data.") and entry.parameters],
    ids=lambda entry: entry.name,
)
def test_constructor_parameters_come_in_the_packages_order(entry: LibraryEntry) -> None:
    pytest.importorskip("torch", reason="torch is not installed: its entries cannot be held against it")
    names = list(inspect.signature(resolve(entry.name)).parameters)
    wanted = [name for name in entry.parameters if name != "data_source" or "data_source" in names]
    assert [name for name in names if name in wanted] == wanted


def test_every_name_that_an_entry_refers_to_is_in_the_tables() -> None:
    known = libraries.load().classes
    for entry in ENTRIES.values():
        for name in (*entry.bases, *([entry.prepares.as_] if entry.prepares else [])):
            assert name in known
        for rules in entry.attributes.values():
            for rule in rules:
                assert rule.new is None or rule.new in known
