"""lint_epoch finds where a PyTorch training job silently replays, drops or repeats its data, and mends it.

    import lint_epoch

    report = lint_epoch.check(["src", "scripts"])
    for finding in report.findings:
        print(finding.path, finding.line, finding.code, finding.message)

``check`` takes the files and folders to report on and, as its second argument, a ``Config``; without one, each
project's own configuration counts. Nothing that is checked is imported or run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lint_epoch.config import Config
    from lint_epoch.diagnostics import Finding, Report
    from lint_epoch.engine import check

__all__ = ["Config", "Finding", "Report", "__version__", "check"]

__version__ = "0.1.0"

_HOMES = {
    "check": "lint_epoch.engine",
    "Config": "lint_epoch.config",
    "Finding": "lint_epoch.diagnostics",
    "Report": "lint_epoch.diagnostics",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for, so that ``import lint_epoch`` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Imported here: see above.
    import importlib

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
