"""Settings: ``[tool.lint_epoch]`` in pyproject.toml, or ``lint_epoch.toml``, and the command line over them."""

from __future__ import annotations

import msgspec


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """What a check is asked to do; every field is also a key of the configuration file, spelt with hyphens."""

    select: tuple[str, ...] = ("LEP",)
    """Codes or prefixes of codes that are on."""
    ignore: tuple[str, ...] = ()
    """Codes or prefixes of codes that are off; the longer prefix wins over ``select``, at equal length this one."""
    exclude: tuple[str, ...] = ()
    """Patterns in gitignore's syntax, relative to the project's root, for files left out."""
    closed_world: bool = False
    """Whether nobody outside the project calls its functions."""
