"""What the tests of several folders share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator

import pytest

FAULTY = """\
from torch.utils.data import DataLoader, DistributedSampler


class Wrapper:
    def __init__(self, dataset):
        self._loader = DataLoader(dataset, batch_size=2, sampler=DistributedSampler(dataset))

    def __iter__(self):
        yield from self._loader


def main(dataset):
    loader = Wrapper(dataset)
    for epoch in range(3):
        if hasattr(loader, "set_epoch"):
            loader.set_epoch(epoch)
        for batch in loader:
            print(batch)


if __name__ == "__main__":
    main(list(range(16)))
"""


@pytest.fixture(scope="session")
def faulty_script() -> str:
    """A script with a wrapper that drops the call (line 4), and a guard that hides it (line 15)."""
    return FAULTY


@pytest.fixture(scope="session", autouse=True)
def _own_cache() -> Iterator[None]:
    """Keep the caches of the tests, and of the processes that they start, apart from the user's."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = folder
        yield
        if before is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = before
