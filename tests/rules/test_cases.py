"""Every rule's own examples: what it reports in the faulty ones, and that nothing is said of the correct ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.rules import all_rules
from lint_epoch.rules.base import Case, Rule

ALL = [(rule, case) for rule in all_rules() for case in rule.cases]


@pytest.mark.parametrize(("rule", "case"), ALL, ids=[f"{rule.code}-{case.name}" for rule, case in ALL])
def test_a_case_is_reported_as_it_says(rule: Rule, case: Case, tmp_path: Path) -> None:
    for name, text in case.files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    report = lint_epoch.check([tmp_path])

    assert report.errors == ()
    found = [(Path(f.path).relative_to(tmp_path.resolve()).as_posix(), f.line, f.code) for f in report.findings]
    if case.lines:
        assert sorted((path, line) for path, line, code in found if code == rule.code) == sorted(case.lines)
    else:
        assert found == []


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_each_rule_has_faulty_and_correct_cases(rule: Rule) -> None:
    assert any(case.lines for case in rule.cases)
    assert any(not case.lines for case in rule.cases)
