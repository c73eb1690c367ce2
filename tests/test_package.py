from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import lint_epoch

ROOT = Path(lint_epoch.__file__).parent.parent
#: Modules that cost more to import than a run that needs none of them takes.
COSTLY = {"libcst", "pathspec", "asyncio", "multiprocessing", "concurrent.futures", "tomllib", "difflib"}


def imported_by(program: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after the program."""
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint('modules:', *sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.rpartition("modules: ")[2].split())


def test_the_version_is_that_of_the_distribution() -> None:
    assert f'\nversion = "{lint_epoch.__version__}"\n' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_public_names_are_those_of_their_modules() -> None:
    from lint_epoch import config, diagnostics, engine

    assert lint_epoch.Config is config.Config
    assert lint_epoch.Finding is diagnostics.Finding
    assert lint_epoch.Report is diagnostics.Report
    assert lint_epoch.check is engine.check
    assert set(dir(lint_epoch)) == {"Config", "Finding", "Report", "__version__", "check"}


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        lint_epoch.chek  # noqa: B018


def test_types_are_shipped() -> None:
    assert (ROOT / "lint_epoch" / "py.typed").is_file()


def test_importing_the_package_imports_nothing_else() -> None:
    assert not {name for name in imported_by("import lint_epoch") if name.startswith(("lint_epoch.", "msgspec"))}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"]])
def test_the_command_line_starts_without_what_it_does_not_need(arguments: list[str]) -> None:
    loaded = imported_by(f"from lint_epoch.cli import main\nassert main({arguments}) == 0")
    assert not loaded & (COSTLY | {"msgspec", "lint_epoch.engine", "lint_epoch.rules"})


@pytest.mark.parametrize("arguments", [["rules"], ["explain", "LEP101"]])
def test_what_only_tells_of_the_rules_needs_no_engine(arguments: list[str]) -> None:
    loaded = imported_by(f"from lint_epoch.cli import main\nassert main({arguments}) == 0")
    assert not loaded & {"libcst", "pathspec", "lint_epoch.engine"}


def test_the_flake8_plugin_imports_nothing_at_flake8s_start() -> None:
    loaded = imported_by("import lint_epoch.integrations.flake8")
    assert not loaded & (COSTLY | {"msgspec", "click", "lint_epoch.engine", "lint_epoch.rules"})
