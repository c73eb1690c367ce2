"""``# noqa`` is held against flake8 itself; our own comment against what the documentation says."""

from __future__ import annotations

import io
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lint_epoch.source.suppressions import Suppressions, comments_of
from lint_epoch.source.text import source_of_bytes

CODES = ("LEP101", "LEP204")

#: A flake8 plugin that reports every code on every line.
PLUGIN = f"""\
class Plugin:
    name = version = "everything"

    def __init__(self, tree, lines):
        self._count = len(lines)

    def run(self):
        for line in range(1, self._count + 1):
            for code in {CODES}:
                yield line, 0, f"{{code}} here", Plugin
"""
SETTINGS = "[flake8:local-plugins]\nextension =\n    LEP1 = everything:Plugin\n    LEP2 = everything:Plugin\npaths = ."


class Case(NamedTuple):
    """A file, and the lines on which flake8 silences ``LEP101`` and ``LEP204`` in it."""

    source: str | bytes
    lep101: tuple[int, ...] = ()
    lep204: tuple[int, ...] = ()

    @property
    def data(self) -> bytes:
        return self.source if isinstance(self.source, bytes) else self.source.encode()

    @property
    def silenced(self) -> dict[str, tuple[int, ...]]:
        return dict(zip(CODES, (self.lep101, self.lep204), strict=True))


