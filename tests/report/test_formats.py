from __future__ import annotations

import pytest

from lint_epoch.report import FORMATS, render
from lint_epoch.report.view import View


@pytest.mark.parametrize("name", [*FORMATS, "statistics"])
def test_every_format_gives_whole_lines(name: str, guard, report_of) -> None:
    text = render(name, report_of(guard), View(folder="/"))
    assert text.endswith("\n")
    assert not text.startswith("\n")
