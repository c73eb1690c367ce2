"""Edits and offsets."""

from __future__ import annotations

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st
from libcst.metadata import MetadataWrapper, PositionProvider

from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.spans import Edit, Offsets, apply, split_lines


def test_edits_are_made_wherever_the_others_are():
    edits = [Edit(6, 7, "SIX"), Edit(0, 1, ""), Edit(3, 3, "+")]
    assert apply("0123456789", edits) == ("12+345SIX789", [])


def test_the_later_of_two_overlapping_edits_is_deferred():
    first, inside, across, behind = Edit(2, 6, "a"), Edit(4, 4, "b"), Edit(5, 8, "c"), Edit(6, 8, "d")
    assert apply("0123456789", [first, inside, across, behind]) == ("01ad89", [inside, across])
    assert apply("0123456789", [across, first, behind]) == ("01234c89", [first, behind])


def test_insertions_at_one_place_keep_their_order():
    assert apply("ab", [Edit(1, 1, "1"), Edit(1, 1, "2"), Edit(1, 1, "1")]) == ("a121b", [])


def test_insertions_beside_a_replaced_span_stay_on_their_side():
    edits = [Edit(1, 3, "x"), Edit(3, 3, ">"), Edit(1, 1, "<")]
    assert apply("abcd", edits) == ("a<x>d", [])


def test_the_same_replacement_is_made_once():
    assert apply("abcd", [Edit(1, 2, "xyz"), Edit(1, 2, "xyz")]) == ("axyzcd", [])


def test_two_replacements_of_one_span_cannot_both_be_made():
    assert apply("abcd", [Edit(1, 2, "x"), Edit(1, 2, "y")]) == ("axcd", [Edit(1, 2, "y")])


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(max_size=3))))
def test_what_no_edit_names_stays_in_its_order(text, wanted):
    edits = [Edit(min(start, len(text)), min(start + size, len(text)), new) for start, size, new in wanted]
    result, deferred = apply(text, edits)
    made = [edit for edit in edits if edit not in deferred]
    touched = {place for edit in made for place in range(edit.start, edit.end)}
    kept = [character for place, character in enumerate(text) if place not in touched]
    remaining = iter(result)
    assert all(character in remaining for character in kept)
    assert len(result) <= len(kept) + sum(len(edit.text) for edit in made)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n\r\n\rb", ["a\n", "\r\n", "\r", "b"]),
        ("a\fb\x1cc\u2028d\x85e\n", ["a\fb\x1cc\u2028d\x85e\n"]),
    ],
)
def test_lines_end_where_python_ends_them(text, lines):
    assert split_lines(text) == lines


@pytest.mark.parametrize(
    "text",
    [
        "é = 'é😀'; name\r\nx = 1\rname\n\n\f\nif a:\n\tname",
        "\fname\n",
        "\f  # only a comment\n\fname = 1\n",
        "try: pass\nexcept name : name\n",
        "f'{name!s  }' + name\n",
        "s = '''\r\n\r'''\rname\r",
        "name\r\r\r",
    ],
)
def test_a_position_leads_to_its_node_although_libcst_loses_characters(text):
    tree = cst.parse_module(text)
    offsets = Offsets(text, tree.code)
    ranges = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(PositionProvider)
    names = [node for node in ranges if isinstance(node, cst.Name) and node.value == "name"]
    assert len(names) == text.count("name")
    for node in names:
        start, end = ranges[node].start, ranges[node].end
        assert text[offsets.start(start.line, start.column) : offsets.end(end.line, end.column)] == "name"


def test_a_place_between_two_losses_of_one_line_is_refused():
    offsets = Offsets("x :y :\nz\n", "x:y:\nz\n")
    assert offsets.start(2, 0) == 7
    assert offsets.start(1, 0) == 0
    with pytest.raises(FixError, match="line 1"):
        offsets.start(1, 2)


def test_a_text_that_lost_lines_is_refused():
    with pytest.raises(FixError, match="lines of this file"):
        Offsets("a\nb\n", "a\n")
    assert Offsets("a\r\r", "a\r").start(2, 0) == 2
