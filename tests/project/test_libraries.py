"""The tables of libraries, held against the text of real packages: the pinned release, and the first that they name."""

from __future__ import annotations

import functools
import importlib.util
import re
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from lint_epoch.project import libraries
from lint_epoch.project.libraries import LibraryEntry

from ..packages import UnavailableError, pins, unpacked
from .package_classes import Package, PackageClass

TABLES = libraries.load()
ENTRIES = {entry.name: entry for entry in TABLES.classes.values()}

#: The package that brings an import name, where it is called otherwise.
DISTRIBUTIONS = {
    "ignite": "pytorch-ignite",
    "sentence_transformers": "sentence-transformers",
    "streaming": "mosaicml-streaming",
}

#: The beginnings of names that no small wheel brings as Python text; their tables say where they were read.
NOT_HELD = ("nvidia.", "ffcv.", "detectron2.", "deepspeed.runtime.sequence_parallel.", "torch.Generator")

#: Classes of these names are made by the tool: their arguments are what was prepared.
PREPARED = ["prepared"]

#: Frameworks whose loops set the epoch, and what in their source does it, as a regular expression over words.
LOOPS = {
    "transformers.Trainer": (
        "transformers/trainer.py",
        r'if hasattr\((epoch_\w+), "set_epoch"\): \1\.set_epoch\(epoch\)',
    ),
    "lightning.pytorch.Trainer": (
        "lightning/pytorch/loops/fit_loop.py",
        r"_set_sampler_epoch\(dl, self\.epoch_progress\.current\.processed\)",
    ),
    "mmengine.runner.Runner": (
        "mmengine/hooks/sampler_seed_hook.py",
        r"runner\.train_loop\.dataloader\.sampler\.set_epoch\(runner\.epoch\)",
    ),
    "composer.Trainer": ("composer/trainer/trainer.py", r"isinstance\(dataloader\.batch_sampler, DistributedSampler\)"),
    "monai.engines.SupervisedTrainer": ("monai/engines/workflow.py", r"isinstance\(sampler, DistributedSampler\)"),
    "catalyst.core.runner.IRunner": ("catalyst/core/runner.py", r"self\.loader\.sampler\.set_epoch\(self\.epoch\)"),
    "speechbrain.Brain": ("speechbrain/core.py", r"self\.train_sampler\.set_epoch\(epoch\)"),
}

#: What advances its own epoch, and what in its source does it, as before.
ADVANCES = {
    "accelerate.data_loader.DataLoaderShard": ("accelerate/data_loader.py", r"self\.set_epoch\(self\.iteration\)"),
    "accelerate.data_loader.SeedableRandomSampler": (
        "accelerate/data_loader.py",
        r"self\.set_epoch\(self\.epoch \+ 1\)",
    ),
    "lightning.fabric.wrappers._FabricDataLoader": (
        "lightning/fabric/wrappers.py",
        r"_set_sampler_epoch\(self\._dataloader, self\._num_iter_calls\)",
    ),
    "litdata.StreamingDataLoader": (
        "litdata/streaming/dataloader.py",
        r"self\.dataset\.set_epoch\(self\.current_epoch\)",
    ),
    "mmengine.runner.loops._InfiniteDataloaderIterator": ("mmengine/runner/loops.py", r"self\._epoch \+= 1"),
    "torchdata.nodes.SamplerWrapper": ("torchdata/nodes/adapters.py", r"self\.sampler\.set_epoch\(self\.epoch\)"),
    "fairseq.data.iterators.EpochBatchIterator": (
        "fairseq/data/iterators.py",
        r"self\.dataset\.set_epoch\(self\.epoch\)",
    ),
    "webdataset.ResampledShards": ("webdataset/shardlists.py", r"self\.epoch \+= 1"),
}


@functools.cache
def package(shown: str) -> Package:
    """Return a pinned package; torch as it is installed, where it is.

    Raises:
        Skipped: it cannot be had.
    """
    installed = importlib.util.find_spec("torch") if shown.startswith("torch==") else None
    if installed is not None and installed.origin is not None:
        return Package(Path(installed.origin).parent.parent)
    try:
        return Package(unpacked(pins()[shown]))
    except UnavailableError as error:
        pytest.skip(str(error))


def distribution(entry: LibraryEntry) -> str:
    """Return the name of the package that brings an entry's class."""
    first = entry.name.partition(".")[0]
    return DISTRIBUTIONS.get(first, first)


def versions(entry: LibraryEntry) -> list[str]:
    """Return the pins that an entry is held against: the newest, and the one that it names with ``since``."""
    if entry.name.startswith(NOT_HELD):
        return []
    name = distribution(entry)
    ours = [pin for pin in pins().values() if pin.name == name]
    newest = [pin.shown for pin in ours if pin.newest]
    return newest + [pin.shown for pin in ours if pin.version == entry.since and not pin.newest]


def cases() -> list[ParameterSet]:
    """Each entry with each of its pins; those of older releases are many downloads and are marked."""
    return [
        pytest.param(entry, shown, id=f"{entry.name}-{shown}", marks=() if number == 0 else pytest.mark.ecosystem)
        for entry in ENTRIES.values()
        for number, shown in enumerate(versions(entry))
    ]


