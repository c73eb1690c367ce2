"""What a finding is known by when the lines around it have moved.

Hosting services and baselines must tell a finding that was there before from a new one. A line number changes with
every edit above it, and a message names lines of other files; what stays is the rule, the file, the class or function
in which the finding stands, and the text of its line.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING

from lint_epoch.report.paths import display

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lint_epoch.diagnostics import Finding

_SCOPE = re.compile(r"([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_INDENT = re.compile(r"[ \t]*")
#: Hexadecimal digits of a fingerprint: 128 bits, far beyond any chance of two findings that share one.
DIGITS = 32


def fingerprints(findings: Sequence[Finding], base: str, lines_of: Callable[[str], list[str]]) -> tuple[str, ...]:
    """Return a fingerprint for each finding, different for all of them, and the same after lines have moved.

    Args:
        findings: the findings, sorted by place, as in a report.
        base: the folder, absolute and with forward slashes, to which paths count as relative.
        lines_of: gives the lines of a file, empty if it cannot be read.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    found: list[str] = []
    for finding in findings:
        key = identity(finding, base, lines_of(finding.path))
        # Two findings of one rule on lines that read the same: the first of them, the second of them.
        found.append(_digest((*key, str(seen[key]))))
        seen[key] += 1
    return tuple(found)


def identity(finding: Finding, base: str, lines: Sequence[str]) -> tuple[str, str, str, str]:
    """Return what a fingerprint is made from: code, relative path, enclosing scope, and the line with single spaces."""
    if not 1 <= finding.line <= len(lines):
        return finding.code, display(finding.path, base), "", ""
    text = " ".join(lines[finding.line - 1].split())
    return finding.code, display(finding.path, base), _scope(lines, finding.line), text


def _scope(lines: Sequence[str], line: int) -> str:
    """The dotted name of the classes and functions around a line, told by indentation, as Python does."""
    depth = _depth(lines[line - 1])
    names: list[str] = []
    for text in reversed(lines[: line - 1]):
        if depth == 0:
            break
        opened = _SCOPE.match(text)
        if opened is not None and len(opened[1].expandtabs()) < depth:
            depth = len(opened[1].expandtabs())
            names.append(opened[2])
    return ".".join(reversed(names))


def _depth(text: str) -> int:
    found = _INDENT.match(text)
    return len(found.group().expandtabs()) if found is not None else 0


def _digest(parts: Iterable[str]) -> str:
    text = "\0".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
