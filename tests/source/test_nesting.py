from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from lint_epoch.source.nesting import MAX_BRACKETS, MAX_INDENTATION, MAX_LINKS, TooDeepError, check_nesting

from .shapes import BACKTRACKING, BLOCKS, BRACKETS, CHAINS, F_STRINGS


@pytest.mark.parametrize("shape", BRACKETS)
def test_brackets_pass_up_to_the_limit(shape: str) -> None:
    check_nesting(BRACKETS[shape](MAX_BRACKETS - 5))
    with pytest.raises(TooDeepError, match="200 nested brackets"):
        check_nesting(BRACKETS[shape](MAX_BRACKETS + 1))


@pytest.mark.parametrize("shape", CHAINS)
def test_chains_pass_up_to_the_limit(shape: str) -> None:
    check_nesting(CHAINS[shape](500))
    with pytest.raises(TooDeepError, match="more than 6,200 links"):
        check_nesting(CHAINS[shape](MAX_LINKS + 1))


@pytest.mark.parametrize("shape", BLOCKS)
def test_blocks_pass_up_to_the_limit(shape: str) -> None:
    check_nesting(BLOCKS[shape](MAX_INDENTATION - 1))
    with pytest.raises(TooDeepError, match="100 levels of indentation") as error:
        check_nesting(BLOCKS[shape](MAX_INDENTATION + 1))
    assert error.value.line == MAX_INDENTATION + 2


@pytest.mark.parametrize("shape", BACKTRACKING)
def test_costly_places_are_shallower(shape: str) -> None:
    check_nesting(BACKTRACKING[shape](4))
    with pytest.raises(TooDeepError, match="takes too long"):
        check_nesting(BACKTRACKING[shape](24))


def test_chains_and_brackets_around_a_place_add_up() -> None:
    half = "-" * (MAX_LINKS // 2)
    check_nesting(f"{half}a\n{half}a; {half}a\nf({half}a, {half}a)\n")
    with pytest.raises(TooDeepError):
        check_nesting(f"{half}({half}a)\n")


def test_elifs_around_a_block_add_up_with_what_is_in_it() -> None:
    half = "elif a:\n pass\n" * (MAX_LINKS // 2)
    check_nesting(f"if a:\n pass\n{half}\nif a:\n pass\n{half}else:\n pass\n")
    with pytest.raises(TooDeepError):
        check_nesting(f"if a:\n pass\n{half}else:\n {'-' * (MAX_LINKS // 2)}a\n")


def test_long_flat_code_nests_nowhere() -> None:
    check_nesting("x = [" + "1, " * 50_000 + "]\n" + "a; " * 50_000 + "\n" + "a = b\n" * 50_000)


def test_nested_f_strings_count_as_brackets() -> None:
    check_nesting(F_STRINGS(MAX_BRACKETS // 2 - 1))
    with pytest.raises(TooDeepError, match="brackets"):
        check_nesting(F_STRINGS(MAX_BRACKETS))


def test_wrong_closing_bracket_closes_nothing() -> None:
    with pytest.raises(TooDeepError, match="brackets"):
        check_nesting("(]" * (MAX_BRACKETS + 1))


TEXT = "[" * (MAX_BRACKETS + 1)


@pytest.mark.parametrize(
    "code",
    [
        f"# {TEXT}\n",
        f"'{TEXT}'\n",
        f'"""\n{TEXT}\n"""\n',
        f"rb'\\'{TEXT}'\n",
        f"'\\\n{TEXT}'\n",
        f"'\\\r\n{TEXT}'\r\n",
        f"f'{TEXT}'\n",
        f"f'{{{{{TEXT}'\n",
        f"f'{{a:{TEXT}}}{TEXT}'\n",
        f"f'''\n{{a!r:>{{width}}{TEXT}\n}}{TEXT}'''\n",
        f"fr'\\{{a}}{TEXT}'\n",
        f"f'\\N{{LATIN SMALL LETTER A}}{TEXT}'\n",
        f'f"{{a["b"]}}{TEXT}"\n',
        f"t'{{a}}{TEXT}'\n",
    ],
)
def test_text_is_no_code(code: str) -> None:
    check_nesting(code)
    check_nesting(code + "x = (1)\n" * (MAX_BRACKETS + 1))


def test_unfinished_string_ends_with_its_line() -> None:
    check_nesting("x = 'open\ny = f'open{a\nz = f'open{a:\n" * 50)
    with pytest.raises(TooDeepError) as error:
        check_nesting(f"x = 'open\n{TEXT}")
    assert error.value.line == 2


def test_lines_are_counted_at_every_kind_of_end() -> None:
    with pytest.raises(TooDeepError) as error:
        check_nesting(f"a\r\nb\rc\n\x0c\x0b\u2028d\n{TEXT}")
    assert error.value.line == 5


def test_names_that_are_keywords_elsewhere_are_not_costly() -> None:
    deep = BRACKETS["dicts"](40).strip()
    check_nesting(f"case = {deep}\ncase[{deep}]\nmatch({deep})\nmodel.case({deep})\n")


def test_realistic_patterns_pass() -> None:
    pattern = '{"a": {"b": [{"c": Point(x=0, y=[first, *rest])}, _]}, "d": ("e" | "f", (g, h))}'
    check_nesting("match a:\n" + f"    case {pattern} if check([({{1: [2]}})]):\n        pass\n" * 20)


def test_valid_code_of_the_standard_library_passes() -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    files = sorted(folder.glob("*.py"))
    assert len(files) > 100
    for file in files:
        check_nesting(file.read_bytes().decode())