def class_in(shown: str, dotted: str) -> PackageClass:
    """Return a class of a package's text."""
    found = package(shown).find(dotted)
    assert isinstance(found, PackageClass), f"{dotted} is no class in {shown}"
    return found


def has(cls: PackageClass, name: str) -> bool:
    """Whether the class or a base has a member; of a base outside of the package the tables must know it."""
    for one in cls.chain():
        if isinstance(one, PackageClass):
            if name in one.members:
                return True
        elif one in TABLES.classes:
            entry = TABLES.classes[one]
            if {"set_epoch": entry.set_epoch, "__len__": entry.length, "state_dict": entry.state_dict}[name] is True:
                return True
    return False


@pytest.mark.parametrize(("entry", "shown"), cases())
def test_an_entry_says_what_the_class_has(entry: LibraryEntry, shown: str) -> None:
    cls = class_in(shown, entry.name)
    assert has(cls, "set_epoch") is entry.set_epoch
    assert has(cls, "__len__") is entry.length
    if entry.state_dict != "unknown":
        assert has(cls, "state_dict") is entry.state_dict


@pytest.mark.parametrize(("entry", "shown"), cases())
def test_an_entry_names_parameters_in_the_constructors_order(entry: LibraryEntry, shown: str) -> None:
    cls = class_in(shown, entry.name)
    own = next((one.parameters for one in cls.chain() if isinstance(one, PackageClass) and one.parameters), None)
    if own is None or list(entry.parameters) == PREPARED:
        return
    named = [name for name in entry.parameters if name in own]
    assert [name for name in own if name in named] == named
    assert own[:1] == named[:1] or not entry.parameters or cls.takes_any


@pytest.mark.parametrize(("entry", "shown"), cases())
def test_the_epoch_is_kept_in_the_attribute_that_an_entry_names(entry: LibraryEntry, shown: str) -> None:
    if not entry.epoch_attribute:
        return
    chain = list(class_in(shown, entry.name).chain())
    outside = [TABLES.classes[one].epoch_attribute for one in chain if isinstance(one, str) and one in TABLES.classes]
    inside = [one for one in chain if isinstance(one, PackageClass) and entry.epoch_attribute in one.members]
    assert inside or entry.epoch_attribute in outside


@pytest.mark.parametrize(("entry", "shown"), [case for case in cases() if case.values[0].name in {**LOOPS, **ADVANCES}])
def test_the_source_sets_the_epoch_where_the_tables_say(entry: LibraryEntry, shown: str) -> None:
    path, words = {**LOOPS, **ADVANCES}[entry.name]
    text = (package(shown).root / path).read_text("utf-8")
    assert re.search(words, " ".join(text.split()))


def test_each_framework_that_sets_epochs_has_words_to_show_it() -> None:
    assert {name for name, entry in ENTRIES.items() if entry.sets_epoch} == set(LOOPS)
    assert all(ENTRIES[name].epoch == "advances itself" for name in ADVANCES)


@pytest.mark.parametrize(("entry", "shown"), [case for case in cases() if case.values[0].fit is not None])
def test_a_framework_takes_its_loader_from_the_method_that_an_entry_names(entry: LibraryEntry, shown: str) -> None:
    assert entry.fit is not None
    own = {name for one in class_in(shown, entry.name).chain() if isinstance(one, PackageClass) for name in one.members}
    assert {entry.fit.loader, *entry.fit.setup, *entry.fit.replaced_by} <= own
    assert ENTRIES[entry.fit.run_by].sets_epoch


def test_every_entry_is_held_against_a_package_or_is_known_not_to_be() -> None:
    assert [
        entry.name for entry in ENTRIES.values() if not versions(entry) and not entry.name.startswith(NOT_HELD)
    ] == []


def test_each_entry_of_a_library_names_the_release_since_which_it_holds() -> None:
    nameless = {name for name, entry in ENTRIES.items() if not entry.since and not name.startswith("torch.")}
    assert nameless == {"accelerate.Accelerator", "accelerate.PartialState", "accelerate.state.AcceleratorState"}


def test_an_alias_leads_to_the_class_that_it_stands_for() -> None:
    """Held where the alias lies in the same package; another package's name for it is only spelt out."""
    for entry in ENTRIES.values():
        for shown in versions(entry)[:1]:
            for alias in entry.aliases:
                if alias.partition(".")[0] == entry.name.partition(".")[0]:
                    found = package(shown).find(alias)
                    assert not isinstance(found, PackageClass) or found is class_in(shown, entry.name), alias


def test_every_name_that_an_entry_refers_to_is_in_the_tables() -> None:
    known = TABLES.classes
    for entry in ENTRIES.values():
        for name in (*entry.bases, *([entry.prepares.as_] if entry.prepares else [])):
            assert name in known
        for rules in entry.attributes.values():
            for rule in rules:
                assert rule.new is None or rule.new in known
