"""How the reader sees a report: from which folder, in colour or not, with which characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

_STYLES = {"bold": "1", "red": "1;31", "blue": "34", "dim": "2", "green": "32"}


class View(msgspec.Struct, frozen=True):
    """What the output formats must know of the reader."""

    folder: str
    """The absolute working folder, with forward slashes; paths inside it are shown relative to it."""
    colour: bool = False
    """Whether terminal colour codes may be written."""
    drawing: bool = True
    """Whether box-drawing characters can be written; else the tree is drawn in ASCII."""

    def painted(self, text: str, style: str) -> str:
        """The text in one of the styles, or as it is where there is no colour."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.colour and text else text


def wants_colour(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether to write colour to the stream.

    ``NO_COLOR`` (not empty) says no, then ``FORCE_COLOR`` (not empty) says yes, else a terminal that is not a dumb
    one does. This is the order that CPython and https://no-color.org follow.
    """
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
