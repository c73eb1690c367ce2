"""Which files have anything to do with an epoch: those that name a sampler's epoch, and those that import them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable

from lint_epoch.project.modules import ModuleFile, ModuleIndex
from lint_epoch.source.triage import has_evidence, imports_of


def reaching(index: ModuleIndex, data_of: Callable[[ModuleFile], bytes | None]) -> list[ModuleFile]:
    """Return the files that hold evidence or import, directly or not, a file that does.

    Args:
        index: the project's files.
        data_of: gives a file's bytes, ``None`` for one that cannot take part.
    """
    importers: dict[tuple[str, ...], set[ModuleFile]] = defaultdict(set)
    waiting: deque[ModuleFile] = deque()
    for file in index.files:
        data = data_of(file)
        if data is None:
            continue
        for level, module, names in imports_of(data):
            for parts in _targets(index, file, level, module, names):
                importers[parts].add(file)
        if has_evidence(data):
            waiting.append(file)
    found = set(waiting)
    while waiting:
        file = waiting.popleft()
        for importer in importers[file.parts]:
            if importer not in found:
                found.add(importer)
                waiting.append(importer)
    return [file for file in index.files if file in found and file.takes_part]


def _targets(
    index: ModuleIndex, file: ModuleFile, level: int, module: str, names: list[str]
) -> Iterable[tuple[str, ...]]:
    """Yield the modules that one import may read: the module itself, its parents, and submodules among the names."""
    base = index.relative(module, level, file) if level else index.absolute(module, file) if module else None
    if base is None:
        return
    for length in range(1, len(base) + 1):
        yield base[:length]
    for name in names:
        yield (*base, name)
