"""Packages are unpacked as text, and only what was pinned, into their own folder."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from . import packages
from .packages import Pin, UnavailableError, unpacked


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel with entries that try to leave its folder, as pip would have downloaded it."""
    path = tmp_path / "small-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("small/__init__.py", "x = 1\n")
        archive.writestr("small/data.bin", b"\0")
        archive.writestr("../outside.py", "x = 2\n")
        archive.writestr("/absolute.py", "x = 3\n")
        link = zipfile.ZipInfo("small/link.py")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    monkeypatch.setenv("LINT_EPOCH_PACKAGES", str(tmp_path / "cache"))
    monkeypatch.setattr(packages, "_download", lambda pin, scratch: path)
    return path


def test_only_python_files_inside_the_folder_are_unpacked(wheel: Path, tmp_path: Path) -> None:
    place = unpacked(Pin("small", "1.0", "0" * 64))
    assert sorted(path.name for path in place.rglob("*") if path.is_file()) == [".git", "__init__.py"]
    assert {path.name for path in tmp_path.iterdir()} == {"cache", wheel.name}


def test_a_package_is_unpacked_once(wheel: Path) -> None:
    first = unpacked(Pin("small", "1.0", "0" * 64))
    wheel.unlink()
    assert unpacked(Pin("small", "1.0", "0" * 64)) == first


def test_a_package_that_is_too_large_is_left_alone(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "LARGEST_PACKAGE", 3)
    with pytest.raises(UnavailableError, match=r"small==1\.0 unpacks to more than 3 bytes"):
        unpacked(Pin("small", "1.0", "0" * 64))
    assert not list(packages.cache_folder().iterdir())


def test_what_cannot_be_downloaded_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINT_EPOCH_PACKAGES", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    with pytest.raises(UnavailableError, match=r"small==1\.0 cannot be downloaded: ERROR: "):
        unpacked(Pin("small", "1.0", "0" * 64))
