"""Rounds: one fix that fails does not keep the others back, and one that does not help is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.config import Config
from lint_epoch.diagnostics import Finding
from lint_epoch.fixes import rounds
from lint_epoch.fixes.driver import fix
from lint_epoch.fixes.rounds import FileChange

from .scripts import HEAD, SAMPLER

BATCHES = "    for batch in loader:\n        step(batch)\n"


def written(folder: Path, **files: str) -> dict[str, Path]:
    """Write scripts, the head before each, and return where they are."""
    found = {name: folder / f"{name}.py" for name in files}
    for name, path in found.items():
        path.write_text(HEAD + files[name])
    return found


LOST = f"{SAMPLER}epochs = 3\nfor epoch in range(3):\n    sampler.set_epoch(epochs -  # so many\n        1)\n{BATCHES}"


def test_a_fix_that_fails_does_not_keep_others_of_its_file_back(tmp_path: Path) -> None:
    never = (
        "\n\nother = DataLoader(data, sampler=DistributedSampler(data))\nfor epoch in range(3):\n{}"
        + BATCHES.replace("loader", "other")
    )
    script = written(tmp_path, train=LOST + never.format(""))["train"]

    result = fix([tmp_path], Config(), unsafe=False, write=True)

    assert [error.message for error in result.errors] == [
        "not mended (LEP302): a comment inside of what is replaced would be lost"
    ]
    assert [finding.code for finding in result.applied] == ["LEP301"]
    assert [finding.code for finding in result.report.findings] == ["LEP302"]
    assert script.read_text() == HEAD + LOST + never.format("    other.sampler.set_epoch(epoch)\n")


WORKERS = """\
class Stream(torch.utils.data.IterableDataset):
    def __init__(self, files):
        self.files = files
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        order = torch.randperm(len(self.files), generator=torch.Generator().manual_seed(self.epoch))
        yield from (self.files[index] for index in order)


