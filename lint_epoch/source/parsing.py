"""Text to libcst's tree, with one kind of error for all that can go wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lint_epoch.source.deep import run_deep
from lint_epoch.source.gate import check_syntax
from lint_epoch.source.text import Source, SourceError

if TYPE_CHECKING:
    import libcst

#: Where libcst says that it stopped; the position in its exceptions' attributes is often that of the first line.
_PLACE = re.compile(r"error at (\d+):\d+: (.*)")


def parse(source: Source) -> libcst.Module:
    """Return the tree of a file; its newlines and encoding are those of the text, not of the bytes.

    A tree can be deeper than a visit at Python's usual recursion limit can go: visit it within ``run_deep``.

    Raises:
        SourceError: the text is no Python, of any version that libcst knows, or nests too deep to be parsed.
    """
    return run_deep(lambda: _parse(source))


def _parse(source: Source) -> libcst.Module:
    host_error = check_syntax(source)
    # Imported here: it takes 160 ms, and a run in which no file takes part does without it.
    import libcst

    try:
        return libcst.parse_module(source.text)
    except Exception as error:  # apart from its own two: TypeError, KeyError, RecursionError and others
        raise host_error or _refusal(source, error) from error
    except BaseException as error:
        # What a panic in native code becomes is no Exception, and its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise host_error or _refusal(source, error) from error


def _refusal(source: Source, error: BaseException) -> SourceError:
    """Return the error for a text that only libcst refuses."""
    if isinstance(error, RecursionError | MemoryError):
        return SourceError(source.path, "nests too deep to be parsed; split it or leave the file out with `exclude`")
    said = str(getattr(error, "message", error)).strip() or type(error).__name__
    place = _PLACE.search(said)
    line = int(place[1]) if place else None
    reason = (place[2] if place else said).split("\n", 1)[0]
    message = f"is valid for Python, but libcst, which parses it here, refuses it ({reason:.200}); rewrite that place"
    return SourceError(source.path, message, line)
