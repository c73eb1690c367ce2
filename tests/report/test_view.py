from __future__ import annotations

import io

import pytest

from lint_epoch.report.view import View, can_draw, wants_colour


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "expected"),
    [
        (Terminal(), {}, True),
        (io.StringIO(), {}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": ""}, False),
        (Terminal(), {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        (Terminal(), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_follows_the_terminal_and_the_two_variables(
    stream: io.StringIO, environment: dict[str, str], expected: bool
) -> None:
    assert wants_colour(stream, environment) is expected


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}])
@pytest.mark.parametrize(("asked", "expected"), [("always", True), ("never", False)])
def test_what_the_user_asks_for_counts_before_both(asked, environment: dict[str, str], expected: bool) -> None:
    assert wants_colour(Terminal(), environment, asked) is expected
    assert wants_colour(io.StringIO(), environment, asked) is expected


@pytest.mark.parametrize(("encoding", "expected"), [("utf-8", True), ("ascii", False), ("cp1252", False)])
def test_box_drawing_needs_an_encoding_that_has_it(encoding: str, expected: bool) -> None:
    assert can_draw(io.TextIOWrapper(io.BytesIO(), encoding=encoding)) is expected


def test_a_stream_without_an_encoding_gets_ascii() -> None:
    assert can_draw(io.StringIO()) is False


def test_empty_text_is_not_painted() -> None:
    assert View(folder="/", colour=True).painted("", "red") == ""
