"""Which files have anything to do with an epoch, and which of them have anything to do with each other.

A file takes part if it names a sampler's epoch or imports, directly or not, a file that does. Files that no chain of
imports joins cannot influence each other's findings: each such group is analysed by itself, so that a check of one
file reads one group, and gives the same answer as a check of all.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator

from lint_epoch.project.modules import ModuleFile, ModuleIndex
from lint_epoch.source.triage import has_evidence, imports_of

Parts = tuple[str, ...]
Group = tuple[list[ModuleFile], list[ModuleFile]]


def groups(
    index: ModuleIndex, data_of: Callable[[ModuleFile], bytes | None], telling: tuple[bytes, ...] = ()
) -> Iterator[Group]:
    """Yield the groups of files, and of each group the files that take part, in the order of their paths.

    Args:
        index: the project's files.
        data_of: gives a file's bytes, ``None`` for one that cannot take part.
        telling: names of classes that the user's own tables describe.
    """
    importers: dict[Parts, set[ModuleFile]] = defaultdict(set)
    evidence: set[ModuleFile] = set()
    files = [file for file in index.files if data_of(file) is not None]
    for file in files:
        data = data_of(file) or b""
        for level, module, names in imports_of(data):
            for parts in _targets(index, file, level, module, names):
                importers[parts].add(file)
        file.has_evidence = has_evidence(data, telling)
        if file.has_evidence:
            evidence.add(file)
    reaching = _reaching(evidence, importers)
    for group in _joined(files, importers):
        taking_part = [file for file in group if file in reaching and file.takes_part]
        if taking_part:
            yield group, taking_part


def _reaching(evidence: set[ModuleFile], importers: dict[Parts, set[ModuleFile]]) -> set[ModuleFile]:
    """Return the files that hold evidence or import, directly or not, a file that does."""
    found, waiting = set(evidence), deque(evidence)
    while waiting:
        for importer in importers.get(waiting.popleft().parts, ()):
            if importer not in found:
                found.add(importer)
                waiting.append(importer)
    return found


def _joined(files: list[ModuleFile], importers: dict[Parts, set[ModuleFile]]) -> list[list[ModuleFile]]:
    """Return the files in groups that imports join, whichever way they go."""
    neighbours: dict[ModuleFile, set[ModuleFile]] = defaultdict(set)
    for file in files:
        for importer in importers.get(file.parts, ()):
            neighbours[file].add(importer)
            neighbours[importer].add(file)
    found: list[list[ModuleFile]] = []
    seen: set[ModuleFile] = set()
    for file in files:
        if file in seen:
            continue
        group, waiting = {file}, [file]
        while waiting:
            for other in neighbours[waiting.pop()] - group:
                group.add(other)
                waiting.append(other)
        seen |= group
        found.append(sorted(group, key=lambda member: member.shown))
    return found


def _targets(index: ModuleIndex, file: ModuleFile, level: int, module: str, names: list[str]) -> Iterable[Parts]:
    """Yield the modules that one import may read: the module itself, its parents, and submodules among the names."""
    base = index.relative(module, level, file) if level else index.absolute(module, file) if module else None
    if base is None:
        return
    for length in range(1, len(base) + 1):
        yield base[:length]
    for name in names:
        yield (*base, name)
