from __future__ import annotations

import pytest

import lint_epoch
from lint_epoch.report.crash import bug_report, summary


@pytest.fixture
def error() -> Exception:
    try:
        lint_epoch.__getattr__("no\x1bsense")
    except AttributeError as raised:
        return raised
    raise AssertionError


def test_the_report_has_what_a_maintainer_asks_for(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LINT_EPOCH_DEBUG", raising=False)
    text = bug_report(error, ["check", "a b.py"])
    assert text.startswith("lint-epoch: internal error: AttributeError: module 'lint_epoch' has no attribute")
    assert "  command: lint-epoch check 'a b.py'\n" in text
    assert f"lint-epoch {lint_epoch.__version__}, libcst 1." in text
    assert "  called: __getattr__ at lint_epoch/__init__.py:" in text
    assert "Traceback" not in text
    assert text.endswith("Set LINT_EPOCH_DEBUG=1 to see the traceback.\n")


def test_the_traceback_is_shown_on_demand(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINT_EPOCH_DEBUG", "1")
    assert "Traceback (most recent call last)" in bug_report(error, [])


def test_the_summary_is_one_harmless_line(error: Exception) -> None:
    assert summary(ValueError("two\nlines \x1b")) == r"ValueError: two\x0alines \x1b"
    assert summary(KeyboardInterrupt()) == "KeyboardInterrupt"
