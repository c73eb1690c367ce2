"""What ``lint-epoch trace`` does once the command line has been read."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from lint_epoch.commands import Refusal
from lint_epoch.config import ConfigError, project_config
from lint_epoch.exits import CLEAN
from lint_epoch.report.drawing import FORMATS
from lint_epoch.report.output import say
from lint_epoch.report.paths import shown
from lint_epoch.report.view import Colour, View, can_draw, wants_colour
from lint_epoch.source.text import SourceError
from lint_epoch.tracing import epoch_paths

_PLACE = re.compile(r"(?s)(.+):(\d+)")


def trace(place: str, output_format: str, color: Colour) -> int:
    """Draw the epoch paths through ``FILE`` or ``FILE:LINE``, and return the exit status."""
    path, line = _split(place)
    view = View(Path.cwd().as_posix(), wants_colour(sys.stdout, os.environ, color), can_draw(sys.stdout))
    where = shown(path.absolute().as_posix(), view.folder)
    if not path.is_file():
        raise Refusal(f"{where}: error: there is no such file; trace takes a file, or FILE:LINE")
    try:
        paths = epoch_paths(path, line, project_config(path))
    except SourceError as error:
        raise Refusal(f"{where}: error: {error.message}") from error
    except ConfigError as error:
        raise Refusal(f"{shown(Path(error.path).as_posix(), view.folder)}: error: {error.message}") from error
    if paths or output_format != "tree":
        say(FORMATS[output_format](paths, view), colour=view.colour)
    if not paths:
        say(_nothing(path, line, where), error=output_format != "tree")
    return CLEAN


def _split(place: str) -> tuple[Path, int | None]:
    matched = _PLACE.fullmatch(place)
    if matched is None or Path(place).is_file():
        return Path(place), None
    return Path(matched[1]), int(matched[2])


def _nothing(path: Path, line: int | None, where: str) -> str:
    """What to say where no path leads through; with the lines of the file through which one does."""
    if line is None:
        return f"no epoch path leads through {where}\n"
    own = path.resolve().as_posix()
    paths = epoch_paths(path, None, project_config(path))
    lines = sorted({hop.line for one in paths for hop in (*one.hops, *one.route) if hop.path == own})
    noun = "line" if len(lines) == 1 else "lines"
    hint = f"; there are some through {noun} {', '.join(map(str, lines))}" if lines else ""
    return f"no epoch path leads through {where}:{line}{hint}\n"
