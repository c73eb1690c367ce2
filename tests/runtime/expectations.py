"""The records in ``fixtures/*/expected.json``; fixtures/README.md describes the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

FIXTURES = Path(__file__).parents[2] / "fixtures"


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finding: what is reported and where."""

    code: str
    path: str
    """Relative to the version's folder, with forward slashes."""
    line: int


class Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is claimed about a run; what is left out is not looked at."""

    epochs: list[int] | None = None
    """For each pass the epoch whose order it shows, on every rank."""
    distinct: int | None = None
    """Different orders over all passes, on every rank."""
    overlaps: bool | None = None
    """Whether in some pass two ranks get the same sample."""
    repeats: bool | None = None
    """Whether in some pass a rank gets a sample twice."""
    in_all: int | None = None
    """Samples that the first pass covers, over all ranks."""
    error: str | None = None
    """The class of the exception that ends the job."""
    per_pass: int | None = None
    """Samples that one rank gets in one pass, if not an equal share of the data set."""
    needs: tuple[str, ...] = ()
    """Packages without which this version cannot be run."""


class RuntimeCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to run a fixture, and what its versions do."""

    script: str
    mended: Claims
    faulty: Claims | None = None
    function: str = "main"
    """Called with a list for the sample ids; if it is a list itself, the module fills it on import."""
    arguments: dict[str, Any] = {}
    needs: tuple[str, ...] = ()
    """Packages without which no version can be run."""
    fixable: bool = False
    """Whether ``lint-epoch fix --unsafe-fixes`` makes the faulty version do what the mended one does."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the tool reports for each version of a fixture."""

    note: str
    faulty: list[Place] = []
    mended: list[Place] = []
    forwarded_only: list[Place] = []
    runtime: list[RuntimeCase] = []


def fixture_names() -> list[str]:
    """The names of all fixtures, sorted."""
    return sorted(path.parent.name for path in FIXTURES.glob("*/expected.json"))


def expected_of(name: str) -> Expected:
    """Read what is expected of a fixture."""
    return msgspec.json.decode((FIXTURES / name / "expected.json").read_bytes(), type=Expected)
