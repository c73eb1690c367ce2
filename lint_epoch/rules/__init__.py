"""The rules: one module each, found by their names (``lep101.py``), so that adding one is adding a file."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from lint_epoch.rules.base import Rule
from lint_epoch.rules.unused_suppression import UNUSED

__all__ = ["UNUSED", "all_rules"]


@functools.cache
def all_rules() -> tuple[Rule, ...]:
    """Return all rules, in the order of their codes."""
    names = sorted(info.name for info in pkgutil.iter_modules(__path__) if info.name.startswith("lep"))
    found: list[Rule] = []
    for name in names:
        module = importlib.import_module(f"{__name__}.{name}")
        found.append(module.RULE)
    return tuple(found)
