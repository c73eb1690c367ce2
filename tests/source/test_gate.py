from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pytest

from lint_epoch.source.gate import check_syntax
from lint_epoch.source.text import SourceError, source_of_text

from .shapes import CHAINS


def check(text: str) -> SourceError | None:
    return check_syntax(source_of_text(Path("/project/a.py"), text))


def test_what_python_reads_has_no_error() -> None:
    assert check("") is check("x = 1\r\ny = 2\rz = 3") is None


def test_syntax_error_is_returned_with_its_line() -> None:
    error = check("x = 1\ny = = 2\n")
    assert isinstance(error, SourceError)
    assert (str(error), error.line) == ("does not parse: invalid syntax", 2)


@pytest.mark.parametrize(
    "text", ["if a:\n\tb\n        c\n", "  x\n", "x = '\n", "print 'a'\n", "(\n", "x = 08\n", "é€\n"]
)
def test_errors_of_every_stage_are_returned(text: str) -> None:
    assert isinstance(check(text), SourceError)


def test_deep_nesting_is_raised_and_names_the_way_out() -> None:
    with pytest.raises(SourceError, match=r"has more than 200 nested brackets.*exclude") as error:
        check("x = 1\n" + "[" * 10_000 + "]" * 10_000)
    assert error.value.line == 2


@pytest.mark.parametrize("shape", ["sum", "powers", "lambdas", "elif", "minus"])
def test_what_is_too_deep_for_this_python_is_left_to_libcst(shape: str) -> None:
    error = check(CHAINS[shape](3_000))
    assert error is None or "nests too deep for this version" in str(error)


def test_warnings_about_the_analysed_code_are_not_ours() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert check("x = '\\d'\nassert (1, 2)\nx is 1\n") is None
    assert caught == []


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
def test_newer_syntax_is_an_error_that_is_not_the_last_word() -> None:
    assert isinstance(check("type X = int\n"), SourceError)
