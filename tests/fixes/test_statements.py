"""Statements and expressions: inserted, moved, replaced."""

from __future__ import annotations

import pytest

from lint_epoch.fixes.errors import FixError
from lint_epoch.repairs import (
    InsertAtTop,
    InsertStatement,
    MoveBefore,
    ReplaceExpression,
    ReplaceStatement,
    Together,
)

CALL = "sampler.set_epoch(epoch)"


def insert(opened, content, before, text=CALL):
    file = opened(content)
    return file.mend(InsertStatement(file.path, file.statement_at(before), text))


def at_top(opened, content, loop, *lines, rename=None):
    file = opened(content)
    return file.mend(InsertAtTop(file.path, file.statement_at(loop), lines or (CALL,), rename))


def move(opened, content, moved, before):
    file = opened(content)
    return file.mend(MoveBefore(file.path, file.statement_at(moved), file.statement_at(before)))


def replace(opened, content, old, new):
    file = opened(content)
    return file.mend(ReplaceExpression(file.path, file.expression_at(old), new))


# --- InsertStatement -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "mended"),
    [
        ("for e in r:\n  x = 1\n  goal()\n", f"for e in r:\n  x = 1\n  {CALL}\n  goal()\n"),
        ("for e in r:\r\n\tgoal()", f"for e in r:\r\n\t{CALL}\r\n\tgoal()"),
        ("for e in r: goal()", f"for e in r:\n    {CALL}\n    goal()"),
        (
            "def f():\n\tfor e in r: x = 1 ; goal()  # c\r",
            f"def f():\n\tfor e in r:\r\t\tx = 1\r\t\t{CALL}\r\t\tgoal()  # c\r",
        ),
        ("x = 1; goal()\n", f"x = 1\n{CALL}\ngoal()\n"),
        ("if a:\n    x\nelse: goal()\n", f"if a:\n    x\nelse:\n    {CALL}\n    goal()\n"),
        ("try: x\nexcept E: goal()\nfinally: y\n", f"try: x\nexcept E:\n    {CALL}\n    goal()\nfinally: y\n"),
        ("try: x\nfinally: goal()\n", f"try: x\nfinally:\n    {CALL}\n    goal()\n"),
        ("try: x\nexcept* E: goal()\n", f"try: x\nexcept* E:\n    {CALL}\n    goal()\n"),
        ("match a:\n  case 1: goal()\n", f"match a:\n  case 1:\n    {CALL}\n    goal()\n"),
        ("with a: goal()\n", f"with a:\n    {CALL}\n    goal()\n"),
        ("while a:goal()\n", f"while a:\n    {CALL}\n    goal()\n"),
        ("x = (1,\n  2); goal()\n", f"x = (1,\n  2)\n{CALL}\ngoal()\n"),
    ],
)
def test_a_statement_comes_in_front_of_another_wherever_that_stands(opened, content, mended):
    assert insert(opened, content, "goal()") == mended


def test_a_statement_comes_above_the_comments_of_the_one_it_precedes(opened):
    content = "def f():\n    x = 1\n    # about x\n\n    # about the goal,\n    # in two lines\n    goal()\n"
    assert insert(opened, content, "goal()") == content.replace(
        "    # about the goal", f"    {CALL}\n    # about the goal"
    )


def test_a_comment_at_another_level_is_not_the_statement_s(opened):
    content = "if a:\n    x\n    # of x\ngoal()\n"
    assert insert(opened, content, "goal()") == f"if a:\n    x\n    # of x\n{CALL}\ngoal()\n"


def test_the_comments_that_start_the_file_stay_first(opened):
    content = "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\ngoal()\n"
    assert insert(opened, content, "goal()") == f"#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n{CALL}\ngoal()\n"


def test_a_statement_comes_above_the_decorators_of_a_function(opened):
    content = "x = 1\n# decorated\n@a\n# why\n@b\ndef goal(): ...\n"
    assert insert(opened, content, "@a") == f"x = 1\n{CALL}\n# decorated\n@a\n# why\n@b\ndef goal(): ...\n"


def test_a_form_feed_is_no_indentation(opened):
    content = "class A:\n    x = 1\n\f    goal()\n\f\fy = 1\n"
    assert insert(opened, content, "goal()") == f"class A:\n    x = 1\n    {CALL}\n\f    goal()\n\f\fy = 1\n"


def test_a_statement_of_two_lines_is_indented_as_the_file_is(opened):
    content = "def f():\n  goal()\n"
    assert insert(opened, content, "goal()", "if a:\n    b()") == "def f():\n  if a:\n    b()\n  goal()\n"


