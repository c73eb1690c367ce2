"""The libcst codemod command: ``lint-epoch fix``, run by libcst's own tool.

    python -m libcst.tool codemod --no-format -x lint_epoch.codemod.ForwardEpochCommand src/

``--no-format`` is needed where black is not installed: libcst formats every changed file with it by default. The
runner gives one file at a time, in several processes, so each file is mended against what the others say on the disk
at that moment; where wrappers of several files hold one another, run it until nothing changes, or use
``lint-epoch fix``, which mends the inner ones first.
"""

from __future__ import annotations

from pathlib import Path

import libcst
from libcst.codemod import CodemodCommand, SkipFile


class ForwardEpochCommand(CodemodCommand):
    """Applies the safe fixes of every rule that is on in the project's configuration."""

    DESCRIPTION = "Let the epoch of PyTorch training jobs reach the samplers (the safe fixes of lint-epoch)."

    def transform_module_impl(self, tree: libcst.Module) -> libcst.Module:
        """The module as ``lint-epoch fix`` would leave the file.

        Raises:
            SkipFile: the file cannot be checked, or libcst would write other bytes than ``lint-epoch fix``.
        """
        if self.context.filename is None:
            raise SkipFile("lint-epoch needs a file: it reads the project around it")
        path = Path(self.context.filename).absolute()
        data = path.read_bytes()
        # libcst hands over text with what it cannot keep already gone; then nothing is better than a rewritten file.
        if tree.bytes != data:
            raise SkipFile("libcst does not keep this file byte for byte; use lint-epoch fix")
        after = self._mended(path, data)
        if after == data:
            return tree
        mended = libcst.parse_module(after)
        if mended.bytes != after:
            raise SkipFile("libcst would not write the mended file byte for byte; use lint-epoch fix")
        return mended

    def _mended(self, path: Path, data: bytes) -> bytes:
        # Imported here: libcst's tool imports every command that it lists.
        from lint_epoch.config import project_config
        from lint_epoch.engine import can_take_part
        from lint_epoch.fixes.driver import fix

        if not can_take_part(data):
            return data
        result = fix([path], project_config(path), unsafe=False, write=False)
        for error in result.errors:
            self.warn(error.message)
        own = path.resolve()
        return next((change.after for change in result.changes if Path(change.path) == own), data)
