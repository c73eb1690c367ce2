"""Small pieces of text that every format shares: paths, counts, and strings made safe to show."""

from __future__ import annotations

import re

#: Characters that steer a terminal or reorder what it shows: C0, DEL, C1, the line and paragraph separators, the
#: marks of the Unicode bidirectional algorithm (see CVE-2021-42574), and lone surrogates, which stand for bytes of a
#: file name that are no UTF-8.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> str:
    r"""The text with every character that could steer a terminal written out, as ``\x1b`` or ``\u202e``."""
    return _HARMFUL.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    point = ord(match.group())
    if 0xDC80 <= point <= 0xDCFF:  # what Python's surrogateescape makes of the byte 0x80 to 0xff
        point -= 0xDC00
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}"


def display(path: str, folder: str) -> str:
    """The path relative to the folder where it lies inside, else absolute; with forward slashes.

    Args:
        path: an absolute path with forward slashes, as in every record of a report.
        folder: the absolute working folder, with forward slashes.
    """
    if path == folder:
        return "."
    inside = folder.rstrip("/") + "/"
    return path[len(inside) :] if path.startswith(inside) else path


def shown(path: str, folder: str) -> str:
    """``display``, made harmless: for text that a person or a terminal reads.

    A name that begins as a command to GitHub's runner does (``::error`` or ``##[error]``) gets ``./`` in front: the
    runner obeys such lines on either stream.
    """
    text = harmless(display(path, folder))
    return f"./{text}" if text.startswith(("::", "##[")) else text


def counted(number: int, noun: str) -> str:
    """``1 finding`` or ``2 findings``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