NOQA = {
    "none": Case("x = 1\n"),
    "empty": Case(""),
    "blanket": Case("x = 1  # noqa\ny = 2\n", (1,), (1,)),
    "blanket in another case": Case("x = 1  # NoQA\n", (1,), (1,)),
    "blanket without a final newline": Case("y = 2\nx = 1  # noqa", (2,), (2,)),
    "a comment alone, without a final newline": Case("y = 2\n# noqa", (2,), (2,)),
    "a comment alone covers only its own line": Case("x = 1\n# noqa\ny = 2\n", (2,), (2,)),
    "an indented comment alone covers only its own line": Case("if 1:\n    # noqa\n    y = 2\n", (2,), (2,)),
    "one code": Case("x = 1  # noqa: LEP101\n", (1,)),
    "one code without a space": Case("x = 1  # NOQA:LEP101\n", (1,)),
    "a reason": Case("x = 1  # noqa: LEP101 the loader is chosen elsewhere\n", (1,)),
    "a reason that looks like a code": Case("x = 1  # noqa: E501 LEP1 is fine\n", (1,)),
    "two codes with a comma": Case("x = 1  # noqa: LEP101,LEP204\n", (1,), (1,)),
    "two codes with a comma and a space": Case("x = 1  # noqa: E501, LEP204\n", (), (1,)),
    "two codes with a space": Case("x = 1  # noqa: E501 LEP204\n", (), (1,)),
    "two codes with nothing between are one": Case("x = 1  # noqa: E501LEP204\n"),
    "a prefix with digits": Case("x = 1  # noqa: LEP2\n", (), (1,)),
    "a code that goes on": Case("x = 1  # noqa: LEP1012\n"),
    "a code in small letters silences nothing": Case("x = 1  # noqa: lep101\n"),
    "a prefix without digits is blanket": Case("x = 1  # noqa: LEP\n", (1,), (1,)),
    "a prefix without digits behind a code is a reason": Case("x = 1  # noqa: E501,LEP\n"),
    "a word is blanket": Case("x = 1  # noqa: because\n", (1,), (1,)),
    "nothing behind the colon is blanket": Case("x = 1  # noqa:\n", (1,), (1,)),
    "a space before the colon is blanket": Case("x = 1  # noqa : E501\n", (1,), (1,)),
    "two spaces behind the colon are blanket": Case("x = 1  # noqa:  E501\n", (1,), (1,)),
    "a dash is blanket": Case("x = 1  # noqa - E501\n", (1,), (1,)),
    "a longer word is blanket": Case("x = 1  # noqaE501\n", (1,), (1,)),
    "no space behind the hash is no noqa": Case("x = 1  #noqa\n"),
    "two spaces behind the hash are no noqa": Case("x = 1  #  noqa\n"),
    "behind another comment": Case("x = 1  # type: ignore  # noqa: LEP101\n", (1,)),
    "only the first counts": Case("x = 1  # noqa: E501  # noqa: LEP101\n"),
    "inside a string": Case('x = "# noqa: LEP101"\n', (1,)),
    "behind a multi-line string": Case('x = """a\nb\nc"""  # noqa: LEP101\ny = 1\n', (1, 2, 3)),
    "before a multi-line string": Case('f(  # noqa\n    """a\nb""",\n    1,\n)\n', (1,), (1,)),
    "inside a multi-line string": Case('x = """a\n# noqa: LEP101\nc"""\ny = 1\n', (1, 2, 3)),
    "codes go on over lines of a string": Case('x = """\n# noqa: LEP101\nLEP204\n"""\n', (1, 2, 3, 4), (1, 2, 3, 4)),
    "codes on the next line of a string": Case('x = """\n# noqa:\nLEP204\n"""\n', (), (1, 2, 3, 4)),
    "codes do not go on over lines of code": Case("# noqa: LEP101\nLEP204\n", (1,)),
    "behind a multi-line f-string": Case('x = f"""a\n{1}\nc"""  # noqa: LEP101\n', (1, 2, 3)),
    "a docstring between methods": Case(
        'class A:\n    """a\n\n    # noqa: LEP101\n    """\n\n    def f(self):\n        return 1\n\nx = 1\n',
        (2, 3, 4, 5),
    ),
    "behind a backslash join": Case("x = 1 + \\\n    2  # noqa: LEP204\ny = 1\n", (), (1, 2)),
    "after a backslash line": Case("\\\nx = 1  # noqa: LEP204\n", (), (2,)),
    "on the first line of brackets": Case("f(  # noqa\n    1,\n)\n", (1,), (1,)),
    "on the last line of brackets": Case("f(\n    1,\n)  # noqa\n", (3,), (3,)),
    "a comment line in brackets": Case("f(\n    # noqa\n    1,\n)\n", (2,), (2,)),
    "after dedents": Case("def f():\n    if 1:\n        x = 1  # noqa\ny = 2\nz = 3  # noqa: LEP1\n", (3, 5), (3,)),
    "carriage returns and line feeds": Case(
        "x = 1\r\ny = 2  # noqa\r\nz = '''\r\n'''  # noqa:\r\n", (2, 3, 4), (2, 3, 4)
    ),
    "lone carriage returns": Case(b"x = 1\ry = 2  # noqa: LEP101\rz = 3\r", (2,)),
    "a form feed ends no line": Case("x = 1\n\x0cy = 2  # \x0b \x1c \x85 \u2028 # noqa: LEP101\nz = 3\n", (2,)),
    "Latin-1": Case("# coding: latin-1\nx = 'é'  # noqa: LEP101\n".encode("latin-1"), (2,)),
    "a byte order mark": Case(b"\xef\xbb\xbfx = 1  # noqa: LEP101\n", (1,)),
    "whole file": Case("x = 1\n# flake8: noqa\ny = 2\n", (1, 2, 3), (1, 2, 3)),
    "whole file, indented": Case("if 1:\n    x = 1\n    # FLAKE8=NoQA\n", (1, 2, 3), (1, 2, 3)),
    "whole file behind a byte order mark": Case(b"\xef\xbb\xbf# flake8: noqa\nx = 1\n", (1, 2), (1, 2)),
    "whole file, whatever codes follow": Case("# flake8: noqa: E501\nx = 1\n", (1, 2), (1, 2)),
    "whole file inside a string": Case('x = """\n# flake8: noqa\n"""\n', (1, 2, 3), (1, 2, 3)),
    "whole file behind code is nothing": Case("x = 1  # flake8: noqa\ny = 2\n"),
    "whole file behind another comment is nothing": Case("# a # flake8: noqa\ny = 2\n"),
    "whole file without a space is nothing": Case("#flake8: noqa\ny = 2\n"),
    "whole file without a colon is nothing": Case("# flake8 noqa\ny = 2\n"),
}


