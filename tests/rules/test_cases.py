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
def test_each_rule_has_three_faulty_and_three_correct_cases(rule: Rule) -> None:
    faulty = [case for case in rule.cases if case.lines]
    assert len(faulty) >= 3
    assert len(rule.cases) - len(faulty) >= 3


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_the_names_of_a_rules_cases_differ(rule: Rule) -> None:
    assert len({case.name for case in rule.cases}) == len(rule.cases)


@pytest.mark.parametrize(("rule", "case"), ALL, ids=[f"{rule.code}-{case.name}" for rule, case in ALL])
def test_a_cases_files_are_python(rule: Rule, case: Case) -> None:
    for name, text in case.files.items():
        compile(text, name, "exec", dont_inherit=True)
