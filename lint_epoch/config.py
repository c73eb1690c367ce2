"""Settings: ``[tool.lint_epoch]`` in pyproject.toml, or ``lint_epoch.toml``, and the command line over them.

``lint_epoch.selection`` adds what the folders below the root say of their own files.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

PYPROJECT = "pyproject.toml"
OWN_FILE = "lint_epoch.toml"
TABLE = "lint_epoch"


class ConfigError(Exception):
    """A setting that cannot be used; ``path`` is the file (or the option) that holds it."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


#: Patterns, each with codes or beginnings of codes.
_PerFile = tuple[tuple[str, tuple[str, ...]], ...]
_Codes = tuple[str, ...]


class Config(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """What a check is asked to do; every field but those of ``INTERNAL`` is also a key of the configuration file."""

    select: tuple[str, ...] = ("LEP",)
    """Codes or prefixes of codes that are on."""
    ignore: tuple[str, ...] = ()
    """Codes or prefixes of codes that are off; the longer prefix wins over ``select``, at equal length this one."""
    per_file_ignores: _PerFile = ()
    """Codes or prefixes of codes that are off in some files, by patterns in gitignore's syntax, relative to the
    project's root or to the folder below it that says so."""
    exclude: tuple[str, ...] = ()
    """Patterns in gitignore's syntax, relative to the project's root, for files left out, also where they are named."""
    closed_world: bool = False
    """Whether nobody outside the project calls its functions."""
    baseline: str = ""
    """A file of findings that are known and not reported, relative to the file that says so."""
    libraries: tuple[str, ...] = ()
    """Files in the format of lint_epoch/project/libraries that say what classes of one's own library do, relative to
    the file that says so."""
    cache: bool = True
    """Whether what runs find out is kept in the user's cache folder for the next one."""
    flat: bool = False
    """Whether the settings of folders below the root do not count, as with ``--config FILE``."""
    last_word: tuple[_Codes, _Codes, _Codes] = ((), (), ())
    """``select``, ``ignore`` and ``extend_select`` of the command line, which come over those of such folders too."""

    def is_on(self, code: str) -> bool:
        """Whether the rule with this code is asked for: the most specific entry decides."""
        return _specificity(self.select, code) > _specificity(self.ignore, code)

    def layered(
        self, *, select: Sequence[str] = (), ignore: Sequence[str] = (), extend_select: Sequence[str] = ()
    ) -> Config:
        """These settings with the command line's codes over them.

        The command line is the later word: ``select`` puts both lists of the file aside, ``ignore`` and
        ``extend_select`` undo the file's entries for the codes that they name, whatever their length.
        """
        kept_on = tuple(select) or _without(self.select, ignore)
        kept_off = () if select else _without(self.ignore, extend_select)
        return msgspec.structs.replace(self, select=(*kept_on, *extend_select), ignore=(*kept_off, *ignore))

    def overruled(
        self, *, select: Sequence[str] = (), ignore: Sequence[str] = (), extend_select: Sequence[str] = ()
    ) -> Config:
        """The same as ``layered``, remembered, so that it counts for folders with settings of their own as well."""
        whole = self.layered(select=select, ignore=ignore, extend_select=extend_select)
        return msgspec.structs.replace(whole, last_word=(tuple(select), tuple(ignore), tuple(extend_select)))


#: Fields that no file sets.
INTERNAL = ("flat", "last_word")


def _specificity(prefixes: Iterable[str], code: str) -> int:
    """The length of the longest entry that the code begins with; 0 for none."""
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


def _without(entries: Iterable[str], prefixes: Sequence[str]) -> tuple[str, ...]:
    return tuple(entry for entry in entries if not entry.startswith(tuple(prefixes)))


def load_config(root: Path) -> Config:
    """The settings of the project at ``root``; the defaults where it has none.

    Raises:
        ConfigError: both files hold settings, or the one that does cannot be used.
    """
    own, shared = root / OWN_FILE, root / PYPROJECT
    table = _project_table(shared) if shared.is_file() else None
    if not own.is_file():
        return Config() if table is None else _config_from(table, shared)
    if table is not None:
        raise ConfigError(str(own), f"{shared.name} holds [tool.{TABLE}] as well; keep the settings in one of the two")
    return _config_from(_parsed(own), own)


def project_config(path: Path) -> Config:
    """The settings of the project to which a file or folder belongs.

    Raises:
        ConfigError: they cannot be used.
    """
    # Imported here: the rest of this module serves those who know the root.
    from lint_epoch.source.roots import find_root

    return load_config(find_root(path))


def read_config(path: Path) -> Config:
    """The settings in a file that the user named: a pyproject.toml, or one with the keys at its top level.

    Raises:
        ConfigError: the file cannot be read, or what it says cannot be used.
    """
    table = _project_table(path) or {} if path.name == PYPROJECT else _parsed(path)
    return msgspec.structs.replace(_config_from(table, path), flat=True)


#: What a folder below the root can say of its own files. The rest decides what is evidence, for all files together.
_OF_FOLDERS = ("select", "ignore", "per-file-ignores")


def folder_config(folder: Path) -> Config | None:
    """What a folder below a project's root says of the files in it; without a ``select`` if it says none.

    Raises:
        ConfigError: it cannot be used, or sets what counts for the project as a whole.
    """
    own, shared = folder / OWN_FILE, folder / PYPROJECT
    path = own if own.is_file() else shared
    table = _parsed(own) if path == own else (_project_table(shared) if shared.is_file() else None)
    if table is None:
        return None
    config = _config_from(table, path)
    for key in table:
        if key not in _OF_FOLDERS:
            message = f"`{key}` counts for a whole project and belongs in the settings of its root; a folder can have"
            raise ConfigError(str(path), f"{message} {', '.join(_OF_FOLDERS)}")
    return config if "select" in table else msgspec.structs.replace(config, select=())


def _project_table(path: Path) -> dict[str, Any] | None:
    data = _bytes_of(path)
    # Most projects say nothing to us, and the TOML parser costs more to import than the rest of this module.
    if b"lint_epoch" not in data and b"lint-epoch" not in data:
        return None
    tool = _parsed(path, data).get("tool")
    if not isinstance(tool, dict):
        return None
    if "lint-epoch" in tool:
        raise ConfigError(str(path), f"[tool.lint-epoch] is not read; did you mean [tool.{TABLE}]?")
    table = tool.get(TABLE)
    if table is not None and not isinstance(table, dict):
        raise ConfigError(str(path), f"tool.{TABLE} must be a table, not {_kind(table)}")
    return table


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(str(path), f"cannot be read: {error.strerror or error}") from error


def _parsed(path: Path, data: bytes | None = None) -> dict[str, Any]:
    # Imported here: a project without settings never needs it.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        # With or without a byte order mark, which editors on Windows put in front.
        return tomllib.loads((_bytes_of(path) if data is None else data).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(str(path), f"not UTF-8, as TOML must be: {error.reason} at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(str(path), f"not valid TOML: {error}") from error
    except RecursionError as error:
        raise ConfigError(str(path), "not valid TOML: nested too deeply") from error


def _config_from(table: dict[str, Any], path: Path) -> Config:
    wanted = {field.encode_name: field for field in msgspec.structs.fields(Config) if field.name not in INTERNAL}
    values: dict[str, Any] = {}
    for key, value in table.items():
        field = wanted.get(key)
        if field is None:
            raise ConfigError(str(path), _unknown_key(key, list(wanted), path))
        if isinstance(field.default, bool):
            values[field.name] = _boolean(key, value, path)
        elif isinstance(field.default, str):
            values[field.name] = _string(key, value, path)
        elif key == "per-file-ignores":
            values[field.name] = _per_file(key, value, path)
        else:
            values[field.name] = _strings(key, value, path)
    named = [("select", values.get("select", ())), ("ignore", values.get("ignore", ()))]
    named += [("per-file-ignores", codes) for _, codes in values.get("per_file_ignores", ())]
    for key, codes in named:
        for code in codes:
            complaint = unknown_code(code)
            if complaint is not None:
                raise ConfigError(str(path), f"`{key}`: {complaint}")
    return Config(**_with_paths(values, path))


def _with_paths(values: dict[str, Any], path: Path) -> dict[str, Any]:
    """The values with the names of files made absolute, each of which must be there and make sense."""
    folder = path.absolute().parent
    if values.get("baseline"):
        values["baseline"] = (folder / values["baseline"]).as_posix()
    if names := values.get("libraries"):
        values["libraries"] = tuple(_table_file(folder / name) for name in names)
    return values


def _table_file(path: Path) -> str:
    # Imported here: few projects have tables of their own.
    from lint_epoch.project.libraries import TableError, read_table

    try:
        read_table(path.as_posix())
    except TableError as error:
        raise ConfigError(str(path), str(error)) from error
    return path.as_posix()


def _unknown_key(key: str, wanted: Sequence[str], path: Path) -> str:
    if key == "tool" and path.name != PYPROJECT:
        return f"unknown key `tool`; outside {PYPROJECT} the keys stand at the top level, without [tool.{TABLE}]"
    return f"unknown key `{key}`" + (nearest(key, wanted) or f"; the keys are {', '.join(wanted)}")


def _boolean(key: str, value: object, path: Path) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(str(path), f"`{key}` must be true or false, not {_kind(value)}")
    return value


def _string(key: str, value: object, path: Path) -> str:
    if not isinstance(value, str):
        raise ConfigError(str(path), f"`{key}` must be a string, not {_kind(value)}")
    return value


def _per_file(key: str, value: object, path: Path) -> _PerFile:
    if not isinstance(value, dict):
        raise ConfigError(str(path), f"`{key}` must be a table of lists of strings, not {_kind(value)}")
    return tuple((pattern, _strings(f"{key}.{pattern}", codes, path)) for pattern, codes in value.items())


def _strings(key: str, value: object, path: Path) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ConfigError(str(path), f"`{key}` must be a list of strings, not {_kind(value)}")
    for number, entry in enumerate(value, 1):
        if not isinstance(entry, str):
            raise ConfigError(str(path), f"`{key}` must be a list of strings; entry {number} is {_kind(entry)}")
    return tuple(value)


_KINDS = {
    bool: "a boolean",
    str: "a string",
    int: "an integer",
    float: "a float",
    list: "a list",
    dict: "a table",
}


def _kind(value: object) -> str:
    """What TOML calls a value; the rest of its types are dates and times."""
    return _KINDS.get(type(value), "a date or time")


def unknown_code(code: str) -> str | None:
    """What is wrong with an entry of ``select`` or ``ignore``; None for a code, or a prefix of one, that exists."""
    # Imported here: most runs select nothing by name.
    from lint_epoch.rules import all_rules

    rules = all_rules()
    if code and any(rule.code.startswith(code) for rule in rules):
        return None
    named = next((rule.code for rule in rules if rule.name == code), None)
    hint = f'; did you mean "{named}"?' if named else nearest(code.upper(), [rule.code for rule in rules])
    return f'no rule\'s code begins with "{code}"' + hint


def nearest(word: str, candidates: Sequence[str]) -> str:
    """``; did you mean "…"?`` for the candidate that looks most like the word; empty where none does."""
    # Imported here: only a message about a mistake needs it.
    import difflib

    close = difflib.get_close_matches(word, candidates, n=1)
    return f'; did you mean "{close[0]}"?' if close else ""
