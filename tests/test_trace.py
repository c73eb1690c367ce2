"""``lint-epoch trace``: right, faulty and unknown paths, and the programs that draw them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import lint_epoch
from lint_epoch.cli import main
from lint_epoch.config import Config
from lint_epoch.diagnostics import Hop
from lint_epoch.report.drawing import dot, mermaid, tree
from lint_epoch.report.view import View
from lint_epoch.tracing import EpochPath, epoch_paths

TRAINER = Path(lint_epoch.__file__).parent.parent / "fixtures" / "robot_trainer"

UNKNOWN = """\
from torch.utils.data import DataLoader, DistributedSampler
from elsewhere import make_loader


def main(dataset):
    sampler = DistributedSampler(dataset)
    loader = make_loader(sampler)
    for epoch in range(3):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            print(batch)


main([])
"""
HANDED_OUT = """\
from torch.utils.data import DataLoader, DistributedSampler
from elsewhere import watch


def main(dataset):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    watch(sampler)
    for epoch in range(3):
        for batch in loader:
            print(batch)


main([])
"""
HELPED = """\
from torch.utils.data import DataLoader, DistributedSampler


class Wrapper:
    def __init__(self, dataset):
        self._loader = DataLoader(dataset, batch_size=2, sampler=DistributedSampler(dataset))

    def set_epoch(self, epoch):
        self._loader.sampler.set_epoch(epoch)

    def __iter__(self):
        yield from self._loader


def begin(loader, epoch):
    loader.set_epoch(epoch)


def main(dataset):
    loader = Wrapper(dataset)
    for epoch in range(3):
        begin(loader, epoch)
        for batch in loader:
            print(batch)


