"""Runs a fixture's script on real torch, as two gloo ranks in two processes, and tells what each rank saw."""

from __future__ import annotations

import importlib.util
import multiprocessing
import multiprocessing.connection
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

# The new processes inherit sys.path, and have to import rank_process by its own name.
sys.path.append(str(Path(__file__).parent))

from rank_process import Answer, Job, main

WORLD_SIZE = 2
#: Seconds for one job; the longest takes about four on two idle cores, a shared machine may be ten times slower.
JOB_TIMEOUT = 120.0
#: Seconds for the other rank after one rank has raised: it may wait for ever in a collective call.
GRACE_AFTER_ERROR = 5.0
#: The port is free when it is chosen and may be taken when the job binds it.
PORT_ATTEMPTS = 3

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None,
    reason="torch is missing: install the extra `runtime` to run the fixtures on it",
)


@dataclass(frozen=True, slots=True)
class Run:
    """What the ranks of one job saw; index 0 is rank 0."""

    answers: tuple[Answer, ...]
    per_pass: int
    """Samples that one rank gets in one pass."""

    @property
    def errors(self) -> tuple[str | None, ...]:
        """For each rank the exception that ended it, as ``Name: text``."""
        return tuple(answer.error for answer in self.answers)

    @property
    def traces(self) -> str:
        """The tracebacks of all ranks, for a test's message."""
        return "\n".join(answer.trace for answer in self.answers if answer.trace)

    def passes(self, rank: int) -> list[tuple[int, ...]]:
        """The order of sample ids in each full pass of a rank."""
        seen = self.answers[rank].seen
        full = len(seen) - len(seen) % self.per_pass
        return [tuple(seen[start : start + self.per_pass]) for start in range(0, full, self.per_pass)]

    def distinct(self, rank: int) -> int:
        """How many different orders a rank saw."""
        return len(set(self.passes(rank)))

    def epochs(self, rank: int) -> list[int | None]:
        """For each pass of a rank the epoch whose order it shows, as DistributedSampler with seed 0 defines it."""
        reference = self.answers[rank].reference
        return [reference.index(order) if order in reference else None for order in self.passes(rank)]

    def seen_in_pass(self, index: int) -> list[set[int]]:
        """For each rank the samples that it got in one pass."""
        return [set(self.passes(rank)[index]) for rank in range(len(self.answers))]

    def overlaps(self) -> bool:
        """Whether in some pass two ranks got the same sample."""
        passes = [self.seen_in_pass(index) for index in range(len(self.passes(0)))]
        return any(len(set.union(*seen)) < sum(map(len, seen)) for seen in passes)

    def repeats(self) -> bool:
        """Whether in some pass one rank got a sample twice."""
        passes = [order for rank in range(len(self.answers)) for order in self.passes(rank)]
        return any(len(set(order)) < len(order) for order in passes)


def run(
    folder: Path,
    script: str,
    function: str = "main",
    *,
    arguments: Mapping[str, Any] | None = None,
    samples: int = 16,
    per_pass: int | None = None,
    world_size: int = WORLD_SIZE,
) -> Run:
    """Run ``function(history, **arguments)`` of a script in a project's folder on every rank.

    ``samples`` is the size of the data set; ``per_pass`` says how many samples a rank gets in a pass, if not an
    equal share of them.

    Raises:
        TimeoutError: a rank neither answered nor raised in time; all ranks are ended.
    """
    for _ in range(PORT_ATTEMPTS):
        job = Job(str(folder), script, function, dict(arguments or {}), samples, world_size, _free_port())
        answers = _run_ranks(job)
        if not any("address already in use" in (answer.error or "").lower() for answer in answers):
            break
    return Run(tuple(answers), per_pass or samples // world_size)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _run_ranks(job: Job) -> list[Answer]:
    with _started(job) as connections:
        answers = _collect(connections)
        if len(answers) < len(connections) and not any(answer.error for answer in answers.values()):
            raise TimeoutError(f"{job.script} in {job.folder} did not end within {JOB_TIMEOUT} s")
        for rank in answers:
            with suppress(BrokenPipeError):  # a rank that died does not wait
                connections[rank].send(None)
        return [answers.get(rank, Answer(error="Stuck: waits for the other rank")) for rank in range(len(connections))]


def _collect(connections: Sequence[Connection]) -> dict[int, Answer]:
    """Wait for the answer of each rank; after an error the others have only a short time left."""
    answers: dict[int, Answer] = {}
    deadline = time.monotonic() + JOB_TIMEOUT
    while len(answers) < len(connections):
        waiting = [connection for rank, connection in enumerate(connections) if rank not in answers]
        ready = multiprocessing.connection.wait(waiting, max(0.0, deadline - time.monotonic()))
        if not ready:
            break
        for rank, connection in enumerate(connections):
            if connection in ready:
                answers[rank] = _receive(connection)
        if any(answer.error for answer in answers.values()):
            deadline = min(deadline, time.monotonic() + GRACE_AFTER_ERROR)
    return answers


def _receive(connection: Connection) -> Answer:
    try:
        answer = connection.recv()
    except EOFError:
        return Answer(error="Died: the process ended without an answer")
    assert isinstance(answer, Answer)
    return answer


@contextmanager
def _started(job: Job) -> Iterator[Sequence[Connection]]:
    """Start the ranks; whatever happens, none of them is alive afterwards."""
    context = _context()
    pipes = [context.Pipe() for _ in range(job.world_size)]
    processes = []
    try:
        for rank, (_, theirs) in enumerate(pipes):
            process = context.Process(target=main, args=(job, rank, theirs))
            process.start()
            processes.append(process)
            theirs.close()  # else the end of a rank that dies would never show
        yield [ours for ours, _ in pipes]
        for process in processes:
            process.join(GRACE_AFTER_ERROR)
    finally:
        for process in processes:
            process.kill()
            process.join()
            process.close()
        for ours, theirs in pipes:
            ours.close()
            theirs.close()


def _context() -> Any:
    """Give a way to start fresh processes; where there is a fork server, one that has torch loaded already."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    # DistributedDataParallel imports torch._dynamo when one is made, which takes longer than all the rest.
    context.set_forkserver_preload(["torch.distributed", "torch.utils.data.distributed", "torch._dynamo"])
    return context
