"""The format ``junit``: for servers that show test reports, such as Jenkins, Azure Pipelines and TeamCity.

One suite for each file, one failed case for each finding. A clean run is one case that passed, since some servers take
a report without cases for a failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as Xml

from lint_epoch.report.paths import display, harmless

if TYPE_CHECKING:
    from lint_epoch.diagnostics import Finding, Report
    from lint_epoch.report.view import View


def render(report: Report, view: View) -> str:
    """One XML document."""
    root = Xml.Element("testsuites", name="lint-epoch")
    suites: dict[str, Xml.Element] = {}
    for finding in report.findings:
        _add_finding(_suite(root, suites, finding.path, view), finding, view)
    for problem in report.errors:
        suite = _suite(root, suites, problem.path, view)
        case = Xml.SubElement(suite, "testcase", name="can be checked", classname=suite.attrib["name"])
        Xml.SubElement(case, "error", message=_printable(problem.message), type="lint-epoch")
    if not suites:
        Xml.SubElement(_suite(root, suites, view.base, view), "testcase", name="no findings", classname="lint-epoch")
    for element in (root, *root):
        counted = {"tests": "testcase", "failures": "failure", "errors": "error"}
        for name, tag in counted.items():
            element.set(name, str(sum(1 for _ in element.iter(tag))))
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _printable(text: str) -> str:
    """The text without control characters and the two noncharacters that XML 1.0 forbids."""
    return harmless(text).replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")


def _suite(root: Xml.Element, suites: dict[str, Xml.Element], path: str, view: View) -> Xml.Element:
    if path not in suites:
        suites[path] = Xml.SubElement(root, "testsuite", name=_printable(display(path, view.base)))
    return suites[path]


def _add_finding(suite: Xml.Element, finding: Finding, view: View) -> None:
    # Servers follow a case through time by its name, so that the name holds no line number.
    title = f"{finding.code} {finding.name}"
    again = sum(case.attrib["name"].startswith(title) for case in suite)
    place = f"{suite.attrib['name']}:{finding.line}:{finding.column}"
    case = Xml.SubElement(
        suite,
        "testcase",
        name=f"{title} ({again + 1})" if again else title,
        classname=suite.attrib["name"],
        file=suite.attrib["name"],
        line=str(finding.line),
    )
    failure = Xml.SubElement(case, "failure", message=_printable(finding.message), type=finding.code)
    hops = [_printable(f"  {display(hop.path, view.base)}:{hop.line} {hop.what}") for hop in finding.trace]
    failure.text = "\n".join([_printable(f"{place}: {finding.code} {finding.message}"), *hops])
