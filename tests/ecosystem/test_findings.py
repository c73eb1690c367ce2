"""Public packages, pinned: the tool finds in them what it found before, and each finding has been read by somebody."""

from __future__ import annotations

import pytest

from ..packages import Pin, UnavailableError, pins
from .findings import difference, found_in, recorded

#: Those whose check takes a few seconds; the others are run with ``-m ecosystem``.
QUICK = ("timm", "open_clip_torch", "webdataset", "accelerate")


def packages() -> list[object]:
    """The packages of the record, the slow ones marked."""
    return [
        pytest.param(pins()[shown], id=shown, marks=() if shown.startswith(QUICK) else pytest.mark.ecosystem)
        for shown in recorded()
    ]


@pytest.mark.parametrize("pin", packages())
def test_the_tool_finds_in_a_package_what_it_found_before(pin: Pin) -> None:
    try:
        found = found_in(pin)
    except UnavailableError as error:
        pytest.skip(str(error))
    changed = difference(recorded()[pin.shown], found)
    assert not changed, "\n".join(
        [
            f"the findings in {pin.shown} have changed (- recorded, + found now):",
            *changed,
            f"Read them in the package's source. `python -m tests.ecosystem {pin.name}` brings the record up to date.",
        ]
    )


def test_each_recorded_finding_has_been_read_and_judged() -> None:
    waiting = [
        f"{shown}: {one.place} {one.code}"
        for shown, known in recorded().items()
        for one in known
        if not one.judged or not one.why.endswith(".")
    ]
    assert waiting == []
