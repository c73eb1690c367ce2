"""A progress bar for runs that take long, on a terminal only."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress

#: Seconds after which a run is long. Most are over by then, and a bar that flashes up is only a nuisance.
LONG = 1.0


@contextlib.contextmanager
def watcher(stream: TextIO) -> Iterator[Callable[[int, int], None] | None]:
    """Give what shows how far a run is, or ``None`` where nobody would see it; the bar is gone afterwards."""
    if not stream.isatty():
        yield None
        return
    bar = _Bar(stream)
    try:
        yield bar.show
    finally:
        bar.stop()


class _Bar:
    """The bar, which is there from the first report on that comes late enough."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = time.monotonic()
        self._progress: Progress | None = None

    def show(self, done: int, most: int) -> None:
        """Show how many files are done, and how many there may be."""
        if time.monotonic() - self._started < LONG:
            return
        if self._progress is None:
            self._progress = _opened(self._stream)
        task = self._progress.task_ids[0]
        self._progress.update(task, completed=done, total=most)

    def stop(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()


def _opened(stream: TextIO) -> Progress:
    # Imported here: a short run does without.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("following epoch paths"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=Console(file=stream), transient=True)
    progress.add_task("files")
    progress.start()
    return progress
