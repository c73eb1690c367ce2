"""What former runs found out, by the content of the files: a cache that can be lost, shared and attacked.

An entry is read only if this user's key signed it, so that a folder that came with a project, or was written to by
somebody else, says nothing; and it is msgpack, decoded to a given type, so that nothing in it can be executed. What is
wrong with an entry or a folder is no error: it is not read, and is written anew.
"""

from __future__ import annotations

import functools
import hmac
import os
import secrets
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from lint_epoch import __version__

#: Bytes of a cache folder, beyond which the oldest entries go. The facts of a file are about as large as the file.
MOST_BYTES = 256 * 2**20

#: What remains after that, so that not every run has to look for the oldest entries again.
BYTES_LEFT = MOST_BYTES * 3 // 4

#: Bytes of an entry. The largest file that is read makes facts of about its own size, 32 MiB.
MOST_BYTES_OF_ENTRY = 64 * 2**20

#: Bytes of the key, and of the signature that precedes what an entry holds.
_KEY_BYTES = 32

#: Beginnings and ends of the names of our files, so that nothing else in a folder is ever removed.
_SUFFIX, _UNFINISHED, _KEY_NAME = ".facts", ".unfinished", "key"


class Cache:
    """A folder of signed entries, safe under concurrent processes."""

    def __init__(self, folder: Path, key: bytes) -> None:
        self.folder = folder
        self._key = key
        self._has_written = False

    def get(self, name: str) -> bytes | None:
        """Return what was put under a name, ``None`` if there is nothing that this user's runs have written."""
        path = self._path(name)
        try:
            # A link is not followed: it may lead to anything, a pipe included.
            file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError:
            return None
        with os.fdopen(file, "rb") as opened:
            known = os.fstat(opened.fileno())
            if not stat.S_ISREG(known.st_mode) or known.st_size > MOST_BYTES_OF_ENTRY:
                return None
            try:
                data = opened.read(MOST_BYTES_OF_ENTRY)
            except OSError:
                return None
        held = data[_KEY_BYTES:]
        return held if hmac.compare_digest(data[:_KEY_BYTES], self._signature(name, held)) else None

    def has(self, name: str) -> bool:
        """Whether there may be something under a name."""
        return self._path(name).is_file()

    def put(self, name: str, held: bytes) -> None:
        """Keep something under a name; where that cannot be done, nothing happens."""
        if len(held) + _KEY_BYTES > MOST_BYTES_OF_ENTRY:
            return
        path = self._path(name)
        with suppress(OSError):
            if not _is_own_folder(path.parent):
                return
            _write(path, self._signature(name, held) + held)
            self._has_written = True

    def prune(self) -> None:
        """Remove the oldest entries of a folder that has grown too large, if this run has added to it."""
        if self._has_written:
            found = sorted((stats.st_mtime, stats.st_size, path) for path, stats in _entries(self.folder))
            total = sum(size for _, size, _ in found)
            if total > MOST_BYTES:
                for _, size, path in found:
                    if total <= BYTES_LEFT:
                        break
                    with suppress(OSError):
                        path.unlink()
                    total -= size
            self._has_written = False

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name[2:]}{_SUFFIX}"

    def _signature(self, name: str, held: bytes) -> bytes:
        # The name is signed too, so that an entry cannot stand in for another.
        return blake2b(name.encode() + b"\0" + held, key=self._key, digest_size=_KEY_BYTES).digest()


def open_cache(folder: Path | None = None) -> Cache | None:
    """Return the cache in a folder, by default in the user's cache folder; ``None`` where there can be none."""
    own = default_folder()
    key = _key_of(own)
    return Cache(folder if folder is not None else own, key) if key is not None else None


@functools.cache
def default_folder() -> Path:
    """Return the folder of this user's cache, which lies outside of every project."""
    # Imported here: only a run that parses something needs it.
    from platformdirs import user_cache_path

    return user_cache_path("lint-epoch", appauthor=False)


def clean(folder: Path | None = None) -> tuple[int, int]:
    """Remove the entries of a cache folder, by default the user's; return how many files and bytes went."""
    files = size = 0
    for path, stats in list(_entries(folder if folder is not None else default_folder())):
        with suppress(OSError):
            path.unlink()
            files, size = files + 1, size + stats.st_size
    return files, size


def name_of(*parts: bytes | str) -> str:
    """Return the name of what was made from some parts (BLAKE2b, hexadecimal)."""
    digest = blake2b(digest_size=24)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


@functools.cache
def fingerprint(*folders: str) -> str:
    """Return what stands for the code of some of our folders, with the versions that its outcome depends on.

    It is a hash of the code itself: no change of the visitor can meet facts of the old one, whatever its version says.
    """
    import sys
    from importlib.metadata import PackageNotFoundError, version

    home = Path(__file__).parent.parent
    parts: list[bytes | str] = [__version__, sys.implementation.cache_tag or "", str(sys.version_info[:3])]
    with suppress(PackageNotFoundError):
        parts.append(version("libcst"))
    with suppress(OSError):
        for folder in folders:
            for path in sorted((home / folder).rglob("*")):
                if path.suffix in (".py", ".toml"):
                    parts += [path.relative_to(home).as_posix(), path.read_bytes()]
    return name_of(*parts)


def _entries(folder: Path) -> Iterable[tuple[Path, os.stat_result]]:
    """Yield our files in a folder; links, and what is not named as ours are, do not count."""
    with suppress(OSError):
        for below in sorted(folder.iterdir()):
            if len(below.name) == 2 and below.is_dir() and not below.is_symlink():
                for path in below.iterdir():
                    if path.name.endswith((_SUFFIX, _UNFINISHED)) and not path.is_symlink():
                        with suppress(OSError):
                            yield path, path.lstat()


def _is_own_folder(folder: Path) -> bool:
    """Make a folder for entries; whether it is one, and no link to somewhere else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return stat.S_ISDIR(folder.lstat().st_mode)


def _write(path: Path, data: bytes) -> None:
    """Write a file so that others see all of it or none.

    Raises:
        OSError: it cannot be written.
    """
    handle, unfinished = tempfile.mkstemp(dir=path.parent, suffix=_UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(unfinished).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(unfinished).unlink()
        raise


def _key_of(folder: Path) -> bytes | None:
    """Return this user's key, made at the first run; ``None`` if it cannot be kept where others cannot write it."""
    path = folder / _KEY_NAME
    for _ in range(2):
        try:
            known = path.lstat()
            is_ours = stat.S_ISREG(known.st_mode) and (not hasattr(os, "getuid") or known.st_uid == os.getuid())
            if not is_ours or (os.name == "posix" and known.st_mode & 0o077):
                return None
            key = path.read_bytes()
            if len(key) == _KEY_BYTES:
                return key
            path.unlink()
        except FileNotFoundError:
            pass
        except OSError:
            return None
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, unfinished = tempfile.mkstemp(dir=folder, suffix=_UNFINISHED)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(secrets.token_bytes(_KEY_BYTES))
                # A link, not a rename: of two runs that begin at once, both take the key of the first.
                os.link(unfinished, path)
            finally:
                Path(unfinished).unlink()
    return None
