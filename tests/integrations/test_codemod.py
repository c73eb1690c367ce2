from __future__ import annotations

import sys
from pathlib import Path

import libcst
import pytest
from libcst.codemod import CodemodContext, SkipFile

from lint_epoch.codemod import ForwardEpochCommand

CODEMOD = (
    *(sys.executable, "-m", "libcst.tool", "codemod", "--no-format", "--hide-progress"),
    *("-x", "lint_epoch.codemod.ForwardEpochCommand"),
)

VARIANTS = {
    "plain": lambda text: text.encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "latin-1": lambda text: ("# coding: latin-1\n" + text.replace("Wrapper:", "Wrapper:  # é")).encode("latin-1"),
    "tabs, no final newline": lambda text: text.replace("    ", "\t").rstrip("\n").encode(),
}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS.keys())
def test_the_file_becomes_what_fix_makes_of_it(repository: Path, run, faulty_script: str, variant) -> None:
    path = repository / "train.py"
    path.write_bytes(variant(faulty_script))
    done = run(*CODEMOD, "train.py")
    assert done.returncode == 0
    assert " - Failed to codemod 0 files." in done.stderr
    by_codemod = path.read_bytes()
    assert b"def set_epoch" in by_codemod
    path.write_bytes(variant(faulty_script))
    run(sys.executable, "-m", "lint_epoch", "fix", "train.py")
    assert by_codemod == path.read_bytes()


def test_a_second_run_changes_nothing(repository: Path, run, faulty_script: str) -> None:
    path = repository / "train.py"
    path.write_text(faulty_script)
    run(*CODEMOD, ".")
    once = path.read_bytes()
    run(*CODEMOD, ".")
    assert path.read_bytes() == once


def test_files_with_nothing_to_mend_keep_every_byte(repository: Path, run) -> None:
    contents = {
        "plain.py": b"x = 1\n",
        "form_feed.py": b"\x0cx = 1\n",  # libcst drops it
        "spaces.py": b"try:\n    pass\nexcept OSError :\n    pass\n",  # libcst drops the one before the colon
        "carriage_return.py": b"x = 1\r",  # libcst drops it
    }
    for name, data in contents.items():
        (repository / name).write_bytes(data)
    done = run(*CODEMOD, ".")
    assert done.returncode == 0
    assert {path.name: path.read_bytes() for path in repository.glob("*.py")} == contents


def test_a_faulty_file_that_libcst_would_damage_is_left_to_fix(repository: Path, run, faulty_script: str) -> None:
    path = repository / "train.py"
    data = faulty_script.replace("print(batch)", "print(batch)\n    \x0c").encode() + b"x = 1\r"
    path.write_bytes(data)
    assert libcst.parse_module(data).bytes != data
    done = run(*CODEMOD, "train.py")
    assert path.read_bytes() == data
    assert "libcst does not keep this file byte for byte; use lint-epoch fix" in done.stderr
    run(sys.executable, "-m", "lint_epoch", "fix", "train.py")
    assert b"def set_epoch" in path.read_bytes()


def test_only_safe_fixes_of_rules_that_are_on_are_applied(repository: Path, run, faulty_script: str) -> None:
    path = repository / "train.py"
    path.write_text(faulty_script)
    (repository / "lint_epoch.toml").write_text('ignore = ["LEP"]\n')
    run(*CODEMOD, "train.py")
    assert path.read_text() == faulty_script


def test_text_without_a_file_is_refused() -> None:
    command = ForwardEpochCommand(CodemodContext())
    with pytest.raises(SkipFile, match="needs a file"):
        command.transform_module(libcst.parse_module("x = 1\n"))


def test_the_command_describes_itself(run) -> None:
    done = run(*CODEMOD, "--help")
    assert done.returncode == 0
    assert "Let the epoch of PyTorch training jobs reach the samplers" in done.stdout
