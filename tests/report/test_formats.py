from __future__ import annotations

import pytest

from lint_epoch.report import FORMATS, render
from lint_epoch.report.view import View, repository_of


@pytest.mark.parametrize("name", [*FORMATS, "statistics"])
def test_every_format_gives_whole_lines(name: str, guard, report_of) -> None:
    text = render(name, report_of(guard), View(folder="/"))
    assert text.endswith("\n")
    assert not text.startswith("\n")


def test_the_folder_from_which_services_count_paths(tmp_path) -> None:
    checkout = tmp_path / "checkout"
    here = checkout / "project" / "src"
    here.mkdir(parents=True)
    assert repository_of(here.as_posix(), {}) == here.as_posix()
    (checkout / "project" / ".git").mkdir()
    assert repository_of(here.as_posix(), {}) == (checkout / "project").as_posix()
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        assert repository_of(here.as_posix(), {name: str(checkout)}) == checkout.as_posix()
        assert repository_of(here.as_posix(), {name: "/elsewhere"}) == (checkout / "project").as_posix()
