"""A change of the findings is shown, and what was said of those that stay is kept."""

from __future__ import annotations

from .findings import Known, difference, with_judgements

OLD = (
    Known("a.py:1:1", "LEP101", "first", "right", "It is."),
    Known("b.py:2:1", "LEP201", "second", "false", "It is not."),
)


def test_what_is_gone_is_shown_with_its_judgement_and_what_is_new_without() -> None:
    new = (Known("a.py:1:1", "LEP101", "first"), Known("c.py:3:1", "LEP301", "third"))
    assert difference(OLD, new) == [
        "- b.py:2:1 LEP201 second",
        "    was judged false: It is not.",
        "+ c.py:3:1 LEP301 third",
    ]


def test_the_same_findings_show_no_difference() -> None:
    assert difference(OLD, tuple(Known(one.place, one.code, one.message) for one in OLD)) == []


def test_a_judgement_stays_when_only_the_message_changes() -> None:
    new = (Known("a.py:1:1", "LEP101", "said better"), Known("c.py:3:1", "LEP301", "third"))
    kept = with_judgements(OLD, new)
    assert (kept[0].message, kept[0].judged, kept[0].why) == ("said better", "right", "It is.")
    assert kept[1].judged == ""