@pytest.mark.parametrize(
    "content", [f"if a:\n    {CALL}\n    goal()\n", f"{CALL}; goal()\n", f"if a: {CALL}; goal()\n"]
)
def test_a_statement_that_is_there_is_not_inserted_again(opened, content):
    assert insert(opened, content, "goal()") == content


def test_the_goal_may_be_named_by_an_expression_in_it(opened):
    file = opened("for batch in loader:\n    pass\n")
    mended = file.mend(InsertStatement(file.path, file.expression_at("loader"), CALL))
    assert mended == f"{CALL}\nfor batch in loader:\n    pass\n"


def test_nothing_is_inserted_in_front_of_an_elif(opened):
    content = "if a:\n    x\nelif goal():\n    y\n"
    assert insert(opened, content, "elif goal()") == content


def test_text_that_is_no_statement_is_an_error(opened):
    with pytest.raises(FixError, match="not valid Python"):
        insert(opened, "goal()\n", "goal()", "set_epoch(")


# --- InsertAtTop -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "mended"),
    [
        ("for e in r:\n    x\n", f"for e in r:\n    {CALL}\n    x\n"),
        ("for e in r:  # c\n\n    # about x\n    x\n", f"for e in r:  # c\n    {CALL}\n\n    # about x\n    x\n"),
        ("for e in r:\r\n  # c\r\n  x", f"for e in r:\r\n  {CALL}\r\n  # c\r\n  x"),
        ("for e in (\n    # c\n    1,\n): x; y\n", f"for e in (\n    # c\n    1,\n):\n    {CALL}\n    x; y\n"),
        ("for e in (\n    1,\n    # c\n):\n    x\n", f"for e in (\n    1,\n    # c\n):\n    {CALL}\n    x\n"),
        ("for e in a: pass\n", f"for e in a:\n    {CALL}\n    pass\n"),
    ],
)
def test_lines_come_right_below_the_head_of_the_loop(opened, content, mended):
    assert at_top(opened, content, "for") == mended


def test_lines_come_first_in_an_endless_loop(opened):
    assert at_top(opened, "while True:\n\tx\n", "while", CALL, "epoch += 1") == (
        f"while True:\n\t{CALL}\n\tepoch += 1\n\tx\n"
    )


@pytest.mark.parametrize("body", [f"\n    {CALL}\n    x\n", f" {CALL}; x\n"])
def test_lines_that_are_there_are_not_inserted_again(opened, body):
    content = f"for e in r:{body}"
    assert at_top(opened, content, "for") == content


def test_a_loop_without_a_usable_variable_gets_one(opened):
    content = "def train(n, epochs):\n    for _ in range(n):\n        run(epoch=1, x=a.epoch)\n"
    assert at_top(opened, content, "for", rename="epoch") == (
        f"def train(n, epochs):\n    for epoch in range(n):\n        {CALL}\n        run(epoch=1, x=a.epoch)\n"
    )


def test_a_loop_that_has_the_variable_keeps_it(opened):
    assert at_top(opened, "for epoch in r: x\n", "for", rename="epoch") == f"for epoch in r:\n    {CALL}\n    x\n"


@pytest.mark.parametrize(
    "content",
    [
        "for _ in r:\n    print(_)\n",  # the old name is used
        "def f(epoch):\n    for _ in r:\n        x\n    return epoch\n",  # the new one is taken
        "for a, b in r:\n    x\n",  # there is no single old name
        "while True:\n    x\n",  # nor any at all
    ],
)
def test_a_loop_whose_variable_cannot_be_renamed_is_left_alone(opened, content):
    assert at_top(opened, content, "while" if content.startswith("while") else "for", rename="epoch") == content


def test_a_repair_for_a_loop_must_name_one(opened):
    with pytest.raises(FixError, match="for a loop names a Expr"):
        at_top(opened, "x()\n", "x()")


# --- MoveBefore ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "mended"),
    [
        (  # out of a loop, to its level
            "def f():\n    for b in r:\n        moved(1)\n        x\n",
            "def f():\n    moved(1)\n    for b in r:\n        x\n",
        ),
        (  # upwards within a block, with its comments
            "for b in r:\n    x\n    y  # of y\n    # of moved\n    moved()  # too\n    z\n",
            "# of moved\nmoved()  # too\nfor b in r:\n    x\n    y  # of y\n    z\n",
        ),
        ("for b in r: moved()\n", "moved()\nfor b in r: pass\n"),
        ("for b in r: moved(); x\n", "moved()\nfor b in r: x\n"),
        ("for b in r: x; moved()  # c\n", "moved()\nfor b in r: x  # c\n"),
        ("for b in r:\n\tx; moved(); y\r\n", "moved()\r\nfor b in r:\n\tx; y\r\n".replace("moved()\r\n", "moved()\n")),
        ("for b in r:\n    moved(\n        1,\n    )\n    x\n", "moved(\n    1,\n)\nfor b in r:\n    x\n"),
        ("for b in r:\n    moved()\n", "moved()\nfor b in r:\n    pass\n"),
        ("for b in r:\n    # of it\n    moved()", "# of it\nmoved()\nfor b in r:\n    pass"),
        ("for b in r:\n    x\n    moved()", "moved()\nfor b in r:\n    x"),
        ("for b in r:\r  x\r  moved()\r", "moved()\rfor b in r:\r  x\r"),
    ],
)
def test_a_statement_moves_with_its_comments(opened, content, mended):
    assert move(opened, content, "moved", "for") == mended


