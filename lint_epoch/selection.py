"""Which rules are on in which file: the project's settings, and over them those of the folders on the way to it.

A folder below the root, such as one package of a repository of many, may have a ``lint_epoch.toml`` or a
``[tool.lint_epoch]`` of its own: its ``select`` takes the place of the one above, its ``ignore`` and
``per-file-ignores`` are added. The command line comes over all of them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from lint_epoch.config import Config, folder_config
from lint_epoch.source.ignore import IgnoreRules


@dataclass(frozen=True, slots=True)
class _Level:
    """What holds in one folder."""

    config: Config
    ignores: tuple[tuple[str, IgnoreRules, tuple[str, ...]], ...]
    """The folder to which a pattern is relative, the pattern, and the codes that it turns off."""

    def with_patterns(self, config: Config, folder: str) -> _Level:
        """This level with the patterns of a file that stands in ``folder``."""
        new = ((folder, IgnoreRules(folder, [pattern]), codes) for pattern, codes in config.per_file_ignores)
        return _Level(self.config, (*self.ignores, *new))


class Selection:
    """Answers for the files of one project."""

    def __init__(self, root: Path, config: Config) -> None:
        """Take the project's settings.

        Args:
            root: the project's root, without symbolic links.
            config: its settings, the command line's over them.
        """
        self._root = root.as_posix()
        self._flat = config.flat
        self._levels = {self._root: _Level(config, ()).with_patterns(config, self._root)}

    def is_on(self, code: str, path: str) -> bool:
        """Whether a rule is on in a file, given by its absolute path.

        Raises:
            ConfigError: the settings of a folder on the way to it cannot be used.
        """
        level = self._level(os.path.dirname(path))  # noqa: PTH120, asked for each finding
        if not level.config.is_on(code):
            return False
        return not any(
            code.startswith(codes) and path.startswith(folder.rstrip("/") + "/") and rules.cover(path)
            for folder, rules, codes in level.ignores
        )

    def of_folder(self, folder: str) -> Config:
        """The settings that count in a folder, given by its absolute path; ``select`` and ``ignore`` are its own.

        Raises:
            ConfigError: its settings, or those of a folder on the way to it, cannot be used.
        """
        return self._level(folder).config

    def _level(self, folder: str) -> _Level:
        known = self._levels.get(folder)
        if known is None:
            if self._flat or not folder.startswith(self._root.rstrip("/") + "/"):
                return self._levels[self._root]
            known = self._levels[folder] = self._below(self._level(os.path.dirname(folder)), folder)  # noqa: PTH120
        return known

    @staticmethod
    def _below(above: _Level, folder: str) -> _Level:
        own = folder_config(Path(folder))
        if own is None:
            return above
        config = above.config.layered(select=own.select, ignore=own.ignore)
        select, ignore, extend_select = above.config.last_word
        config = config.layered(select=select, ignore=ignore, extend_select=extend_select)
        return _Level(config, above.ignores).with_patterns(own, folder)
