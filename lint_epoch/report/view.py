"""How the reader sees a report: from which folder, in colour or not, with which characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TextIO

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

Colour = Literal["auto", "always", "never"]

_STYLES = {"bold": "1", "red": "1;31", "blue": "34", "dim": "2", "green": "32"}


class View(msgspec.Struct, frozen=True):
    """What the output formats must know of the reader."""

    folder: str
    """The absolute working folder, with forward slashes; paths inside it are shown relative to it."""
    colour: bool = False
    """Whether terminal colour codes may be written."""
    drawing: bool = True
    """Whether box-drawing characters can be written; else the tree is drawn in ASCII."""
    repository: str = ""
    """The absolute folder, with forward slashes, from which a hosting service counts paths; empty for ``folder``."""

    @property
    def base(self) -> str:
        """The folder from which a hosting service counts paths."""
        return self.repository or self.folder

    def painted(self, text: str, style: str) -> str:
        """The text in one of the styles, or as it is where there is no colour."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text


def repository_of(folder: str, environment: Mapping[str, str]) -> str:
    """The folder from which GitHub or GitLab counts paths, for a run in ``folder``.

    It is the checkout that the service names (``GITHUB_WORKSPACE``, ``CI_PROJECT_DIR``) if the run is inside it, else
    the nearest folder with a ``.git``, else the folder itself.
    """
    # Imported here: most runs report to people, in the folder where they are.
    from pathlib import Path

    here = Path(folder)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        if named := environment.get(name):
            checkout = Path(named).resolve()
            if here.is_relative_to(checkout):
                return checkout.as_posix()
    return next((place.as_posix() for place in (here, *here.parents) if (place / ".git").exists()), folder)


def wants_colour(stream: TextIO, environment: Mapping[str, str], asked: Colour = "auto") -> bool:
    """Whether to write colour to the stream.

    What the user asked for counts first. Then ``NO_COLOR`` (not empty) says no, then ``FORCE_COLOR`` (not empty) says
    yes, else a terminal that is not a dumb one does. This is the order that CPython and https://no-color.org follow.
    """
    if asked != "auto":
        return asked == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


def can_draw(stream: TextIO) -> bool:
    """Whether the stream's encoding has the box-drawing characters and the cross of the text format."""
    try:
        "└─✗".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
