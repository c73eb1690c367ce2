"""Which file an import means."""

from __future__ import annotations

import pytest

from lint_epoch.project.modules import ModuleFile, ModuleIndex


def index(*names: str) -> ModuleIndex:
    return ModuleIndex(ModuleFile(f"/p/{name}", name, lambda path: None) for name in names)


def importer(of: ModuleIndex, shown: str) -> ModuleFile:
    return next(file for file in of.files if file.shown == shown)


@pytest.mark.parametrize(
    ("files", "script", "dotted", "found"),
    [
        (("train.py", "data.py"), "train.py", "data", ("data",)),
        (("bin/t.py", "src/pkg/__init__.py", "src/pkg/data.py"), "bin/t.py", "pkg.data", ("src", "pkg", "data")),
        (("a/train.py", "a/data.py", "data.py"), "a/train.py", "data", ("a", "data")),
        (("ex/run.py", "python/dgl/__init__.py", "python/dgl/x.py"), "ex/run.py", "dgl.x", ("python", "dgl", "x")),
        (("train.py", "space/data.py"), "train.py", "space.data", ("space", "data")),
    ],
)  # fmt: skip
def test_an_absolute_import_finds_the_nearest(
    files: tuple[str, ...], script: str, dotted: str, found: tuple[str, ...]
) -> None:
    of = index(*files)
    assert of.absolute(dotted, importer(of, script)) == found


def test_a_library_is_not_found_in_the_project() -> None:
    of = index("train.py", "utils/data.py")
    assert of.absolute("torch.utils.data", importer(of, "train.py")) is None


def test_relative_imports_count_their_dots() -> None:
    of = index("pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/a.py", "pkg/b.py")
    a = importer(of, "pkg/sub/a.py")
    assert of.relative("b", 2, a) == ("pkg", "b")
    assert of.relative("", 1, a) == ("pkg", "sub")
    assert of.relative("sub.a", 1, importer(of, "pkg/__init__.py")) == ("pkg", "sub", "a")
