"""The short name of the libcst command: ``python -m libcst.tool codemod -x lint_epoch.codemod.ForwardEpochCommand``."""

from __future__ import annotations

from lint_epoch.integrations.codemod import ForwardEpochCommand

__all__ = ["ForwardEpochCommand"]
