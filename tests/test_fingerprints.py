from __future__ import annotations

import msgspec

from lint_epoch.diagnostics import Finding
from lint_epoch.fingerprints import fingerprints, identity

CODE = """\
class Loader:
    def __iter__(self):
        while True:
            yield from self._loader

    def again(self):
        while True:
            yield from self._loader
"""


def finding_at(line: int) -> Finding:
    return Finding(
        code="LEP104",
        name="wrapper-replays-epoch",
        message=f"the sampler at data.py:{line + 70}",
        path="/job/data.py",
        line=line,
        column=9,
        end_line=line,
        end_column=20,
        confidence="proved",
        consequence="same order every epoch",
    )


def marks_of(code: str, *numbers: int, base: str = "/job") -> tuple[str, ...]:
    return fingerprints([finding_at(number) for number in numbers], base, lambda _: code.splitlines())


def test_lines_above_and_another_indentation_width_change_nothing() -> None:
    moved = "import torch\n\n\n" + CODE.replace("    ", "\t")
    assert marks_of(moved, 6, 10) == marks_of(CODE, 3, 7)


def test_the_scope_tells_lines_that_read_the_same_apart() -> None:
    lines = CODE.splitlines()
    assert identity(finding_at(3), "/job", lines) == ("LEP104", "data.py", "Loader.__iter__", "while True:")
    assert identity(finding_at(7), "/job", lines)[2] == "Loader.again"
    assert identity(finding_at(1), "/job", lines)[2:] == ("", "class Loader:")


def test_findings_on_lines_that_read_the_same_in_one_scope_are_told_apart() -> None:
    code = "for epoch in epochs:\n    pass\nfor epoch in epochs:\n    pass\n"
    first, second = marks_of(code, 1, 3)
    assert first != second
    assert marks_of("\n" + code, 2, 4) == (first, second)


def test_another_rule_and_another_file_are_other_findings() -> None:
    one = finding_at(3)
    others = [msgspec.structs.replace(one, code="LEP101"), msgspec.structs.replace(one, path="/job/other.py")]
    assert len(set(fingerprints([one, *others], "/job", lambda _: CODE.splitlines()))) == 3


def test_the_folder_of_the_checkout_does_not_count() -> None:
    elsewhere = msgspec.structs.replace(finding_at(3), path="/home/me/job/data.py")
    assert fingerprints([elsewhere], "/home/me/job", lambda _: CODE.splitlines()) == marks_of(CODE, 3)


def test_a_file_that_is_gone_and_a_name_that_is_no_utf_8_still_have_one() -> None:
    odd = msgspec.structs.replace(finding_at(3), path="/job/\udcff.py")
    assert len(set(fingerprints([finding_at(3), odd], "/job", lambda _: []))) == 2
