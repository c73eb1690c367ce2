"""Public packages as text: pinned wheels, downloaded once by pip, checked by their hash, unpacked without running them.

They lie in the folder that ``LINT_EPOCH_PACKAGES`` names, by default in the user's cache. A source distribution is
not asked for: pip runs its build script to learn its metadata.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

import msgspec

PINS = Path(__file__).parent / "packages.json"

#: Bytes of one file and of all files of a package that are unpacked; the largest pinned one has 30 MB of Python.
LARGEST_FILE = 8 * 2**20
LARGEST_PACKAGE = 128 * 2**20

#: Seconds for one download; the largest pinned wheel has 60 MB.
PATIENCE = 180


class UnavailableError(Exception):
    """The package cannot be had, and why."""


class Pin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One version of a package."""

    name: str
    version: str
    sha256: str
    """Of the wheel."""
    newest: bool = True
    """Whether it is the release that is checked, and not one that a table names as the first."""
    tags: tuple[str, ...] = ()
    """Arguments to pip that choose the wheel, where the package has one for each platform."""
    roots: tuple[str, ...] = ()
    """The folders of the wheel that are unpacked; by default all."""

    @property
    def shown(self) -> str:
        """The pin as pip writes it."""
        return f"{self.name}=={self.version}"


def pins() -> dict[str, Pin]:
    """Return all pinned packages, by ``name==version``."""
    found = msgspec.json.decode(PINS.read_bytes(), type=list[Pin])
    return {pin.shown: pin for pin in found}


def cache_folder() -> Path:
    """Return the folder that keeps the packages from one run to the next."""
    named = os.environ.get("LINT_EPOCH_PACKAGES")
    if named:
        return Path(named).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lint_epoch" / "packages"


def unpacked(pin: Pin) -> Path:
    """Return the folder with a package's Python files, which is a project of its own to the tool.

    Raises:
        UnavailableError: it is not in the cache and cannot be downloaded, or is not what was pinned.
    """
    folder = cache_folder()
    # What is unpacked depends on all that the pin says.
    place = folder / f"{pin.name}-{pin.version}-{hashlib.sha256(msgspec.json.encode(pin)).hexdigest()[:12]}"
    if place.is_dir():
        return place
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as scratch:
            made = Path(scratch, "unpacked")
            _unpack(_download(pin, Path(scratch)), made, pin)
            # The tool takes the nearest folder with this name for a project, wherever the cache may lie.
            (made / ".git").touch()
            try:
                made.rename(place)
            except OSError:
                # Another run was faster; what it put there has the same hash.
                if not place.is_dir():
                    raise
    except OSError as error:
        raise UnavailableError(f"{pin.shown} cannot be kept in {folder}: {error.strerror or error}") from error
    return place


def _download(pin: Pin, scratch: Path) -> Path:
    wanted = scratch / "wanted.txt"
    wanted.write_text(f"{pin.shown} --hash=sha256:{pin.sha256}\n")
    wheels = scratch / "wheels"
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
        "--retries=1",
    ]
    command += ["--no-deps", "--only-binary=:all:", *(pin.tags or ("--python-version=3.11",))]
    command += ["--require-hashes", "--requirement", str(wanted), "--dest", str(wheels)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnavailableError(f"{pin.shown} cannot be downloaded: {error}") from error
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.strip()] or ["pip says nothing"]
        raise UnavailableError(f"{pin.shown} cannot be downloaded: {said[-1].strip()}")
    (wheel,) = wheels.iterdir()
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != pin.sha256:
        raise UnavailableError(f"{pin.shown} is not the wheel that was pinned")
    return wheel


def _unpack(wheel: Path, into: Path, pin: Pin) -> None:
    """Write the Python files of a wheel; nothing else is needed, and nothing outside of the folder is touched."""
    total = 0
    into.mkdir()
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            path = PurePosixPath(entry.filename)
            if path.suffix != ".py" or path.is_absolute() or ".." in path.parts or "\\" in entry.filename:
                continue
            if pin.roots and not entry.filename.startswith(pin.roots):
                continue
            if stat.S_ISLNK(entry.external_attr >> 16) or entry.file_size > LARGEST_FILE:
                continue
            total += entry.file_size
            if total > LARGEST_PACKAGE:
                raise UnavailableError(f"{pin.shown} unpacks to more than {LARGEST_PACKAGE} bytes")
            target = into / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out)