@pytest.fixture(scope="module")
def flake8_silenced(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[str, tuple[int, ...]]]:
    """What flake8 silences in each case; run once, since starting it takes longer than all cases together."""
    folder = tmp_path_factory.mktemp("flake8")
    (folder / "everything.py").write_text(PLUGIN)
    (folder / "settings.cfg").write_text(SETTINGS)
    names = {f"case_{number:03}.py": name for number, name in enumerate(NOQA)}
    for file, name in names.items():
        (folder / file).write_bytes(NOQA[name].data)

    def reported(*options: str) -> Mapping[str, set[tuple[str, int]]]:
        command = [sys.executable, "-m", "flake8", "--config=settings.cfg", "--select=LEP,E9", "--jobs=1"]
        command += ["--format=%(path)s:%(code)s:%(row)d", *options, *names]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
        assert done.returncode in (0, 1), done.stderr
        answer: Mapping[str, set[tuple[str, int]]] = defaultdict(set)
        for line in done.stdout.splitlines():
            file, code, row = line.split(":")
            answer[names[Path(file).name]].add((code, int(row)))
        return answer

    everything, shown = reported("--disable-noqa"), reported()
    assert {code for pairs in everything.values() for code, _ in pairs} == set(CODES)
    return {
        name: {code: tuple(sorted(row for c, row in everything[name] - shown[name] if c == code)) for code in CODES}
        for name in NOQA
    }


@pytest.mark.parametrize("name", NOQA)
def test_noqa_silences_what_it_silences_in_flake8(
    name: str, flake8_silenced: Mapping[str, Mapping[str, tuple[int, ...]]]
) -> None:
    case = NOQA[name]
    text = source_of_bytes(Path("case.py"), case.data).text
    suppressions = Suppressions.of(text)
    lines = range(1, len(io.StringIO(text, newline=None).readlines()) + 1)
    ours = {code: tuple(line for line in lines if suppressions.silences(code, line)) for code in CODES}
    assert flake8_silenced[name] == case.silenced
    assert ours == case.silenced
    assert not any(suppressions.ignores(code, line) for code in CODES for line in lines)


def ignored(source: str, code: str = "LEP101") -> list[int]:
    """The lines on which our own comments silence a code; on such a file, ``silences`` says the same."""
    suppressions = Suppressions.of(source)
    lines = range(source.count("\n") + 2)
    found = [line for line in lines if suppressions.ignores(code, line)]
    assert [line for line in lines if suppressions.silences(code, line)] == found
    return found


@pytest.mark.parametrize(
    "comment",
    [
        "# lint-epoch: ignore[LEP101]",
        "# lint-epoch: ignore[LEP101] the loader is chosen elsewhere",
        "# lint-epoch: ignore[LEP204, LEP101]",
        "# lint-epoch: ignore[LEP204,LEP101,]",
        "# lint-epoch: ignore[LEP204 LEP101]",
        "# lint-epoch: ignore[ LEP101 ]",
        "# lint-epoch: ignore[LEP1]",
        "# lint-epoch: ignore[LEP]",
        "#lint-epoch:ignore [LEP101]",
        "# type: ignore[misc]  # lint-epoch: ignore[LEP101]",
        "# noqa: E501  # lint-epoch: ignore[LEP101]",
        "# lint-epoch: ignore[LEP204] one  # lint-epoch: ignore[LEP101] two",
    ],
)
def test_our_comment_silences_the_codes_it_names(comment: str) -> None:
    assert ignored(f"x = 1\ny = 2  {comment}\nz = 3\n") == [2]


@pytest.mark.parametrize(
    "comment",
    [
        "# lint-epoch: ignore",  # a blanket comment would hide what nobody has seen yet
        "# lint-epoch: ignore[]",
        "# lint-epoch: ignore[,]",
        "# lint-epoch: ignore[LEP204]",
        "# lint-epoch: ignore[LEP1011]",
        "# lint-epoch: ignore[lep101]",
        "# lint-epoch: ignore[LEP101",
        "# lint-epoch: ignore LEP101",
        "# lint-epoch: ignore-file[LEP101]",
        "# lint-epoch ignore[LEP101]",
        "# ignore[LEP101]",
    ],
)
def test_our_comment_silences_nothing_else(comment: str) -> None:
    assert ignored(f"x = 1  {comment}\n") == []


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("# lint-epoch: ignore[LEP101]\nx = 1\n", [1]),
        ("if 1:\n    # lint-epoch: ignore[LEP101]\n    x = 1\n", [2]),
        ("f(\n    1,  # lint-epoch: ignore[LEP101]\n)\n", [2]),
        ("x = 1 + \\\n    2  # lint-epoch: ignore[LEP101]\n", [1, 2]),
        ("x = '''\n\n'''  # lint-epoch: ignore[LEP101]\ny = 1\n", [1, 2, 3]),
        ("y = 1\nx = 1  # lint-epoch: ignore[LEP101]", [2]),
        ("y = 1\rx = 1  # lint-epoch: ignore[LEP101]\r\nz = 1\n", [2]),
    ],
)
def test_our_comment_covers_the_lines_that_noqa_would(source: str, lines: list[int]) -> None:
    assert ignored(source) == lines