def test_a_statement_moves_into_a_deeper_block(opened):
    content = "moved(1,\n      2)\nfor e in r:\n    x\n    goal()\n"
    assert move(opened, content, "moved", "goal") == "for e in r:\n    x\n    moved(1,\n          2)\n    goal()\n"


def test_a_compound_statement_moves_whole(opened):
    content = "for b in r:\n    if moved:\n        x\n    else:\n        y\n    z\n"
    assert move(opened, content, "if moved", "for") == ("if moved:\n    x\nelse:\n    y\nfor b in r:\n    z\n")


@pytest.mark.parametrize(
    "test",
    [
        "rank == 0",
        "dist.get_rank() == 0",
        "not self.is_main",
        "is_main_process() and hasattr(s, 'x')",
        "rank in (-1, 0)",
    ],
)
@pytest.mark.parametrize("body", ["\n        # set it\n        moved()  # now\n", " moved()\n"])
def test_a_condition_that_has_nothing_left_to_do_goes(opened, test, body):
    content = f"for e in r:\n    if {test}:{body}    x\n"
    moved = "    # set it\n    moved()  # now\n" if "#" in body else "    moved()\n"
    assert move(opened, content, "moved", "if") == f"for e in r:\n{moved}    x\n"


def test_a_condition_at_the_end_of_a_file_without_a_newline_goes(opened):
    assert move(opened, "x\nif rank == 0:\n    moved()", "moved", "x") == "moved()\nx"


@pytest.mark.parametrize(
    ("content", "mended"),
    [
        ("if rank == 0:\n    moved()\nelse:\n    x\n", "moved()\nif rank == 0:\n    pass\nelse:\n    x\n"),
        ("if ready(1):\n    moved()\n", "moved()\nif ready(1):\n    pass\n"),
        ("if (n := 1):\n    moved()\n", "moved()\nif (n := 1):\n    pass\n"),
        ("if rank == 0:  # main\n    moved()\n", "moved()\nif rank == 0:  # main\n    pass\n"),
        ("if rank == 0: moved()  # main\n", "moved()\nif rank == 0: pass  # main\n"),
        ("if a: x\nelif b:\n    moved()\n", "moved()\nif a: x\nelif b:\n    pass\n"),
        ("if a:\n    while b:\n        moved()\n", "moved()\nif a:\n    while b:\n        pass\n"),
    ],
)
def test_a_block_that_must_stay_gets_pass(opened, content, mended):
    assert move(opened, content, "moved", "if") == mended


@pytest.mark.parametrize(
    ("content", "moved", "before"),
    [
        ("moved()\nfor b in r: x\n", "moved", "for"),  # it is there
        ("for b in r: moved()\n", "for", "moved"),  # into itself
        ("for b in r: moved()\n", "moved", "moved"),
        ("for b in r:\n    moved('''\n    x''')\n    x\n", "moved", "for"),  # its white space means something
        ("for b in r:\n    moved(f'''\n    {x}''')\n    x\n", "moved", "for"),
        ("if a: x\nelif b: goal()\nmoved()\n", "moved", "elif"),
        ("x\nif a: x\nelif moved: y\n", "elif", "x"),
    ],
)
def test_a_statement_that_cannot_move_stays(opened, content, moved, before):
    assert move(opened, content, moved, before) == content


# --- ReplaceExpression -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "new", "mended"),
    [
        ("x.set_epoch(old)  # c\n", "epoch", "x.set_epoch(epoch)  # c\n"),
        ("x.set_epoch(( old ))\r\n", "epoch + 1", "x.set_epoch(( epoch + 1 ))\r\n"),
        ("x.set_epoch(old)\n", "epoch + 1", "x.set_epoch(epoch + 1)\n"),
        ("x.set_epoch(2 * old)\n", "epoch + 1", "x.set_epoch(2 * (epoch + 1))\n"),
        ("x.set_epoch(2 * old)\n", "loader.sampler", "x.set_epoch(2 * loader.sampler)\n"),
        ("y = old\n", "a if b else c", "y = a if b else c\n"),
        ("f(old)\n", "a, b", "f((a, b))\n"),
        ("old.set_epoch(1)\n", "self.loader.batch_sampler.sampler", "self.loader.batch_sampler.sampler.set_epoch(1)\n"),
        ("é = '😀'; f(old)\n", "new", "é = '😀'; f(new)\n"),
        ("if hasattr(old, 'x'): pass\n", "a['b']", "if hasattr(a['b'], 'x'): pass\n"),
    ],
)
def test_an_expression_takes_the_place_of_another_with_parentheses_where_it_needs_them(opened, content, new, mended):
    assert replace(opened, content, "old", new) == mended


