"""Patterns are held against Git itself, where it is installed, and against its documentation."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lint_epoch.source.discovery import discover
from lint_epoch.source.ignore import IgnoreRules

NAMES = ["a", "b", "foo", "build", "a b", "lib", "x.py", "y.py", "foo.py", "[a].py", "#x.py"]
PATTERNS = re.findall(
    r"\S+",
    r"""
*.py !*.py foo !foo foo/ !foo/ /foo /* !/foo foo/* !foo/x.py foo/** !foo/** **/foo a/**/x.py !a/**/ build/ * !*/ /a/b
a/b/ a*/ ? [ab] [!a] [^x].py \[a\].py x.p[xyz] x.p[w-z] x.p[z-w] a\b b/foo.py ** !** **/ */ !*/x.py foo/**/
!foo/**/x.py [a-c]* [[:alpha:]] [[:digit:]]* [[:what:]]* x.py[ #x.py \#x.py a/*/x.py ***/x.py a** **a/x.py / // !
lib/**/*.py x.?? x.py/ []a] [!]a] x\.py y.py\ [a\]]* [a-\c] [-a] [a-]
""",
)


def verdicts(lines: list[str], *paths: str) -> list[bool | None]:
    """What the lines say; a path that ends in a slash is a folder's."""
    rules = IgnoreRules("/root", lines)
    return [
        rules.speaks_of_folder(f"/root/{path[:-1]}") if path.endswith("/") else rules.speaks_of_file(f"/root/{path}")
        for path in paths
    ]


def test_comments_and_blank_lines_say_nothing() -> None:
    assert verdicts(["# x.py", "", "   ", "\r"], "x.py", "a/") == [None, None]


def test_last_pattern_that_matches_decides() -> None:
    assert verdicts(["*.py", "!x.py", "sub/x.py"], "y.py", "x.py", "sub/x.py", "z/") == [True, False, True, None]


def test_pattern_with_a_slash_is_relative_to_the_folder() -> None:
    assert verdicts(["/x.py", "a/y.py"], "x.py", "b/x.py", "a/y.py", "b/a/y.py") == [True, None, True, None]


def test_pattern_that_ends_in_a_slash_is_for_folders() -> None:
    assert verdicts(["x.py/"], "x.py", "x.py/", "deep/x.py/") == [None, True, True]


def test_star_stops_at_a_slash_and_two_stars_do_not() -> None:
    assert verdicts(["a/*.py"], "a/x.py", "a/b/x.py") == [True, None]
    assert verdicts(["a/**/x.py"], "a/x.py", "a/b/c/x.py", "b/x.py") == [True, True, None]
    assert verdicts(["a/**"], "a/", "a/b/", "a/b/x.py") == [None, True, True]


def test_pattern_about_a_folder_does_not_speak_of_the_files_in_it() -> None:
    assert verdicts(["!src", "!src/"], "src/x.py", "src/") == [None, False]


def test_escaped_space_at_the_end_stays() -> None:
    assert verdicts(["a  "], "a/") == [True]
    assert verdicts(["a\\ "], "a/", "a /") == [None, True]


def test_bracket_never_matches_a_slash() -> None:
    assert verdicts(["a[!x]b.py", "a[.-0]c.py"], "a/b.py", "a-b.py", "a/c.py") == [None, True, None]


@pytest.mark.parametrize("line", ["x.p[y", "x.py\\", "[", "[!", "[]", "x.p[[:nothing:]]", "/", "//", "!", "!/"])
def test_malformed_pattern_matches_nothing(line: str) -> None:
    assert verdicts([line], "x.py", "x.py/", "[/") == [None, None, None]


def test_root_folder_of_the_file_system_can_have_rules() -> None:
    assert IgnoreRules("/", ["/x.py"]).speaks_of_file("/x.py") is True


def random_tree(root: Path, rng: random.Random) -> None:
    folders = [root]
    for _ in range(rng.randint(2, 9)):
        folder = rng.choice(folders) / rng.choice(NAMES)
        if not folder.exists():
            folder.mkdir()
            folders.append(folder)
    for _ in range(rng.randint(4, 16)):
        file = rng.choice(folders) / rng.choice([name for name in NAMES if name.endswith(".py")])
        if not file.exists():
            file.touch()
    for folder in folders:
        if folder == root or rng.random() < 0.25:
            lines = rng.choices(PATTERNS, k=rng.randint(1, 5))
            text = rng.choice(["\n", "\r\n"]).join(lines) + rng.choice(["", "\n"])
            (folder / ".gitignore").write_bytes(rng.choice([b"", b"\xef\xbb\xbf"]) + text.encode())


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git, whose answer is the right one")
@pytest.mark.parametrize("seed", range(40))
def test_same_files_as_git(tmp_path: Path, seed: int) -> None:
    root = tmp_path.resolve()
    subprocess.run(["git", "init", "-q", root], check=True)
    random_tree(root, random.Random(seed))
    listing = ["git", "-C", root, "-c", "core.excludesFile=", "ls-files", "-co", "--exclude-standard", "-z"]
    shown = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")
    assert [path.relative_to(root).as_posix() for path in discover(root).files] == sorted(
        name for name in shown if name.endswith(".py")
    )
