"""Nothing that is checked is run, nothing leads out of the project, and no input ends a check."""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
import tokenize
import unicodedata
from collections.abc import Callable
from keyword import iskeyword
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lint_epoch
from lint_epoch import engine
from lint_epoch.config import Config
from lint_epoch.diagnostics import Report
from lint_epoch.report import FORMATS
from lint_epoch.source.cache import Cache
from lint_epoch.work import Work

FIXTURES = Path(__file__).parent.parent / "fixtures"
TRAINER = FIXTURES / "robot_trainer" / "faulty"

#: Programs of the fuzzer; `LINT_EPOCH_FUZZ=5000 pytest -k shuffled` runs it longer.
FUZZED = int(os.environ.get("LINT_EPOCH_FUZZ", "20"))


def command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "lint_epoch", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(Path(lint_epoch.__file__).parent.parent), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def checked(project: Path, work: Work | None = None) -> Report:
    return lint_epoch.check([project], Config(), work=work)


@pytest.mark.parametrize("arguments", [["check"], ["fix", "--diff"], ["fix", "--unsafe-fixes"]])
def test_nothing_that_is_checked_is_run(tmp_path: Path, faulty_script: str, arguments: list[str]) -> None:
    mark = tmp_path / "mark"
    project = tmp_path / "project"
    project.mkdir()
    boom = f"open({str(mark)!r}, 'w').write('run')\n"
    for name in ("setup.py", "conftest.py", "sitecustomize.py", "usercustomize.py", "noxfile.py", "torch.py"):
        (project / name).write_text(boom)
    for name in ("lint_epoch", "libcst", "click", "platformdirs"):
        (project / name).mkdir()
        (project / name / "__init__.py").write_text(boom)
    (project / "pyproject.toml").write_text(f'[build-system]\nbuild-backend = "setup"\n[tool.x]\nrun = {boom!r}\n')
    (project / "train.py").write_text(boom + faulty_script)
    # Not `-m`, which puts the working folder on the path, as no console script does.
    start = "import sys; sys.path = [p for p in sys.path if p]; from lint_epoch.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", start, *arguments, "."],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(Path(lint_epoch.__file__).parent.parent)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "LEP101" in done.stdout + done.stderr
    assert not mark.exists()


def test_a_cache_that_came_with_the_project_hides_nothing(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(TRAINER, project)
    (project / "pyproject.toml").touch()
    cold = checked(project)
    theirs = Cache(project / ".cache", b"a key of somebody else".ljust(32))
    # Entries of the very names that are asked for, which say that there is nothing to find.
    names: list[str] = []
    original = Cache.get

    def noted(self: Cache, name: str) -> bytes | None:
        names.append(name)
        return original(self, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cache, "get", noted)
        checked(project, Work(Cache(project / ".cache", b"k" * 32)))
    assert len(names) >= 4
    for name in names:
        theirs.put(name, b"\x95\x90\x90\x90\x00\x90")
    assert checked(project, Work(Cache(project / ".cache", b"k" * 32))) == cold


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_links_that_lead_out_of_the_project_are_neither_read_nor_written(tmp_path: Path, faulty_script: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "train.py").write_text(faulty_script)
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").touch()
    (project / "link.py").symlink_to(outside / "train.py")
    (project / "folder").symlink_to(outside, target_is_directory=True)
    (project / "loop").symlink_to(project, target_is_directory=True)
    assert checked(project).findings == ()
    command("fix", "--unsafe-fixes", ".", cwd=project)
    assert (outside / "train.py").read_text() == faulty_script


@pytest.mark.skipif(os.name != "posix", reason="file names")
@pytest.mark.parametrize("form", FORMATS)
def test_no_output_holds_characters_that_a_terminal_obeys(tmp_path: Path, faulty_script: str, form: str) -> None:
    (tmp_path / "pyproject.toml").touch()
    name = "tr\x1b[31m\u202eain\x07.py"
    text = faulty_script.replace(
        'if hasattr(loader, "set_epoch"):', 'if hasattr(loader, "set_epoch"):  # \x1b[2J\u2066'
    )
    (tmp_path / name).write_text(text)
    (tmp_path / "b\x9b1\u200fad.py").write_text("DataLoader(\x1b\n")
    done = command("check", "--output-format", form, cwd=tmp_path)
    assert "LEP101" in done.stdout
    for stream in (done.stdout, done.stderr):
        bad = [c for c in stream if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t"]
        assert not bad, (form, bad)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.randoms(use_true_random=False))
def test_findings_do_not_depend_on_the_order_of_files(order: random.Random) -> None:
    cold = checked(TRAINER)
    original = engine.read_project

    def shuffled(*arguments: object, **others: object) -> engine.Files:
        files = original(*arguments, **others)  # type: ignore[arg-type]  # handed on as they came
        items = list(files.data.items())
        order.shuffle(items)
        files.data = dict(items)
        return files

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "read_project", shuffled)
        assert checked(TRAINER) == cold


