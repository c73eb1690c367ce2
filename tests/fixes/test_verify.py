"""Every way in which a fix could do damage is found before anything is written."""

from __future__ import annotations

import pytest

from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.spans import Edit, apply
from lint_epoch.fixes.verify import verify

TEXT = "def f(a):\n    if a:\n        x = 1\n        y = 2\n    return a * 3\n"


def check(opened, content, *edits, after=None):
    """Verify the text with the edits made, or another text that is said to be that."""
    file = opened(content)
    made, left = apply(file.source.text, edits)
    assert left == []
    return verify(file.source, file.tree, edits, made if after is None else after)


def edit(old: str, new: str, text: str = TEXT) -> Edit:
    start = text.index(old)
    return Edit(start, start + len(old), new)


def inserted(before: str, new: str, text: str = TEXT) -> Edit:
    return Edit(text.index(before), text.index(before), new)


def test_inserted_statements_are_right_wherever_they_stand(opened):
    edits = [
        inserted("def", "import z\n\n\n"),
        inserted("        y", "        for i in a:\n            z(i)\n"),
        inserted("    return", "    z()\n"),
        Edit(len(TEXT), len(TEXT), "\n\nclass Z:\n    pass\n"),
    ]
    assert check(opened, TEXT, *edits) == apply(TEXT, edits)[0].encode()


def test_a_text_without_edits_is_right(opened):
    assert check(opened, TEXT) == TEXT.encode()


def test_code_outside_the_edits_may_not_change(opened):
    with pytest.raises(FixError, match="bytes outside its own lines"):
        check(
            opened,
            TEXT,
            inserted("    return", "    z()\n"),
            after=TEXT.replace("    return a * 3", "    z()\n    return a * 4"),
        )


@pytest.mark.parametrize("after", [TEXT + "\n", TEXT[:-1], TEXT.replace("x = 1", "x = 1 "), "\ufeff" + TEXT])
def test_not_even_white_space_outside_the_edits_may_change(opened, after):
    with pytest.raises(FixError, match="bytes outside its own lines"):
        check(opened, TEXT, after=after)


def test_an_invalid_result_is_refused(opened):
    with pytest.raises(FixError, match="would have made the file invalid"):
        check(opened, TEXT, inserted("        y", "        for\n"))


def test_what_only_libcst_accepts_is_refused_if_python_read_the_file_before(opened):
    with pytest.raises(FixError, match="invalid for this Python"):
        check(opened, TEXT, inserted("        y", "        lazy import z\n"))  # of Python 3.15


def test_an_inserted_head_may_not_swallow_what_follows(opened):
    with pytest.raises(FixError, match="meaning of code that it does not touch"):
        check(opened, TEXT, inserted("        y", "        for i in a:\n    "))


def test_an_insertion_may_not_move_statements_to_another_block(opened):
    with pytest.raises(FixError, match="meaning of code that it does not touch"):
        check(opened, TEXT, inserted("        y", "    z()\n    if b:\n"))


def test_an_insertion_may_not_join_an_expression(opened):
    with pytest.raises(FixError, match="meaning of code that it does not touch"):
        check(opened, TEXT, inserted("a * 3", "z + "))


def test_a_replaced_expression_may_not_take_its_neighbours_along(opened):
    assert check(opened, TEXT, edit("a * 3", "b + c")) == TEXT.replace("a * 3", "b + c").encode()
    with pytest.raises(FixError, match="meaning of code that it does not touch"):
        check(opened, TEXT, Edit(TEXT.index("a * 3"), TEXT.index(" * 3"), "b + c"))


def test_a_statement_may_move_but_not_get_lost(opened):
    away = edit("        x = 1\n", "")
    moved = inserted("    if a", "    x = 1\n")
    assert check(opened, TEXT, moved, away) == b"def f(a):\n    x = 1\n    if a:\n        y = 2\n    return a * 3\n"
    with pytest.raises(FixError, match="lost a statement"):
        check(opened, TEXT, away)
    with pytest.raises(FixError, match="lost a statement"):
        check(opened, TEXT, inserted("    if a", "    x = 2\n"), away)


def test_a_block_may_be_emptied_if_its_statement_moves(opened):
    content = "if a:\n    x = 1\ny = 2\n"
    edits = [inserted("if a", "x = 1\n", content), edit("    x = 1", "    pass", content)]
    assert check(opened, content, *edits) == b"x = 1\nif a:\n    pass\ny = 2\n"
    with pytest.raises(FixError, match="lost a statement"):
        check(opened, content, edits[1])


def test_an_encoding_that_has_no_place_for_the_new_text_is_refused(opened):
    content = "# coding: latin-1\n# é\nx = 1\n".encode("latin-1")
    text = content.decode("latin-1")
    assert check(opened, content, inserted("x", "y = 'ö'\n", text)) == content.replace(b"x", b"y = '\xf6'\nx")
    with pytest.raises(FixError, match="cannot be written in the file's encoding"):
        check(opened, content, inserted("x", "y = '€'\n", text))


def test_bytes_that_their_own_encoding_would_write_differently_are_refused(opened):
    # In ISO-2022-JP a superfluous change of character set is valid and has no character of its own.
    content = b"# coding: iso-2022-jp\nx = '\x1b$B$\"\x1b(B\x1b(B'\n"
    with pytest.raises(FixError, match="what its own encoding makes of its text"):
        check(opened, content, Edit(0, 0, ""))


def test_an_encoding_with_states_is_right_if_nothing_else_changes(opened):
    content = b"# coding: iso-2022-jp\nx = '\x1b$B$\"\x1b(B'\ny = 1\n"
    text = content.decode("iso-2022-jp")
    assert check(opened, content, inserted("y", "z = 2\n", text)) == content.replace(b"y", b"z = 2\ny")


@pytest.mark.parametrize("content", ["x = 1\n", "\fx = 1\r\ny = '''\r\n'''\r", "try: x\nexcept A : y\n"])
def test_a_byte_order_mark_and_what_libcst_loses_are_no_change(opened, content):
    data = b"\xef\xbb\xbf" + content.encode()
    assert check(opened, data, inserted("x", "", content)) == data


def test_syntax_that_this_python_does_not_read_is_checked_all_the_same(opened):
    content = "lazy import a\nif a:\n    x\n    y\n"  # of Python 3.15
    assert (
        check(opened, content, inserted("    y", "    z\n", content)) == b"lazy import a\nif a:\n    x\n    z\n    y\n"
    )
    with pytest.raises(FixError, match="meaning of code that it does not touch"):
        check(opened, content, inserted("    y", "z\nif b:\n", content))
    with pytest.raises(FixError, match="would have made the file invalid"):
        check(opened, content, inserted("    y", "    for\n", content))


def test_a_result_nested_too_deeply_is_refused(opened):
    content = "lazy import a\nx\n"
    with pytest.raises(FixError, match="would have made the file invalid"):
        check(opened, content, Edit(len(content), len(content), "[" * 3_000 + "]" * 3_000 + "\n"))
