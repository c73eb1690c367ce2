"""Report to text: one module an output format, each with one function ``render(report, view) -> str``.

A new format is a new module here and one word in ``FORMATS``; the command line offers it from then on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from lint_epoch.diagnostics import Report
    from lint_epoch.report.view import View

#: The formats that ``--output-format`` takes; each is the module of that name, with an underscore for a hyphen.
FORMATS = ("text", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit")


def render(name: str, report: Report, view: View) -> str:
    """The report in one of the ``FORMATS``, or as ``statistics``; whole lines, or nothing at all."""
    # Imported here: one run needs one format.
    import importlib

    module = importlib.import_module(f"lint_epoch.report.{name.replace('-', '_')}")
    return cast("Callable[[Report, View], str]", module.render)(report, view)
