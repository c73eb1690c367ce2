"""A cheap test of a text before libcst's parser, which can kill the process, is let at it."""

from __future__ import annotations

import ast
import warnings

from lint_epoch.source.nesting import TooDeepError, check_nesting
from lint_epoch.source.text import Source, SourceError


def check_syntax(source: Source) -> SourceError | None:
    """Return what the running Python has against a text, None if it reads it.

    An error that is returned is not the last word: the file may be of a newer version of Python. libcst may judge, and
    if it refuses the text too, this is the better message.

    Raises:
        SourceError: the text nests so deep that libcst's parser would crash or take minutes.
    """
    try:
        check_nesting(source.text)
    except TooDeepError as error:
        message = f"{error}, or leave the file out with `exclude`"
        raise SourceError(source.path, message, error.line) from error
    return _host_error(source)


def _host_error(source: Source) -> SourceError | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the analysed code, not about ours
        try:
            # The text, not the bytes: read_source has settled the encoding.
            ast.parse(source.text)
        except SyntaxError as error:
            return SourceError(source.path, f"does not parse: {error.msg}", error.lineno or None)
        except (RecursionError, MemoryError):
            return SourceError(source.path, "does not parse: it nests too deep for this version of Python")
        except ValueError as error:
            return SourceError(source.path, f"does not parse: {error}")
    return None
