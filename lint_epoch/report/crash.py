"""What the user sees of a fault in lint-epoch itself: the text of a bug report instead of a traceback."""

from __future__ import annotations

import os
import platform
import shlex
import traceback
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import lint_epoch
from lint_epoch.report.paths import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Set to anything but nothing, it shows the traceback of an internal error.
DEBUG = "LINT_EPOCH_DEBUG"
#: Calls that are named, counted from the place where the error was raised.
MOST_CALLS = 8


def bug_report(error: Exception, arguments: Sequence[str]) -> str:
    """The report: the error, the command, the versions and the calls in which it arose; no source is quoted."""
    lines = [
        f"lint-epoch: internal error: {summary(error)}",
        "This is a fault in lint-epoch, not in your code. Please report it with these lines:",
        f"  command: lint-epoch {shlex.join(arguments)}",
        f"  versions: lint-epoch {lint_epoch.__version__}, libcst {_version('libcst')}, "
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        *(f"  called: {call}" for call in _calls(error)),
    ]
    text = "".join(f"{harmless(line)}\n" for line in lines)
    if os.environ.get(DEBUG):
        return text + "".join(traceback.format_exception(error))
    return text + f"Set {DEBUG}=1 to see the traceback.\n"


def summary(error: BaseException) -> str:
    """The error's type and text on one line."""
    return harmless(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def _calls(error: Exception) -> list[str]:
    """The last calls, outermost first; files of lint-epoch relative to its package."""
    package = Path(lint_epoch.__file__).parent
    calls = []
    for frame in traceback.extract_tb(error.__traceback__)[-MOST_CALLS:]:
        path = Path(frame.filename)
        name = path.relative_to(package.parent).as_posix() if path.is_relative_to(package) else path.name
        calls.append(f"{frame.name} at {name}:{frame.lineno}")
    return calls