loader = DataLoader(Stream([1, 2, 3]), num_workers=2, persistent_workers=True)
for epoch in range(3):
"""


def test_a_fix_that_would_only_move_the_fault_is_taken_back(tmp_path: Path) -> None:
    never = f"{SAMPLER}for epoch in range(3):\n{{}}{BATCHES}"
    scripts = written(tmp_path, stream=WORKERS + BATCHES, train=never.format(""))

    result = fix([tmp_path], Config(), unsafe=False, write=True)

    (error,) = result.errors
    assert error.path == scripts["stream"].as_posix()
    assert error.message.startswith("not mended (LEP301): the fix would have brought LEP401: ")
    assert scripts["stream"].read_text() == HEAD + WORKERS + BATCHES
    assert scripts["train"].read_text() == HEAD + never.format("    sampler.set_epoch(epoch)\n")
    assert [(finding.code, finding.path) for finding in result.applied] == [("LEP301", scripts["train"].as_posix())]


RANKED = (
    "import torch.distributed as dist\n\n\ndef log(number):\n    return 0\n\n\nrank = dist.get_rank()\n"
    f"{SAMPLER}for epoch in range(3):\n    sampler.set_epoch({{}})\n{BATCHES}"
)


def test_a_fix_with_an_effect_less_is_made_only_when_asked_for(tmp_path: Path) -> None:
    script = written(tmp_path, train=RANKED.format("rank + log(epoch)"))["train"]

    assert fix([tmp_path], Config(), unsafe=False, write=True).changes == ()
    result = fix([tmp_path], Config(), unsafe=True, write=True)

    assert script.read_text() == HEAD + RANKED.format("epoch")
    (finding,) = result.applied
    assert finding.fix is not None
    assert finding.fix.safety == "unsafe"
    assert finding.fix.description == "set the epoch to epoch; log would no longer be called"


@pytest.mark.parametrize(
    ("test", "safety"), [("loader is not None", "safe"), ("loader", "unsafe"), ("not loader", "unsafe")]
)
def test_a_length_is_unsafe_where_the_truth_of_the_object_is_asked_for(tmp_path: Path, test: str, safety: str) -> None:
    body = (
        "class Batches:\n    def __init__(self, loader):\n        self.held = loader\n\n"
        "    def set_epoch(self, epoch):\n        self.held.sampler.set_epoch(epoch)\n\n"
        "    def __iter__(self):\n        yield from self.held\n\n\n"
        "loader = Batches(DataLoader(data, sampler=DistributedSampler(data)))\n"
        f"if {test}:\n    print(len(loader))\n"
        f"for epoch in range(3):\n    loader.set_epoch(epoch)\n{BATCHES}"
    )
    written(tmp_path, train=body)
    (finding,) = lint_epoch.check([tmp_path]).findings
    assert finding.code == "LEP102"
    assert finding.fix is not None
    assert finding.fix.safety == safety
    assert ("and what is empty is false" in finding.fix.description) is (safety == "unsafe")


def test_fixes_that_never_come_to_rest_write_nothing_and_say_what_to_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = written(tmp_path, train=f"{SAMPLER}for epoch in range(3):\n{BATCHES}")["train"]
    before = script.read_text()
    monkeypatch.setattr(rounds, "MOST_ROUNDS", 1)

    result = fix([tmp_path], Config(), unsafe=False, write=True)

    (error,) = result.errors
    assert script.read_text() == before
    assert result.applied == result.changes == ()
    for part in ("1 rounds", "nothing was written", "Please report", "train.py", "LEP301", "lint-epoch 0", "Python 3."):
        assert part in error.message


# --- asking ----------------------------------------------------------------------------------------------------------


def test_each_fix_is_shown_alone_and_made_where_wanted(tmp_path: Path) -> None:
    never = f"{SAMPLER}for epoch in range(3):\n{{}}{BATCHES}"
    scripts = written(tmp_path, one=never.format(""), two=never.format(""))
    asked: list[tuple[str, bytes, bytes]] = []

    def decide(finding: Finding, change: FileChange) -> bool:
        asked.append((Path(finding.path).name, change.before, change.after))
        return finding.path == scripts["two"].as_posix()

    result = fix([tmp_path], Config(), unsafe=False, write=True, decide=decide)

    after = HEAD + never.format("    sampler.set_epoch(epoch)\n")
    before = HEAD + never.format("")
    assert sorted(asked) == [(f"{name}.py", before.encode(), after.encode()) for name in ("one", "two")]
    assert (scripts["one"].read_text(), scripts["two"].read_text()) == (before, after)
    assert result.errors == ()
    assert [finding.path for finding in result.report.findings] == [scripts["one"].as_posix()]


def test_who_is_asked_may_take_an_unsafe_fix(tmp_path: Path) -> None:
    script = written(tmp_path, train=RANKED.format("rank + log(epoch)"))["train"]

    fix([tmp_path], Config(), unsafe=False, write=True, decide=lambda finding, change: True)

    assert script.read_text() == HEAD + RANKED.format("epoch")


# --- what is left to people ------------------------------------------------------------------------------------------


def test_one_of_several_loaders_that_starts_over_is_left_to_people(tmp_path: Path) -> None:
    body = (
        "class Mixed:\n    def __init__(self, loaders):\n        self.loaders = loaders\n"
        "        self.batches = [iter(loader) for loader in loaders]\n\n"
        "    def __iter__(self):\n        return self\n\n"
        "    def __next__(self):\n        found = []\n"
        "        for index in range(len(self.loaders)):\n            try:\n"
        "                found.append(next(self.batches[index]))\n            except StopIteration:\n"
        "                self.batches[index] = iter(self.loaders[index])\n"
        "                found.append(next(self.batches[index]))\n        return found\n\n\n"
        "loaders = [DataLoader(data, sampler=DistributedSampler(data)), DataLoader(data)]\n"
        "for batch in Mixed(loaders):\n    step(batch)\n"
    )
    written(tmp_path, train=body)
    before = (tmp_path / "train.py").read_text()
    found = [finding for finding in lint_epoch.check([tmp_path]).findings if finding.code == "LEP104"]
    assert found[0].fix is None
    assert found[0].message.endswith("count the passes of each loader, and set its epoch in front of its new iterator")
    fix([tmp_path], Config(select=("LEP104",)), unsafe=True, write=True)
    assert (tmp_path / "train.py").read_text() == before