@pytest.mark.parametrize(
    "source",
    [
        "x = '# lint-epoch: ignore[LEP101]'\n",
        'def f():\n    """Silence it with::\n\n        # lint-epoch: ignore[LEP101]\n    """\n',
    ],
)
def test_our_comment_in_a_string_is_text(source: str) -> None:
    assert ignored(source) == []


def test_both_kinds_on_one_line_add_up_but_only_ours_ignores() -> None:
    suppressions = Suppressions.of("x = 1  # noqa: LEP101  # lint-epoch: ignore[LEP204]\n")
    assert [suppressions.silences(code, 1) for code in (*CODES, "LEP301")] == [True, True, False]
    assert [suppressions.ignores(code, 1) for code in (*CODES, "LEP301")] == [False, True, False]


def test_a_file_without_suppressions_holds_nothing() -> None:
    assert Suppressions.of("x = '''\n" * 3) == Suppressions()


@pytest.mark.parametrize(
    "broken",
    [
        "x = (\n",
        "x = '''\n",
        "if 1:\n        x = 1\n    y = 2\n",
        "if 1:\n    f'{](\n",  # Python 3.13.0 raises SystemError
    ],
)
def test_each_line_stands_alone_where_there_are_no_tokens(broken: str) -> None:
    head = "x = 1 + \\\n    2  # noqa: LEP101\ny = 1  # lint-epoch: ignore[LEP204]\n"
    suppressions = Suppressions.of(head + broken)
    lines = range(1, 10)
    assert [line for line in lines if suppressions.silences("LEP101", line)] == [2]
    assert [line for line in lines if suppressions.ignores("LEP204", line)] == [3]


def test_a_warning_about_the_code_is_not_shown(recwarn: pytest.WarningsRecorder) -> None:
    # Python 3.12 warns when it makes tokens of an f-string, not only when it compiles one.
    assert Suppressions.of('x = f"\\{1}"  # noqa: LEP101\n').silences("LEP101", 1)
    assert not recwarn.list


def test_a_comment_behind_the_last_token_counts() -> None:
    # Python 3.10 and 3.11 end no line there, and neither does flake8's reading of their tokens.
    suppressions = Suppressions.of("x = 1\n\\\n# noqa: LEP101  # lint-epoch: ignore[LEP204]")
    assert [line for line in range(1, 5) if suppressions.silences("LEP101", line)] == [3]
    assert [line for line in range(1, 5) if suppressions.ignores("LEP204", line)] == [3]


PIECES = ["x", " ", "\n", "\r\n", "\r", "    ", "\t", "\f", "\\\n", "(", ")", "[", "'", "'''", 'f"""', '"""', "{", "}"]
PIECES += [
    "\\",
    "\0",
    "é",
    "$",
    "0_",
    "# ",
    ":",
    ", ",
    "E501",
    "# noqa",
    "# noqa: LEP101",
    "#noqa:LEP204",
    "# flake8: noqa: LEP101",
    "# ruff: noqa: LEP101",
    "# lint-epoch: ignore[LEP101]",
]


@settings(deadline=None)  # a busy machine is no fault
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_has_an_answer(text: str) -> None:
    suppressions = Suppressions.of(text)
    for line in range(text.count("\n") + 3):
        assert suppressions.silences("LEP101", line) >= suppressions.ignores("LEP101", line)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_comment_silences_what_it_is_said_to(text: str) -> None:
    suppressions = Suppressions.of(text)
    lines = io.StringIO(text, newline=None).readlines()
    for comment in comments_of(text):
        spelled = lines[comment.line - 1][comment.start : comment.end]
        assert spelled.startswith("#")
        assert all(code in spelled for code in comment.codes)
        codes = {"named": comment.codes, "everything": ("X1",), "nothing": ()}[comment.effect]
        assert all(suppressions.silences(code, n) for code in codes for n in range(comment.first, comment.last + 1))


@pytest.mark.parametrize("opening", ["# lint-epoch: ignore[", "#" + " " * 50, "# noqa:A", "# noqa: A1"])
def test_a_hostile_line_takes_linear_time(opening: str) -> None:
    # 400 KB in one line; quadratic time would be minutes.
    text = "# noqa lint-epoch: " + opening * (400_000 // len(opening))
    assert Suppressions.of(text).silences("LEP101", 1)
    comments_of(text)
