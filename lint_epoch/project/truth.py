"""Whether code asks objects for their truth: one that is given a length is false while it is empty."""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import ProjectClass
from lint_epoch.project.model import Project
from lint_epoch.project.view import Step


def truth_test(project: Project, cls: ProjectClass) -> Step | None:
    """Return a test of a variable or attribute that may hold an instance of a class, known by its name."""
    names = {name for value in project.instances.get(id(cls), []) for name in value.names}
    for module in project.index.files:
        if module.globals is None or module.record is None:
            continue
        for item in walk.descendants(module.record):
            for tested in _tested_by(item):
                if isinstance(tested, r.Name | r.Attribute) and walk.last_name(tested) in names:
                    return module, tested.at, f"the truth of {walk.last_name(tested)} is asked for"
    return None


def _tested_by(item: object) -> Iterator[r.AnyExpression]:
    match item:
        case r.If(test=test) | r.While(test=test) | r.Conditional(test=test) | r.Assert(test=test):
            yield test
        case r.Not(value=value):
            yield value
        case r.Boolean(left=left, right=right):
            yield from (left, right)