main([])
"""


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        (tmp_path / ".git").mkdir()
        path = tmp_path / "train.py"
        path.write_text(text)
        return path

    return write


def told(path: EpochPath) -> list[tuple[int, str]]:
    return [(hop.line, hop.what) for hop in path.hops]


@pytest.fixture
def trainer(tmp_path: Path) -> Path:
    return shutil.copytree(TRAINER / "faulty", tmp_path / "project")


def test_a_faulty_path_has_a_mark_where_the_call_is_lost_and_what_is_reported(faulty_script: str, script) -> None:
    [path] = epoch_paths(script(faulty_script), None, Config())
    assert (path.state, path.mark) == ("faulty", 1)
    assert told(path) == [
        (17, "the loop reads loader"),
        (13, "Wrapper"),
        (6, "which draws from DataLoader"),
        (6, "which draws from DistributedSampler"),
    ]
    assert path.findings == ("LEP101 at train.py:4", "LEP201 at train.py:15")


def test_a_right_path_has_the_route_by_which_the_call_arrives(script) -> None:
    [path] = epoch_paths(script(HELPED), None, Config())
    assert (path.state, path.mark, path.findings) == ("right", None, ())
    assert [(hop.line, hop.what) for hop in path.route] == [
        (16, "set_epoch is called on Wrapper"),
        (9, "set_epoch is called on DistributedSampler"),
    ]


def test_what_a_prepared_loader_sets_by_itself_is_one_arrival(script) -> None:
    prepared = UNKNOWN.replace("from elsewhere import make_loader", "from accelerate import Accelerator")
    prepared = prepared.replace("make_loader(sampler)", "Accelerator().prepare(DataLoader(dataset, sampler=sampler))")
    twice, path = epoch_paths(script(prepared), None, Config())
    assert (twice.state, twice.why, twice.findings) == ("faulty", "sharded twice", ("LEP501 at train.py:7",))
    assert (path.state, [hop.what for hop in path.route]) == ("right", ["DistributedSampler sets its own epoch"])


def test_an_unknown_loop_says_at_which_hop_sight_is_lost(script) -> None:
    [path] = epoch_paths(script(UNKNOWN), 8, Config())
    assert (path.state, path.mark) == ("unknown", 0)
    assert told(path) == [(8, "the loop reads a loader that cannot be followed")]
    assert path.why


def test_an_unknown_path_ends_where_an_object_of_it_is_handed_out(script) -> None:
    [path] = epoch_paths(script(HANDED_OUT), None, Config())
    assert (path.state, path.mark) == ("unknown", len(path.hops) - 1)
    assert told(path)[-1] == (8, "here elsewhere.watch() is given one of them, and may set the epoch")


def test_a_guard_on_what_cannot_be_seen_says_so(script) -> None:
    [path] = epoch_paths(script(UNKNOWN), 9, Config())
    assert (path.state, path.why, path.mark) == ("unknown", "whether the guard is true cannot be told", 1)
    assert told(path)[0] == (9, "the guard asks loader")
    assert told(path)[1][1].startswith("which cannot be seen: ")


@pytest.mark.parametrize(
    ("line", "states"),
    [
        (4, ["faulty"]),  # the class
        (8, ["faulty"]),  # in it
        (14, ["faulty"]),  # the loop
        (15, ["faulty"]),  # the guard
        (18, ["faulty"]),  # in the loop
        (21, []),
    ],
)
def test_a_line_is_that_of_a_loop_a_guard_or_a_class(faulty_script: str, script, line: int, states: list[str]) -> None:
    assert [path.state for path in epoch_paths(script(faulty_script), line, Config())] == states


def test_paths_lead_through_all_files_on_them(trainer: Path) -> None:
    whole = epoch_paths(trainer / "scripts" / "train.py", None, Config())
    assert {path.state for path in whole} == {"faulty", "right"}
    assert set(whole) <= set(epoch_paths(trainer / "src" / "robot_trainer" / "data_loader.py", None, Config()))
    assert epoch_paths(trainer / "src" / "robot_trainer" / "config.py", None, Config()) == []


@pytest.mark.parametrize(
    ("fixture", "states"),
    [
        ("correct_delegation/mended", {"right", "unknown"}),
        ("correct_evaluation/mended", {"right"}),
        ("correct_open_guards/mended", {"right", "unknown"}),
        ("lep303_after_iter/faulty", {"faulty"}),
    ],
)
def test_the_paths_of_whole_projects(tmp_path: Path, fixture: str, states: set[str]) -> None:
    project = shutil.copytree(TRAINER.parent / fixture, tmp_path / "project")
    (project / ".git").mkdir()
    found = [path for file in sorted(project.rglob("*.py")) for path in epoch_paths(file, None, Config())]
    assert {path.state for path in found} == states
    for path in found:
        assert (path.mark is None) is (path.state == "right")
        assert bool(path.findings) is (path.state == "faulty")
        assert bool(path.route) <= (path.state == "right")


# --- what draws them -------------------------------------------------------------------------------------------------

HOSTILE = EpochPath(
    "unknown",
    'why "not" <b> #1 \x1b[2J',
    (Hop("/job/a[b] \u202e.py", 3, 'reads "x\\y" & `z`'), Hop("/job/b.py", 4, "A; B --> C")),
    1,
    (Hop("/job/c|d.py", 5, "{set_epoch}"),),
    ("LEP101 at \x1b[2J.py:1",),
)


def test_the_tree_is_drawn_with_marks_and_branches(faulty_script: str, script) -> None:
    path = script(faulty_script)
    paths = epoch_paths(path, None, Config())
    folder = path.parent.as_posix()
    assert tree(paths, View(folder)) == (
        "faulty: the call never happens\n"
        "├── train.py:17 the loop reads loader\n"
        "│   └── ✗ train.py:13 Wrapper\n"
        "│       └── train.py:6 which draws from DataLoader\n"
        "│           └── train.py:6 which draws from DistributedSampler\n"
        "└── reported\n"
        "    ├── LEP101 at train.py:4\n"
        "    └── LEP201 at train.py:15\n"
    )
    assert "x train.py:13 Wrapper" in tree(paths, View(folder, drawing=False))
    assert tree(paths, View(folder, drawing=False)).isascii()
    assert "\x1b[1;31mfaulty\x1b[0m" in tree(paths, View(folder, colour=True))


def test_the_graphs_say_what_is_reported(faulty_script: str, script) -> None:
    path = script(faulty_script)
    paths = epoch_paths(path, None, Config())
    title = '"faulty: the call never happens (LEP101 at train.py:4, LEP201 at train.py:15)"'
    for draw in (mermaid, dot):
        assert title in draw(paths, View(path.parent.as_posix()))


def test_nothing_can_steer_the_terminal_or_break_out_of_a_label() -> None:
    for draw in (tree, mermaid, dot):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", draw([HOSTILE], View("/job")))
    for label in re.findall(r'\["(.*)"\]', mermaid([HOSTILE], View("/job"))):
        assert re.fullmatch(r"(?:[\w\s./:,()-]|#\d+;|<br>)*", label)


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz's dot")
def test_graphviz_draws_every_hop_and_edge(trainer: Path) -> None:
    paths = [*epoch_paths(trainer / "scripts" / "train.py", None, Config()), HOSTILE]
    done = subprocess.run(
        ["dot", "-Tsvg"], input=dot(paths, View(trainer.as_posix())), capture_output=True, encoding="utf-8", check=True
    )
    assert done.stderr == ""
    svg = ElementTree.fromstring(done.stdout)
    kinds = [element.get("class") for element in svg.iter() if element.get("class")]
    assert kinds.count("node") == sum(len(path.hops) + len(path.route) for path in paths)
    assert kinds.count("edge") == sum(len(path.hops) - 1 + len(path.route) for path in paths)
    shown = "".join(svg.itertext())
    assert "scripts/train.py:48" in shown
    assert r'reads "x\y" & `z`' in shown


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    def trace(folder: Path, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.chdir(folder)
        status = main(["trace", *arguments])
        return (status, *capsys.readouterr())

    return trace


def test_a_place_is_a_file_or_a_line_of_it(faulty_script: str, script, run) -> None:
    folder = script(faulty_script).parent
    status, out, err = run(folder, "train.py:15")
    assert (status, err) == (0, "")
    assert out.startswith("faulty: the call never happens\n├── train.py:17")
    assert run(folder, "train.py")[1] == out
    assert run(folder, "train.py", "--output-format", "dot")[1].startswith("digraph")
    assert run(folder, "train.py", "--output-format", "mermaid")[1].startswith("flowchart")


def test_where_no_path_leads_the_lines_are_named_where_one_does(faulty_script: str, script, run) -> None:
    path = script(faulty_script)
    (path.parent / "other.py").write_text("import os\n")
    hint = "there are some through lines 6, 13, 17"
    assert run(path.parent, "train.py:1") == (0, f"no epoch path leads through train.py:1; {hint}\n", "")
    assert run(path.parent, "other.py") == (0, "no epoch path leads through other.py\n", "")
    assert run(path.parent, "other.py", "--output-format", "dot")[1].startswith("digraph")


def test_what_cannot_be_traced_is_an_error(script, run) -> None:
    path = script("class DistributedSampler, loader (\n")
    assert run(path.parent, "missing.py")[::2] == (
        2,
        "missing.py: error: there is no such file; trace takes a file, or FILE:LINE\n",
    )
    status, _, err = run(path.parent, "train.py")
    assert status == 2
    assert err.startswith("train.py: error: ")