def test_an_expression_of_several_lines_is_replaced_whole(opened):
    content = "f(\n  old(1,\n      2),  # c\n  3)\n"
    assert replace(opened, content, "old(1,\n      2)", "new") == "f(\n  new,  # c\n  3)\n"


def test_no_comment_is_lost_with_what_is_replaced(opened):
    with pytest.raises(FixError, match="a comment inside of what is replaced would be lost"):
        replace(opened, "f(\n  old(1,  # c\n      2),\n  3)\n", "old(1,  # c\n      2)", "new")


# --- ReplaceStatement ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "mended"),
    [
        ("for e in r:\n  old()  # c\n", "for e in r:\n  if a:\n    new()  # c\n"),
        ("if b:\r\n\told()\r\n", "if b:\r\n\tif a:\r\n\t\tnew()\r\n"),
        ("old(\n  1,\n)\nx = 1", "if a:\n    new()\nx = 1"),
    ],
)
def test_lines_take_the_place_of_a_statement(opened, content, mended):
    file = opened(content)
    repair = ReplaceStatement(file.path, file.statement_at("old("), ("if a:", "    new()"))
    assert file.mend(repair) == mended


@pytest.mark.parametrize("content", ["x = 1; old()\n", "if b: old()\n"])
def test_a_statement_that_shares_its_line_is_not_replaced_by_lines(opened, content):
    file = opened(content)
    assert file.mend(ReplaceStatement(file.path, file.statement_at("old("), ("if a:", "    new()"))) == content


# --- Together --------------------------------------------------------------------------------------------------------


def test_changes_are_made_together(opened):
    content = "for _ in range(3):\n    sampler.set_epoch(0)\n"
    file = opened(content)
    named = InsertAtTop(file.path, file.statement_at("for"), (), "epoch")
    replaced = ReplaceExpression(file.path, file.expression_at("0"), "epoch")
    assert file.mend(Together(file.path, (named, replaced))) == content.replace("_ in", "epoch in").replace(
        "0", "epoch"
    )


def test_none_is_made_where_one_cannot_be(opened):
    content = "for _ in range(3):\n    sampler.set_epoch(0)\n    print(_)\n"
    file = opened(content)
    named = InsertAtTop(file.path, file.statement_at("for"), (), "epoch")
    replaced = ReplaceExpression(file.path, file.expression_at("0"), "epoch")
    assert file.mend(Together(file.path, (named, replaced))) == content


def test_a_variable_that_is_only_bound_again_may_be_renamed(opened):
    content = "for _ in range(3):\n    for _, x in y: pass\n    a, *_ = [_ for _ in y if x]\n"
    assert at_top(opened, content, "for _ in range", rename="epoch") == content
    content = "for _ in range(3):\n    for _, x in y: pass\n    a, *_ = y\n"
    mended = content.replace("for _ in range(3):\n", f"for epoch in range(3):\n    {CALL}\n")
    assert at_top(opened, content, "for _ in range", rename="epoch") == mended


def test_words_have_the_quotes_that_most_strings_of_the_file_have(opened):
    line = 'if hasattr(a, "b"): c("d e")'
    assert insert(opened, "x = 'y'\ngoal()\n", "goal()", line) == "x = 'y'\nif hasattr(a, 'b'): c(\"d e\")\ngoal()\n"
    assert insert(opened, "x = 'y', \"z\"\ngoal()\n", "goal()", line) == f"x = 'y', \"z\"\n{line}\ngoal()\n"


def test_an_expression_that_is_there_is_not_replaced(opened):
    assert replace(opened, "f(old)\n", "old", "old") == "f(old)\n"


def test_a_repair_for_an_expression_must_name_one_and_bring_one(opened):
    file = opened("f(old)\n")
    with pytest.raises(FixError, match="for an expression names a Expr"):
        file.mend(ReplaceExpression(file.path, file.statement_at("f"), "x"))
    with pytest.raises(FixError, match="no expression"):
        file.mend(ReplaceExpression(file.path, file.expression_at("old"), "x = 1"))
    with pytest.raises(FixError, match="outside every statement"):
        file.mend(InsertStatement(file.path, 0, "x"))
