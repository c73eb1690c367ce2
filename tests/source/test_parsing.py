"""Deep texts are parsed in a process of their own: where the gate fails, the process dies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import libcst
import pytest

from lint_epoch.source.deep import run_deep
from lint_epoch.source.nesting import MAX_LINKS
from lint_epoch.source.parsing import parse
from lint_epoch.source.text import SourceError, source_of_text

from .shapes import BACKTRACKING, BLOCKS, BRACKETS, CHAINS

PATH = Path("/project/a.py")


def parsed(text: str) -> libcst.Module:
    return parse(source_of_text(PATH, text))


def refusal(text: str) -> SourceError:
    with pytest.raises(SourceError) as error:
        parsed(text)
    return error.value


@pytest.mark.parametrize("text", ["", "\n", "x = 1", "x = 1\r\ny = 2\r\n", "if a:\n\tpass\n", "\f\nx = 1\n# é\n"])
def test_tree_gives_the_text_back(text: str) -> None:
    assert parsed(text).code == text


def test_lone_carriage_returns_end_lines() -> None:
    assert len(parsed("x = 1\ry = 2\r").body) == 2


def test_declared_encoding_is_settled_before() -> None:
    assert parsed("# coding: klingon\nx = 'é'\n").code == "# coding: klingon\nx = 'é'\n"


@pytest.mark.parametrize(
    "text",
    [
        "type X = int\n",
        "def f[T](x: T) -> T: ...\n",
        "f'{a['b']}'\n",
        "try: pass\nexcept* A: pass\n",
        "match a:\n case 1: pass\n",
    ],
)
def test_syntax_of_any_version_is_read(text: str) -> None:
    assert parsed(text).code == text


def test_error_of_python_is_preferred_for_its_line_and_words() -> None:
    error = refusal("x = 1\n\nprint 'a'\n")
    assert error.line == 3
    assert "Missing parentheses" in str(error)


def test_error_within_newer_syntax_has_a_line() -> None:
    assert refusal("type X = int\ny = = 1\n").line in (1, 2)


def test_what_libcst_alone_refuses_says_so() -> None:
    error = refusal("() if 0 else(lambda:())\n")
    assert "valid for Python, but libcst" in str(error)


#: Runs in a process of its own and prints, for each text of a list, what came of it.
CHILD = """
import json, sys
from pathlib import Path
from lint_epoch.source.parsing import parse
from lint_epoch.source.text import SourceError, source_of_text

for text in json.load(sys.stdin):
    try:
        parse(source_of_text(Path("a.py"), text))
        print("parsed", flush=True)
    except SourceError as error:
        print(f"{error.line}: {error}", flush=True)
"""


def outcomes(*texts: str) -> list[str]:
    child = subprocess.run(
        [sys.executable, "-c", CHILD], input=json.dumps(texts), capture_output=True, text=True, timeout=120
    )
    assert (child.returncode, child.stderr) == (0, "")
    return child.stdout.splitlines()


@pytest.mark.parametrize("depth", [3_000, 10_000, 100_000])
def test_deep_brackets_do_not_kill_the_process(depth: int) -> None:
    found = outcomes(*(shape(depth) for shape in BRACKETS.values()))
    assert len(found) == len(BRACKETS)
    assert all(outcome.startswith("1: has more than 200 nested brackets") for outcome in found)


def test_deep_brackets_within_the_limit_are_parsed() -> None:
    shapes = [shape for name, shape in BRACKETS.items() if name != "unclosed"]
    assert set(outcomes(*(shape(190) for shape in shapes))) == {"parsed"}


def test_sum_of_3000_terms_and_1000_elifs_are_parsed() -> None:
    assert outcomes(CHAINS["sum"](3_000), CHAINS["elif"](1_000)) == ["parsed", "parsed"]


@pytest.mark.parametrize("shape", CHAINS)
def test_endless_chains_do_not_kill_the_process(shape: str) -> None:
    assert outcomes(CHAINS[shape](100_000)) == [
        outcome for outcome in outcomes(CHAINS[shape](50_000)) if "links" in outcome
    ]


def test_deep_blocks_do_not_kill_the_process() -> None:
    found = outcomes(*(shape(1_000) for shape in BLOCKS.values()))
    assert all("levels of indentation" in outcome for outcome in found)


def test_costly_places_do_not_hang_the_process() -> None:
    found = outcomes(*(shape(depth) for shape in BACKTRACKING.values() for depth in (24, 90)))
    assert all("takes too long" in outcome for outcome in found)


@pytest.mark.parametrize(("shape", "depth"), [("minus", MAX_LINKS // 2), ("elif", MAX_LINKS - 10)])
def test_deepest_tree_that_is_let_through_can_be_visited(shape: str, depth: int) -> None:
    source = source_of_text(PATH, CHAINS[shape](depth))

    def visit() -> str:
        tree = parse(source)
        tree.visit(libcst.CSTVisitor())
        return tree.code

    assert run_deep(visit) == source.text
