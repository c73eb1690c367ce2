"""With what a check works: a cache of former runs, processes of this machine, a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from lint_epoch.source.cache import Cache

#: Files to be parsed from which on processes pay by default: a file takes some 60 ms, and a process about a second
#: until it has imported libcst.
MANY_FILES = 64

#: Processes started by default, at most: each has its own copy of what is being parsed.
MOST_JOBS = 16


class SchedulerError(Exception):
    """The cluster that was named cannot be used; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Work:
    """The means of a check; they change how long it takes and nothing else."""

    cache: Cache | None = None
    """What former runs found out; ``None`` to find out everything anew."""
    jobs: int | None = 1
    """Processes that read files; ``None`` for as many as pay."""
    scheduler: str | None = None
    """The address of a Dask scheduler whose workers read the files in place of processes of this machine."""

    def facts_of_all(self, files: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the packed facts of files that the cache does not know, where it pays to have others read them.

        Raises:
            SchedulerError: the cluster cannot be reached.
        """
        # Imported here: the records and their decoders are needed only where something takes part.
        from lint_epoch.facts.stage import entry_of, packed_facts_of

        if self.scheduler is None and (self.jobs == 1 or (self.jobs is None and len(files) < MANY_FILES)):
            return {}
        unknown = [data for data in files if self.cache is None or not self.cache.has(entry_of(data))]
        if self.scheduler is None and (len(unknown) < 2 or (self.jobs is None and len(unknown) < MANY_FILES)):
            return {}
        found: dict[bytes, bytes] = {}
        with self._executor(len(unknown)) as executor:
            waiting = [(data, executor.submit(packed_facts_of, data)) for data in unknown]
            for data, future in waiting:
                try:
                    packed = future.result()
                except BrokenExecutor:
                    # A process was killed, perhaps for want of memory: the rest is read here, file by file.
                    break
                if packed is not None:
                    found[data] = packed
                    if self.cache is not None:
                        self.cache.put(entry_of(data), packed)
        return found

    @contextmanager
    def _executor(self, files: int) -> Iterator[Executor]:
        if self.scheduler is not None:
            with _cluster(self.scheduler) as executor:
                yield executor
            return
        # Imported here: most runs start no process.
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # Not `fork`: the parser's thread is running, and a copy of half a process may wait for the other half.
        method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
        jobs = self.jobs or min(os.cpu_count() or 1, MOST_JOBS)
        executor = ProcessPoolExecutor(min(jobs, files), multiprocessing.get_context(method))
        try:
            yield executor
        finally:
            executor.shutdown(cancel_futures=True)


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    """Give the workers of a Dask cluster as an executor.

    Raises:
        SchedulerError: Dask is not installed, or nothing answers at that address.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise SchedulerError("--scheduler needs Dask; install lint-epoch with the extra `cluster`") from error
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise SchedulerError(f"no Dask scheduler answers at {address} ({error})") from error
    with client:
        yield client.get_executor()


#: Seconds to wait for a scheduler: one that runs answers at once.
CONNECT_SECONDS = 10


def open_work(
    *, use_cache: bool = True, cache_dir: Path | None = None, jobs: int | None = 1, scheduler: str | None = None
) -> Work:
    """Return the means of a check; without a cache where there can be none.

    Args:
        use_cache: whether to read and write what runs find out.
        cache_dir: the folder to keep it in, by default the user's cache folder.
        jobs: as in ``Work``.
        scheduler: as in ``Work``.
    """
    # Imported here: it needs hashing and secrets, which a run without a cache does not.
    from lint_epoch.source.cache import open_cache

    return Work(open_cache(cache_dir) if use_cache else None, jobs, scheduler)
