"""What one rank of a job does; the harness starts it in a process of its own.

A top-level module and not part of the test package, so that the new process can import it by its name.
"""

from __future__ import annotations

import functools
import importlib
import multiprocessing
import os
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

#: Epochs for which the reference orders are computed; the longest job in the fixtures has fewer passes.
REFERENCE_EPOCHS = 8


@dataclass(frozen=True, slots=True)
class Job:
    """A fixture's script and how to call it."""

    folder: str
    """The project's root, absolute."""
    script: str
    """The script, relative to the root, with forward slashes."""
    function: str
    """Called with a list that it fills with the sample ids in the order seen; or that list, filled on import."""
    arguments: dict[str, Any]
    """Keyword arguments for the function."""
    samples: int
    """Size of the data set, for the reference orders."""
    world_size: int
    port: int


@dataclass(slots=True)
class Answer:
    """What one rank saw."""

    seen: list[int] = field(default_factory=list)
    """Sample ids in the order in which the job got them."""
    error: str | None = None
    """Name of the exception's class and its text, when the job raised one."""
    trace: str | None = None
    """The traceback of that exception, for a test's message."""
    reference: list[tuple[int, ...]] = field(default_factory=list)
    """For each epoch the order that a shuffling DistributedSampler gives this rank."""


def main(job: Job, rank: int, connection: Connection) -> None:
    """Run the job as ``rank``, send the answer, and end the process when the parent has the answers of all ranks."""
    answer = Answer()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            _prepare(job, rank, scratch)
            answer.reference = _reference_orders(job, rank)
            module = importlib.import_module(Path(job.script).stem)
            entry = getattr(module, job.function)
            if isinstance(entry, list):
                answer.seen = entry
            else:
                entry(answer.seen, **job.arguments)
        except Exception as error:
            answer.error = f"{type(error).__name__}: {error}"
            answer.trace = traceback.format_exc()
        connection.send(answer)
        connection.recv()
        os.chdir("/")
    os._exit(0)  # without the destructors of the process groups, see _keep_process_groups


def _prepare(job: Job, rank: int, scratch: str) -> None:
    """Set up the process as a launcher such as torchrun would, and make the project's modules importable."""
    os.environ.update(
        MASTER_ADDR="127.0.0.1",
        MASTER_PORT=str(job.port),
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        WORLD_SIZE=str(job.world_size),
        LOCAL_WORLD_SIZE=str(job.world_size),
        ACCELERATE_USE_CPU="true",
        OMP_NUM_THREADS="1",
    )
    # The platform's default for a job's workers, not the way in which the harness started this process.
    multiprocessing.set_start_method(None, force=True)
    sys.dont_write_bytecode = True  # the fixtures are under version control
    root = Path(job.folder)
    script = root / job.script
    sys.argv = [str(script)]
    sys.path[:0] = [str(script.parent), str(root), str(root / "src")]
    os.chdir(scratch)  # a job may write checkpoints

    import torch

    torch.set_num_threads(1)
    _keep_process_groups()


def _keep_process_groups() -> None:
    """Keep every process group that the job makes until the process ends.

    A job that ends with ``destroy_process_group()`` leaves the last reference to the group with its
    DistributedDataParallel. When that one goes, ProcessGroupGloo's destructor joins the group's thread while it holds
    the interpreter's lock, and now and then that thread waits for the lock to drop its last piece of work: a deadlock
    in torch 2.13, about once in ten jobs on a busy machine, after all the work is done.
    """
    import torch.distributed

    init_process_group = torch.distributed.init_process_group
    kept: list[Any] = []

    @functools.wraps(init_process_group)
    def init_and_keep(*args: Any, **kwargs: Any) -> None:
        init_process_group(*args, **kwargs)
        kept.append(torch.distributed.group.WORLD)

    torch.distributed.init_process_group = init_and_keep


def _reference_orders(job: Job, rank: int) -> list[tuple[int, ...]]:
    from torch.utils.data.distributed import DistributedSampler

    # Only the length matters to the sampler, so a range stands in for the data set.
    sampler: DistributedSampler[int] = DistributedSampler(range(job.samples), job.world_size, rank)  # type: ignore[arg-type]
    orders = []
    for epoch in range(REFERENCE_EPOCHS):
        sampler.set_epoch(epoch)
        orders.append(tuple(sampler))
    return orders