def test_findings_do_not_depend_on_the_seed_of_hashes(tmp_path: Path) -> None:
    shutil.copytree(TRAINER, tmp_path / "p")
    (tmp_path / "p" / "pyproject.toml").touch()
    said = set()
    for seed in ("0", "1", "2"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONHASHSEED", seed)
            said.add(command("check", "--no-cache", ".", cwd=tmp_path / "p").stdout)
    assert len(said) == 1


_PLAIN = (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)


def _shuffled(data: bytes, chance: random.Random) -> bytes:
    """Return a file with lines doubled and tokens swapped, doubled or dropped, in its layout."""
    lines = data.decode().split("\n")
    found = [token for token in tokenize.tokenize(io.BytesIO(data).readline) if token.type in _PLAIN]
    places = [token for token in found if token.start[0] == token.end[0]]
    changes: dict[tuple[int, int], tuple[int, str]] = {}
    for _ in range(chance.randrange(1, 3)):
        one, other = chance.choice(places), chance.choice(places)
        kind = chance.choice(["swap", "double", "drop", *["same kind"] * 6])
        if kind == "same kind":
            # Names for names and the like: most of these files still parse, so that what they mean is tried, too.
            one = chance.choice(
                [token for token in places if token.type != tokenize.OP and not iskeyword(token.string)]
            )
            alike = (token for token in places if token.type == one.type and not iskeyword(token.string))
            other = chance.choice(list(alike))
        new = {"drop": "", "double": f"{one.string} {other.string}"}.get(kind, other.string)
        changes[one.start] = (one.end[1], new)
        if kind == "swap":
            changes[other.start] = (other.end[1], one.string)
    for (row, start), (end, new) in sorted(changes.items(), reverse=True):
        lines[row - 1] = lines[row - 1][:start] + new + lines[row - 1][end:]
    if chance.random() < 0.2:
        at = chance.randrange(len(lines))
        lines.insert(at, lines[at])
    return "\n".join(lines).encode()


def test_shuffled_programs_end_no_check(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    sources = sorted(path for path in FIXTURES.rglob("*.py") if path.stat().st_size > 200)
    parsed = 0
    for number in range(FUZZED):
        chance = random.Random(number)
        (tmp_path / "train.py").write_bytes(_shuffled(chance.choice(sources).read_bytes(), chance))
        report = checked(tmp_path)
        assert report == checked(tmp_path), f"seed {number}"
        assert report.summary.files == 1
        parsed += not report.errors
    assert parsed > FUZZED // 4


def _cyclic_imports(folder: Path) -> None:
    (folder / "a.py").write_text(
        "from b import *\nfrom b import make\nloader = make()\n__all__ = [*__all__, 'loader']\n"
    )
    (folder / "b.py").write_text("import a\nfrom a import *\nfrom a import loader\ndef make():\n    return a.make()\n")


def _one(text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / "strange.py").write_text(text)

    return write


STRANGE = {
    "cyclic imports": _cyclic_imports,
    "cyclic inheritance": _one("class A(B): pass\nclass B(A):\n    def __iter__(self): yield from self.loader\nA(B)\n"),
    "a class of itself": _one("class A(A):\n    set_epoch = A.set_epoch\nfor batch in A(A): pass\n"),
    "a factory of itself": _one("def loader(n):\n    return loader(loader(n))\nfor b in loader(1): pass\n"),
    "factories of each other": _one("def loader(): return sampler()\ndef sampler(): return loader()\nloader()\n"),
    "an attribute of itself": _one("class L:\n    def __init__(self): self.loader = self\n    def __iter__(self):\n"
                                   "        for x in self.loader: yield x\nfor e in range(3):\n  for b in L(): pass\n"),
    "shadowed builtins": _one("def hasattr(*a): return True\nrange = len = super = getattr = isinstance = hasattr\n"
                              "for epoch in range(3):\n    for b in len(loader): pass\n"),
    "a very long line": _one("loader = [" + "1, " * 300_000 + "]\n"),
    "nested lists": _one("loader = " + "[" * 10_000 + "]" * 10_000 + "\n"),
    "many classes": _one("import torch\n" + "".join(f"class Loader{n}: pass\n" for n in range(3_000))),
    "a nul byte": _one("DataLoader\0\n"),
    "new syntax": _one("type Loader[T] = list[T]\nlazy import torch\nx = t'{loader}'\nDistributedSampler\n"),
    "nothing but evidence": _one("DistributedSampler"),
}  # fmt: skip


@pytest.mark.parametrize("name", STRANGE)
def test_strange_input_is_checked_or_refused_with_a_message(tmp_path: Path, faulty_script: str, name: str) -> None:
    (tmp_path / "pyproject.toml").touch()
    STRANGE[name](tmp_path)
    (tmp_path / "train.py").write_text(faulty_script)
    report = checked(tmp_path)
    assert [finding.code for finding in report.findings if finding.path.endswith("train.py")] == ["LEP101", "LEP201"]
    for error in report.errors:
        assert error.message


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="file modes do not bind the superuser")
def test_what_cannot_be_read_is_told(tmp_path: Path, faulty_script: str) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "train.py").write_text(faulty_script)
    (tmp_path / "closed.py").write_text(faulty_script)
    (tmp_path / "closed.py").chmod(0)
    report = checked(tmp_path)
    assert report.findings
    assert [Path(error.path).name for error in report.errors] == ["closed.py"]


def test_a_file_that_vanishes_in_the_middle_of_a_run_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(TRAINER, tmp_path / "p")
    (tmp_path / "p" / "pyproject.toml").touch()
    (settings_file,) = (tmp_path / "p").rglob("config.py")
    original = engine.read_project

    def vanishing(*arguments: object, **others: object) -> engine.Files:
        files = original(*arguments, **others)  # type: ignore[arg-type]  # handed on as they came
        settings_file.unlink(missing_ok=True)
        return files

    monkeypatch.setattr(engine, "read_project", vanishing)
    report = checked(tmp_path / "p")
    assert [(Path(error.path).name, error.message[:14]) for error in report.errors] == [("config.py", "cannot be read")]
