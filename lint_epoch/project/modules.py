"""The project's files as modules: which file an import means.

A file is importable under several names: scripts see their own folder, packages are found from a ``src`` folder or
from any folder above the importing file. The nearest match wins, as ``sys.path`` would have it for a script.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from lint_epoch.facts import records as r


class ModuleFile:
    """One Python file of the project; its records are read when they are first asked for."""

    __slots__ = (
        "_load",
        "_record",
        "frame_uid",
        "globals",
        "has_evidence",
        "is_package",
        "parts",
        "path",
        "running",
        "shown",
        "takes_part",
    )

    def __init__(self, path: str, shown: str, load: Callable[[str], r.Module | None]) -> None:
        self.path = path
        """The absolute path, with forward slashes."""
        self.shown = shown
        """The path relative to the project's root, as messages show it."""
        pure = PurePosixPath(shown)
        self.is_package = pure.name == "__init__.py"
        self.parts: tuple[str, ...] = pure.parent.parts if self.is_package else (*pure.parent.parts, pure.stem)
        """The path's parts below the root, without the suffix."""
        self.takes_part = False
        self.has_evidence = False
        """Whether it names an epoch, a distributed sampler or the like itself."""
        self._load = load
        self._record: r.Module | bool | None = False
        self.globals: dict[str, object] | None = None
        """The names that the module's body bound, once the interpreter has run it."""
        self.running = False
        self.frame_uid = 0

    @property
    def record(self) -> r.Module | None:
        """What the file says; ``None`` if it could not be read or parsed."""
        if self._record is False:
            self._record = self._load(self.path)
        return self._record if isinstance(self._record, r.Module) else None

    @property
    def name(self) -> str:
        """The file's name, as short messages show it."""
        return PurePosixPath(self.shown).name

    def __repr__(self) -> str:
        return self.shown


class ModuleIndex:
    """Finds the file that an import means."""

    def __init__(self, files: Iterable[ModuleFile]) -> None:
        self.files = sorted(files, key=lambda file: file.shown)
        self._by_parts: dict[tuple[str, ...], ModuleFile] = {}
        self._folders: set[tuple[str, ...]] = set()
        for file in self.files:
            self._by_parts.setdefault(file.parts, file)
            for length in range(len(file.parts)):
                self._folders.add(file.parts[:length])
        self._tops: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for file in self.files:
            if file.is_package and file.parts and not self._is_package(file.parts[:-1]):
                self._tops[file.parts[-1]].append(file.parts[:-1])

    def _is_package(self, parts: tuple[str, ...]) -> bool:
        found = self._by_parts.get(parts)
        return found is not None and found.is_package

    def at(self, parts: tuple[str, ...]) -> ModuleFile | None:
        """Return the file of a module given by its path's parts below the root."""
        return self._by_parts.get(parts)

    def absolute(self, dotted: str, importer: ModuleFile) -> tuple[str, ...] | None:
        """Return the path's parts of the module or folder that ``import dotted`` in ``importer`` means, if any."""
        wanted = tuple(dotted.split("."))
        folder = importer.parts if importer.is_package else importer.parts[:-1]
        for length in range(len(folder), -1, -1):
            if 0 < length < len(folder) and self._is_package(folder[:length]):
                # What is inside a package around the importer goes by the package's name: `lightning` is not
                # `ourlib.lightning`. In the importer's own folder it may be a script's neighbour.
                continue
            for base in (folder[:length], (*folder[:length], "src")):
                if self._is_root_of(base, wanted):
                    return (*base, *wanted)
        tops = self._tops.get(wanted[0], [])
        if len(tops) == 1 and self._is_root_of(tops[0], wanted):
            return (*tops[0], *wanted)
        return None

    def _is_root_of(self, base: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
        # The first part must be there, so that a folder `data/` beside a script is not taken for a library's.
        full = (*base, *wanted)
        return full in self._by_parts or (full in self._folders and (*base, wanted[0]) in self._folders)

    def relative(self, module: str, level: int, importer: ModuleFile) -> tuple[str, ...]:
        """Return the path's parts that a relative import means (there need not be a file)."""
        folder = importer.parts if importer.is_package else importer.parts[:-1]
        base = folder[: len(folder) - (level - 1)]
        return (*base, *(module.split(".") if module else ()))

    def is_folder(self, parts: tuple[str, ...]) -> bool:
        """Whether there is a folder of that name that holds Python files (a namespace package)."""
        return parts in self._folders
