"""The flake8 plugin: the command line's findings, one file at a time.

flake8 gives a plugin one file, in any process and any order, and has no step before or after all files. So the plugin
pulls: for each file it asks the engine, which reads as much of the project as the file's epoch paths need and keeps
it for the process. What is selected, ignored or silenced with ``# noqa`` is flake8's to decide, after the plugin.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol

import lint_epoch

if TYPE_CHECKING:
    import argparse
    import ast
    from collections.abc import Iterator, Sequence

    from lint_epoch.config import Config

#: Line, column from 0, ``CODE message`` and what flake8 calls the type, which it ignores.
Violation = tuple[int, int, str, type]


class _OptionManager(Protocol):
    """What is used of flake8's own class, which comes without types."""

    def add_option(self, name: str, /, *, action: str, default: object, parse_from_config: bool, help: str) -> None: ...


# The imports below stand in their functions: flake8 imports this module at every start and in every worker.


@functools.cache
def _own_names(folder: Path) -> tuple[bytes, ...]:
    """The names of classes of the user's own tables that count in a folder, which most files do not even ask for."""
    from lint_epoch.config import project_config
    from lint_epoch.engine import telling_names

    return telling_names(project_config(folder))


class Plugin:
    """Checks the epoch paths that lead through one file."""

    name = "lint-epoch"
    version = lint_epoch.__version__

    closed_world: ClassVar[bool] = False
    #: The name under which flake8 shows what it reads from the standard input; None if it reads files.
    stdin_name: ClassVar[str | None] = None

    # flake8 finds what to pass by these names, gives the tree to every plugin that checks whole files, and refuses
    # keyword-only arguments.
    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self._filename = filename
        self._lines = lines

    @staticmethod
    def add_options(manager: _OptionManager) -> None:
        """Register the plugin's option with flake8."""
        manager.add_option(
            "--lep-closed-world",
            action="store_true",
            default=False,
            parse_from_config=True,
            help="lint-epoch: nobody outside the project calls its functions",
        )

    # flake8 may call this once in each worker process, so nothing is built here. It tries three arguments first and
    # takes any TypeError for the wish to have one: with exactly one, an error of ours cannot be hidden by that.
    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Keep what flake8 parsed."""
        cls.closed_world = options.lep_closed_world
        cls.stdin_name = options.stdin_display_name if "-" in options.filenames else None

    def run(self) -> Iterator[Violation]:
        """The file's findings, without regard to ``# noqa``; a failure of ours is one ``LEP000``."""
        try:
            violations = self._violations()
        except Exception as error:  # flake8 would end the whole run with a traceback
            violations = [self._failure(error)]
        yield from violations

    def _violations(self) -> list[Violation]:
        from lint_epoch.engine import can_take_part, check_file
        from lint_epoch.work import open_work

        text = "".join(self._lines)
        path = Path(self._filename).absolute()
        data = text.encode("utf-8", "surrogatepass")
        if not can_take_part(data) and not can_take_part(data, _own_names(path.parent)):
            return []
        given = text if self._filename == self.stdin_name else None
        return [
            (finding.line, finding.column - 1, f"{finding.code} {finding.message}", Plugin)
            for finding in check_file(path, self._config(path), given, open_work())
        ]

    def _config(self, path: Path) -> Config:
        import msgspec

        from lint_epoch.config import project_config

        config = project_config(path)
        return msgspec.structs.replace(config, closed_world=True) if self.closed_world else config

    def _failure(self, error: Exception) -> Violation:
        from lint_epoch.config import ConfigError
        from lint_epoch.report.crash import summary
        from lint_epoch.report.paths import harmless
        from lint_epoch.source.text import SourceError

        if isinstance(error, ConfigError | SourceError):
            line, why = getattr(error, "line", None) or 1, f"not checked: {harmless(str(error))}"
        else:
            line, why = 1, f"internal error in lint-epoch {self.version}, please report it: {summary(error)}"
        return (line, 0, f"LEP000 {why}", Plugin)
