"""The interpreter, put together from its parts."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project.interpreter.attributes import Attributes
from lint_epoch.project.interpreter.builtins import Builtins
from lint_epoch.project.interpreter.calls import Calls
from lint_epoch.project.interpreter.constructors import Constructors
from lint_epoch.project.interpreter.engines import Engines
from lint_epoch.project.interpreter.expressions import Expressions
from lint_epoch.project.interpreter.external import Externals
from lint_epoch.project.interpreter.guards import Guards
from lint_epoch.project.interpreter.loops import Loops
from lint_epoch.project.interpreter.streams import Streams
from lint_epoch.project.values import ValueSet


class Interpreter(Loops, Expressions, Attributes, Calls, Constructors, Externals, Streams, Engines, Guards, Builtins):
    """Runs one root."""

    def assign_quietly(self, target: r.AnyExpression, values: ValueSet) -> None:
        """Bind the target of a comprehension."""
        self.assign(target, values)
