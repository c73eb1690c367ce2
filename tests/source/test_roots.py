from __future__ import annotations

from pathlib import Path

import pytest

from lint_epoch.source.roots import find_root


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder in which a test's projects lie; the working folder is elsewhere."""
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.chdir(elsewhere)
    return home


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.mark.parametrize("marker", [".git", ".hg"])
def test_repository_holds_all_its_files(home: Path, marker: str) -> None:
    project = home / "project"
    (project / marker).mkdir(parents=True)
    deep = put(project / "src" / "pkg" / "train.py")
    assert find_root(deep) == find_root(project / "src") == find_root(project) == project


def test_git_file_of_a_linked_work_tree_marks_a_repository(home: Path) -> None:
    put(home / "project" / ".git")
    assert find_root(put(home / "project" / "train.py")) == home / "project"


def test_nearest_repository_wins_over_the_one_around_it(home: Path) -> None:
    (home / "outer" / ".git").mkdir(parents=True)
    (home / "outer" / "vendored" / ".git").mkdir(parents=True)
    assert find_root(put(home / "outer" / "vendored" / "a.py")) == home / "outer" / "vendored"


def test_repository_wins_over_a_project_file_in_or_around_it(home: Path) -> None:
    put(home / "all" / "pyproject.toml")
    put(home / "all" / "repo" / "packages" / "one" / "pyproject.toml")
    (home / "all" / "repo" / ".git").mkdir()
    assert find_root(home / "all" / "repo" / "packages" / "one") == home / "all" / "repo"


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", "setup.cfg", "lint_epoch.toml"])
def test_topmost_project_file_marks_the_root_without_a_repository(home: Path, marker: str) -> None:
    put(home / "mono" / marker)
    put(home / "mono" / "gap" / "one" / "pyproject.toml")
    assert find_root(put(home / "mono" / "gap" / "one" / "src" / "a.py")) == home / "mono"


@pytest.mark.parametrize("stray", ["pyproject.toml", ".git"])
def test_stray_file_at_home_does_not_make_one_project_of_everything(home: Path, stray: str) -> None:
    put(home / stray)
    put(home / "project" / "setup.py")
    assert find_root(put(home / "project" / "src" / "a.py")) == home / "project"
    assert find_root(put(home / "scripts" / "b.py")) == home / "scripts"


def test_stray_file_among_temporary_files_marks_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(home / "scratch"))
    put(home / "scratch" / "setup.py")
    assert find_root(put(home / "scratch" / "work" / "a.py")) == home / "scratch" / "work"


def test_working_folder_is_the_root_of_what_lies_in_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = put(home / "work" / "scripts" / "train.py")
    monkeypatch.chdir(home / "work")
    assert find_root(script) == find_root(Path("scripts/train.py")) == find_root(Path()) == home / "work"


def test_working_at_home_does_not_make_home_the_root(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    assert find_root(put(home / "scripts" / "train.py")) == home / "scripts"


def test_file_right_at_home_has_home_as_its_root(home: Path) -> None:
    assert find_root(put(home / "train.py")) == home


def test_own_folder_is_the_root_where_nothing_else_says(home: Path) -> None:
    assert find_root(put(home / "loose" / "train.py")) == home / "loose"


def test_outermost_package_is_left_where_nothing_else_says(home: Path) -> None:
    put(home / "loose" / "pkg" / "__init__.py")
    put(home / "loose" / "pkg" / "sub" / "__init__.py")
    assert find_root(put(home / "loose" / "pkg" / "sub" / "a.py")) == home / "loose"


def test_package_right_at_home_does_not_lead_to_home(home: Path) -> None:
    put(home / "pkg" / "__init__.py")
    assert find_root(put(home / "pkg" / "a.py")) == home / "pkg"


def test_path_that_does_not_exist_has_the_root_of_its_folder(home: Path) -> None:
    (home / "project" / ".git").mkdir(parents=True)
    assert find_root(home / "project" / "gone.py") == home / "project"


def test_link_belongs_to_the_project_that_it_leads_to(home: Path) -> None:
    (home / "project" / ".git").mkdir(parents=True)
    target = put(home / "project" / "a.py")
    (home / "link.py").symlink_to(target)
    assert find_root(home / "link.py") == home / "project"


def test_removed_working_folder_is_no_root(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = put(home / "loose" / "train.py")
    gone = home / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert find_root(script) == home / "loose"
