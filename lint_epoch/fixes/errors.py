"""The one exception of this package."""

from __future__ import annotations


class FixError(Exception):
    """A fix was not carried out, and the file is as it was; the message is one sentence for the user."""
