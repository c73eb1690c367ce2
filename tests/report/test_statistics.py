from __future__ import annotations

from lint_epoch.diagnostics import Verdict
from lint_epoch.report.statistics import MOST_REASONS, render
from lint_epoch.report.view import View

VIEW = View(folder="/job")


def test_rules_by_frequency_then_verdicts_then_reasons(guard, wrapper, report_of) -> None:
    verdicts = (
        Verdict("/job/a.py", 1, "right", "sampler.set_epoch at a.py:2"),
        Verdict("/job/a.py", 5, "unknown", "loader is a parameter"),
        Verdict("/job/b.py", 7, "unknown", "loader is a parameter"),
        Verdict("/job/c.py", 9, "unknown", "a decorator is not known"),
        Verdict("/job/d.py", 2, "faulty", "never set"),
    )
    assert render(report_of(guard, wrapper, guard, verdicts=verdicts), VIEW) == (
        "findings  fixable  rule\n"
        "       2        0  LEP201 dead-set-epoch-guard\n"
        "       1        1  LEP101 wrapper-drops-set-epoch\n"
        "       3        1  in all\n"
        "\n"
        "   loops  on an epoch path\n"
        "       1  right\n"
        "       1  faulty\n"
        "       3  unknown\n"
        "\n"
        " unknown  because\n"
        "       2  loader is a parameter, as at a.py:5\n"
        "       1  a decorator is not known, as at c.py:9\n"
    )


def test_nothing_found_is_zeros_not_silence(report_of) -> None:
    text = render(report_of(), VIEW)
    assert "       0        0  in all\n" in text
    assert text.endswith("       0  unknown\n")


def test_the_tail_of_the_reasons_is_counted(report_of) -> None:
    verdicts = tuple(Verdict("/job/a.py", line, "unknown", f"reason {line}") for line in range(MOST_REASONS + 3))
    assert render(report_of(verdicts=verdicts), VIEW).endswith("and 3 rarer reasons\n")
