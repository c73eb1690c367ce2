"""The root of the project that a file or folder belongs to.

The root decides which files are evidence and which configuration holds, so it must not depend on which of a
project's files was named.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

#: What lies at the top of a working copy. ``.git`` is a file in a linked work tree and in a submodule.
REPOSITORY_MARKERS = (".git", ".hg")

#: What lies at the top of a Python project that is in no repository, such as an unpacked source distribution.
PROJECT_MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", "lint_epoch.toml")

#: Where programs put temporary files: fixed places, and the variables that name one (as Python's ``tempfile`` has it).
TEMPORARY_FOLDERS = ("/tmp", "/var/tmp")
TEMPORARY_VARIABLES = ("TMPDIR", "TEMP", "TMP")


def find_root(path: Path) -> Path:
    """Return the root of the project that a file or folder belongs to, absolute and without symbolic links.

    This is, in this order:

    1. the nearest folder at or above the path that holds a repository;
    2. the topmost folder at or above it that holds one of ``PROJECT_MARKERS``;
    3. the working directory, if the path lies in it;
    4. the path's own folder, or the folder that holds its outermost package.

    The file system's root, the home folder and the folder for temporary files are no projects, whatever they hold:
    a stray file there would make a project of everything below. Each is the root only of what lies right in it.

    Args:
        path: a file or folder; it need not exist.
    """
    real = Path(os.path.realpath(path))
    folder = real if real.is_dir() else real.parent
    shared = _shared_folders()
    chain = [place for place in (folder, *folder.parents) if place not in shared]
    for place in chain:
        if _holds_any(place, REPOSITORY_MARKERS):
            return place
    for place in reversed(chain):
        if _holds_any(place, PROJECT_MARKERS):
            return place
    working = _working_folder()
    return working if working in chain else _above_packages(folder, shared)


def _above_packages(folder: Path, shared: frozenset[Path]) -> Path:
    while _holds_any(folder, ("__init__.py",)) and folder.parent not in shared:
        folder = folder.parent
    return folder


def _working_folder() -> Path | None:
    try:
        return Path(os.path.realpath(os.curdir))
    except OSError:  # it has been removed
        return None


def _shared_folders() -> frozenset[Path]:
    # Not Path.home(), which raises where a container's user has no entry, nor tempfile, whose import takes longer
    # than all of this.
    home = os.path.expanduser("~")  # noqa: PTH111
    names = [home, *TEMPORARY_FOLDERS, *filter(None, map(os.environ.get, TEMPORARY_VARIABLES))]
    folders = [Path(os.path.realpath(name)) for name in names]
    return frozenset((*folders, *(Path(folder.anchor) for folder in folders)))


def _holds_any(folder: Path, names: Iterable[str]) -> bool:
    return any(os.path.lexists(folder / name) for name in names)
