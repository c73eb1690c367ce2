"""The interpreter, put together from its parts."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project.interpreter.calls import Calls
from lint_epoch.project.interpreter.engines import Engines
from lint_epoch.project.interpreter.expressions import Expressions
from lint_epoch.project.interpreter.external import Externals
from lint_epoch.project.interpreter.iteration import Iteration
from lint_epoch.project.interpreter.statements import Statements
from lint_epoch.project.interpreter.streams import Streams
from lint_epoch.project.values import ValueSet


class Interpreter(Statements, Expressions, Calls, Externals, Streams, Engines, Iteration):
    """Runs one root."""

    def assign_quietly(self, target: r.AnyExpression, values: ValueSet) -> None:
        """Bind the target of a comprehension."""
        self.assign(target, values)
