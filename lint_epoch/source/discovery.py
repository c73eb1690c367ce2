"""Which Python files a project consists of, and which the user named.

A walk takes every ``.py`` file but those that .gitignore files or ``exclude`` leave out and those in folders that hold
other people's or generated code: hidden folders (``.venv``, ``.tox`` and the like), ``SKIPPED_FOLDERS``, and any folder
that is a virtual environment.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from lint_epoch.diagnostics import Problem
from lint_epoch.source.ignore import IgnoreRules

#: Folders that are never entered unless the user names them. ``build`` and ``dist`` are not among them: they are also
#: names of packages, and where they hold build results they are in .gitignore.
SKIPPED_FOLDERS = frozenset({"venv", "node_modules", "__pycache__", "site-packages"})

#: The file that marks a folder as a virtual environment (PEP 405).
ENVIRONMENT_MARKER = "pyvenv.cfg"

IGNORE_FILE = ".gitignore"

_Rules = tuple[IgnoreRules, ...]


class Discovered(msgspec.Struct, frozen=True):
    """What a walk found."""

    files: tuple[Path, ...]
    """Absolute paths without symbolic links, sorted, each once."""
    problems: tuple[Problem, ...]
    """Folders that could not be read and paths that are not there, sorted by path."""


def discover(root: Path, exclude: Sequence[str] = ()) -> Discovered:
    """Find all Python files of a project.

    Args:
        root: the project's root.
        exclude: patterns in gitignore's syntax, relative to the root; they come before those of .gitignore files.
    """
    return named_files((root,), root, exclude)


def named_files(paths: Iterable[Path], root: Path, exclude: Sequence[str] = ()) -> Discovered:
    """Find the files that the user named.

    A file that is named is taken, whatever its suffix and whether or not Git ignores it, but not if ``exclude`` leaves
    it out: pre-commit and flake8 name files that nobody chose. A folder that is named is walked, even if patterns leave
    it out; these then do not count below it.

    Args:
        paths: files and folders of one project.
        root: the project's root.
        exclude: as for ``discover``.
    """
    walk = _Walk(os.path.realpath(root), exclude)
    for path in paths:
        real = os.path.realpath(path)
        if os.path.isdir(real):  # noqa: PTH112, a Path costs more than the question
            walk.folder(real)
        elif os.path.exists(real):  # noqa: PTH110
            walk.file(real)
        else:
            walk.report(str(path), "there is no such file or folder; check the spelling and the working folder")
    problems = sorted(walk.problems, key=lambda problem: (problem.path, problem.message))
    return Discovered(tuple(map(Path, sorted(walk.found))), tuple(problems))


class _Walk:
    """One walk, over one or more folders. Paths are strings here: a Path for each entry would double the time."""

    def __init__(self, root: str, exclude: Sequence[str]) -> None:
        self.root = root
        self.found: set[str] = set()
        self.problems: list[Problem] = []
        self._exclude: _Rules = (IgnoreRules(root, exclude),) if exclude else ()
        self._seen: set[str] = set()
        self._links: set[str] = set()

    def report(self, path: str, message: str) -> None:
        self.problems.append(Problem(path=Path(path).absolute().as_posix(), message=message))

    def file(self, path: str) -> None:
        """Take a file that the user named."""
        if not is_excluded(path, self.root, self._exclude):
            self.found.add(path)

    def folder(self, path: str) -> None:
        """Walk a folder that the user named, and then the folders of the project to which links in it lead."""
        self._walk(path)
        while self._links:
            links, self._links = sorted(self._links), set()
            for link in links:
                self._walk(link)

    def _walk(self, start: str) -> None:
        exclude, rules = self._rules_above(start)
        pending = [(start, rules)]
        while pending:
            path, rules = pending.pop()
            if path in self._seen or (entries := self._entries(path)) is None:
                continue
            names = {entry.name for entry in entries}
            if ENVIRONMENT_MARKER in names and path != start:
                continue
            self._seen.add(path)
            if IGNORE_FILE in names:
                rules = (*self._rules_in(path), *rules)
            asked = (*exclude, *rules)
            pending.extend((entry.path, rules) for entry in entries if self._take(entry, asked))

    def _entries(self, path: str) -> list[os.DirEntry[str]] | None:
        try:
            with os.scandir(path) as listing:
                return list(listing)
        except OSError as error:
            self.report(path, f"cannot be listed ({error.strerror}), so nothing in it is checked; make it readable")
            return None

    def _take(self, entry: os.DirEntry[str], rules: _Rules) -> bool:
        """Take one entry if it is a file of the project; return whether it is a folder to be read."""
        name = entry.name
        if name.endswith(".py") and entry.is_file(follow_symlinks=False):
            if not _is_out(rules, IgnoreRules.speaks_of_file, entry.path):
                self.found.add(entry.path)
        elif entry.is_dir(follow_symlinks=False):
            return not _is_skipped(name) and not _is_out(rules, IgnoreRules.speaks_of_folder, entry.path)
        elif entry.is_symlink():
            self._take_link(entry, rules)
        return False

    def _take_link(self, entry: os.DirEntry[str], rules: _Rules) -> None:
        """Follow a link, if what it leads to is in the project and not among what is never entered."""
        real = os.path.realpath(entry.path)
        if not _is_inside(real, self.root):
            return
        *folders, name = Path(real).relative_to(self.root).parts or ("",)
        if any(map(_is_skipped, folders)):
            return
        if os.path.isdir(real):  # noqa: PTH112
            is_environment = os.path.lexists(os.path.join(real, ENVIRONMENT_MARKER))  # noqa: PTH118
            is_skipped = is_environment or _is_skipped(name) or _is_skipped(entry.name)
            if not is_skipped and not _is_out(rules, IgnoreRules.speaks_of_folder, entry.path):
                self._links.add(real)
        elif (
            entry.name.endswith(".py")
            and os.path.isfile(real)  # noqa: PTH113
            and not _is_out(rules, IgnoreRules.speaks_of_file, entry.path)
        ):
            self.found.add(real)

    def _rules_above(self, path: str) -> tuple[_Rules, _Rules]:
        """Return which of ``exclude`` and of the files above hold below a path: those that do not leave out itself."""
        if not _is_inside(path, self.root):
            return self._exclude, ()
        chain = [path]
        while chain[-1] != self.root:
            chain.append(os.path.dirname(chain[-1]))  # noqa: PTH120
        above = [rules for place in chain[1:] for rules in self._rules_in(place)]

        def holding(candidates: Iterable[IgnoreRules]) -> _Rules:
            return tuple(one for one in candidates if not any(map(one.speaks_of_folder, chain[:-1])))

        return holding(self._exclude), holding(above)

    def _rules_in(self, folder: str) -> _Rules:
        path = os.path.join(folder, IGNORE_FILE)  # noqa: PTH118
        try:
            with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:  # noqa: PTH123
                return (IgnoreRules(folder, file.read().split("\n")),)
        except (FileNotFoundError, IsADirectoryError):
            return ()
        except OSError as error:
            self.report(path, f"cannot be read ({error.strerror}), so what it leaves out is checked; make it readable")
            return ()


def is_excluded(path: str, root: str, exclude: _Rules) -> bool:
    """Return whether ``exclude`` leaves out a file, or a folder that holds it; none outside the root."""
    return _is_inside(path, root) and any(rules.cover(path) for rules in exclude)


def _is_out(rules: _Rules, speaks: Callable[[IgnoreRules, str], bool | None], path: str) -> bool:
    """Return what the first rules that speak of the path say."""
    for one in rules:
        if (verdict := speaks(one, path)) is not None:
            return verdict
    return False


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name in SKIPPED_FOLDERS


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
