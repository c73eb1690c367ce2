"""Folders that stand alone, and a way to meet a file that cannot be read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

#: A user that owns nothing; 65534 is what Linux calls nobody.
NOBODY = 65534


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """An empty folder that every user can reach, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def unprivileged() -> Callable[[], AbstractContextManager[None]]:
    """A context without the superuser's power to read what file modes forbid."""

    @contextmanager
    def drop() -> Iterator[None]:
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)

    return drop
