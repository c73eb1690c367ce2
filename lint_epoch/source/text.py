"""One file's bytes and the text that Python reads in them."""

from __future__ import annotations

import codecs
import re
import stat
from hashlib import blake2b
from pathlib import Path

import msgspec

from lint_epoch.diagnostics import Problem

#: The largest file that is read, in bytes. A tree takes about 55 times the room of its text, which makes 1.8 GB of
#: this; nobody writes such a file by hand, and what a program writes is data.
MAX_SOURCE_BYTES = 32 * 1024 * 1024

#: PEP 263's declaration of the encoding, and a line after which one may still stand on the second line.
_DECLARATION = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
_BLANK_OR_COMMENT = re.compile(rb"[ \t\f]*(?:#.*)?")
_LINE_END = re.compile(rb"\r\n|\r|\n")


class SourceError(Exception):
    """A file cannot be read or parsed; the message is for the user and says what to do."""

    def __init__(self, path: Path, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.message = message
        self.line = line

    @property
    def problem(self) -> Problem:
        """The record that a report shows."""
        return Problem(path=self.path.absolute().as_posix(), message=self.message, line=self.line)


class Source(msgspec.Struct, frozen=True):
    """One file as it was read."""

    path: Path
    data: bytes
    text: str
    """The text without a byte order mark; line ends are as they stand in the file."""
    encoding: str
    """The codec between ``text`` and ``data``, as declared in the file; ``utf-8`` where nothing is declared."""
    has_bom: bool

    @property
    def digest(self) -> str:
        """The hash of the file's bytes (BLAKE2b, 32 bytes, as hexadecimal digits)."""
        return blake2b(self.data, digest_size=32).hexdigest()

    @property
    def lines(self) -> list[str]:
        """The lines without their ends; Python ends a line at a line feed and a carriage return alone."""
        return self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    def encode(self, text: str) -> bytes:
        """Return the bytes of this file with another text in it: same encoding, same byte order mark.

        Raises:
            SourceError: the encoding has no place for a character of the text.
        """
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            line = _line_at(text, error.start)
            character = text[error.start]
            message = f"{character!a} cannot be written in the file's encoding, {self.encoding}; save it as UTF-8 first"
            raise SourceError(self.path, message, line) from error
        return codecs.BOM_UTF8 + data if self.has_bom else data


def read_source(path: Path) -> Source:
    """Read a file and decode it exactly as Python would.

    Raises:
        SourceError: it cannot be read, is not a regular file, is larger than ``MAX_SOURCE_BYTES``, or holds no text.
    """
    try:
        # Asked before it is opened: opening a pipe waits until somebody writes to it.
        if not stat.S_ISREG(path.stat().st_mode):
            raise SourceError(path, "is not a regular file; name a Python file or a folder")
        with path.open("rb") as file:
            data = file.read(MAX_SOURCE_BYTES + 1)
    except FileNotFoundError as error:
        raise SourceError(path, "there is no such file; check the spelling and the working folder") from error
    except OSError as error:
        message = f"cannot be read ({error.strerror}); make it readable or leave it out with `exclude`"
        raise SourceError(path, message) from error
    return source_of_bytes(path, data)


def source_of_bytes(path: Path, data: bytes) -> Source:
    """Decode bytes that stand for a file's content.

    Raises:
        SourceError: there are more than ``MAX_SOURCE_BYTES`` of them, or they hold no text.
    """
    _check_bytes(path, data)
    has_bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if has_bom else data
    encoding, line = _declared_encoding(body)
    if has_bom and encoding != "utf-8":
        message = f"declares the encoding {encoding:.40} but starts with UTF-8's byte order mark; remove one of the two"
        raise SourceError(path, message, line)
    return Source(path, data, _decode(path, body, encoding, line), encoding, has_bom)


def source_of_text(path: Path, text: str) -> Source:
    """Take text that stands for a file's content, for example what an editor holds; a declared encoding means nothing.

    Raises:
        SourceError: it is too large, or is no text that a Python file can hold.
    """
    text = text.removeprefix("\ufeff")
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        line = _line_at(text, error.start)
        raise SourceError(path, "holds half of a surrogate pair, which is no text; save it as UTF-8", line) from error
    _check_bytes(path, data)
    return Source(path, data, text, "utf-8", has_bom=False)


def _check_bytes(path: Path, data: bytes) -> None:
    if len(data) > MAX_SOURCE_BYTES:
        megabytes = MAX_SOURCE_BYTES // 2**20
        raise SourceError(path, f"is larger than {megabytes} MiB, too large to parse; leave it out with `exclude`")
    if (nul := data.find(0)) >= 0:
        message = "holds nul bytes, so it is binary or UTF-16; save it as UTF-8 or leave it out with `exclude`"
        raise SourceError(path, message, _line_of_byte(data, nul))


def _declared_encoding(body: bytes) -> tuple[str, int | None]:
    """Return the encoding's name, and the line that declares it."""
    start = 0
    for line in (1, 2):
        end = _LINE_END.search(body, start)
        content = body[start : end.start() if end else len(body)]
        if declared := _DECLARATION.match(content):
            return _normal_name(declared[1].decode("ascii")), line
        if end is None or not _BLANK_OR_COMMENT.fullmatch(content):
            break
        start = end.end()
    return "utf-8", None


def _normal_name(name: str) -> str:
    """Return what Python makes of a declared name: editors add line ends to it, as in ``utf-8-unix``."""
    plain = name[:12].lower().replace("_", "-")
    if plain == "utf-8" or plain.startswith("utf-8-"):
        return "utf-8"
    latin = ("latin-1", "iso-8859-1", "iso-latin-1")
    if plain in latin or plain.startswith(tuple(f"{known}-" for known in latin)):
        return "iso-8859-1"
    return name


def _decode(path: Path, body: bytes, encoding: str, line: int | None) -> str:
    try:
        text = body.decode(encoding)
        if encoding != "utf-8":
            text.encode()  # some codecs give halves of surrogate pairs, at which Python refuses the file
    except LookupError as error:
        message = f"declares the encoding {encoding:.40}, which Python does not know; save it as UTF-8"
        raise SourceError(path, message, line) from error
    except UnicodeDecodeError as error:
        declared = f"{encoding}, as it declares" if line else "UTF-8, and declares no other encoding"
        message = f"is not {declared}; save it as UTF-8 or declare its encoding (PEP 263)"
        raise SourceError(path, message, _line_of_byte(body, error.start)) from error
    except UnicodeError as error:
        raise SourceError(path, f"cannot be decoded as {encoding} ({error}); save it as UTF-8", line) from error
    if "\0" in text:
        raise SourceError(path, "holds nul characters; remove them", _line_at(text, text.index("\0")))
    return text


def _line_of_byte(data: bytes, offset: int) -> int:
    return len(_LINE_END.findall(data, 0, offset)) + 1


def _line_at(text: str, offset: int) -> int:
    return len(re.findall("\r\n|\r|\n", text[:offset])) + 1
