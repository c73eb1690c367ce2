"""Runs statements: assignments, definitions, branches, context managers."""

from __future__ import annotations

from lint_epoch.facts import records as r
from lint_epoch.project import walk
from lint_epoch.project.classes import KEEPING_DECORATORS, LIST, AnyClass, ProjectClass
from lint_epoch.project.interpreter.core import Core, truth
from lint_epoch.project.memory import Cells
from lint_epoch.project.model import method_of
from lint_epoch.project.ranks import main_only
from lint_epoch.project.state import Guard
from lint_epoch.project.values import (
    BoundExternal,
    CallArguments,
    ClassValue,
    Const,
    Data,
    External,
    FunctionValue,
    GeneratorValue,
    Object,
    TupleValue,
    Unknown,
    Value,
    ValueSet,
    each,
    join,
    only_constant,
    unknown,
)


class Statements(Core):
    """The part of the interpreter that runs statements."""

    def execute(self, block: r.Block) -> None:
        """Run statements in order, until one does not end."""
        for statement in block:
            if self.cells is None:
                return
            self.tick()
            getattr(self, f"_run_{type(statement).__name__}")(statement)

    # --- names and values ------------------------------------------------------------------------------------------

    def _run_Import(self, statement: r.Import) -> None:
        found = self.project.imported(statement.module, statement.alias, self.frame.module)
        name = statement.alias or statement.module.split(".")[0]
        self.bind_name(name, found)

    def _run_ImportFrom(self, statement: r.ImportFrom) -> None:
        if not statement.names:
            for name, values in self.project.star(statement, self.frame.module, self).items():
                self.bind_name(name, values)
        for item in statement.names:
            self.bind_name(item.alias, self.project.imported_name(statement, item.name, self.frame.module))

    def _run_Assign(self, statement: r.Assign) -> None:
        if statement.value is None:
            return
        values = self.evaluate(statement.value)
        for target in statement.targets:
            self.assign(target, values)

    def _run_AugmentedAssign(self, statement: r.AugmentedAssign) -> None:
        target = statement.target
        before = self.evaluate(target)
        values = self.evaluate(statement.value)
        if any(isinstance(value, Object) and value.cls is LIST for value in before):
            items, _ = self.iterate(values, statement.value)
            for value in before:
                if isinstance(value, Object):
                    self.set_attribute(value, "[]", join(self.get_attribute(value, "[]") or items, items))
            return
        self.assign(target, self.arithmetic(statement.operator, before, values), counts=True)

    def assign(self, target: r.AnyExpression, values: ValueSet, *, counts: bool = False) -> None:
        """Bind a target to a value; ``counts`` says that the new value was made from the old one."""
        if counts:
            loops = frozenset(loop.uid for loop, _ in self.turns if loop.repeats)
            values = each(values, lambda v: (Data(v.varies | loops, v.rank),) if isinstance(v, Data) else (v,))
        if isinstance(target, r.Name):
            self.bind_name(target.id, values)
        elif isinstance(target, r.Attribute):
            for owner in self.evaluate(target.value):
                self._assign_attribute(owner, target, values)
        elif isinstance(target, r.Sequence):
            self._unpack(target, values)
        elif isinstance(target, r.Subscript):
            self._assign_item(target, values)
        elif isinstance(target, r.Starred):
            items = Object(LIST, self.site(target))
            self.fill(items, "[]", values)
            self.assign(target.value, (items,))

    def _assign_attribute(self, owner: object, target: r.Attribute, values: ValueSet) -> None:
        if isinstance(owner, Object):
            self.set_attribute(owner, target.attr, values)
            self.noticed_assignment(owner, target.attr, values, target)
        elif isinstance(owner, ClassValue) and isinstance(owner.cls, ProjectClass):
            owner.cls.patched[target.attr] = values

    def _unpack(self, target: r.Sequence, values: ValueSet) -> None:
        count = len(target.elements)
        starred = next((i for i, element in enumerate(target.elements) if isinstance(element, r.Starred)), None)
        parts: list[list[ValueSet]] = [[] for _ in target.elements]
        for value in values:
            known = value.elements if isinstance(value, TupleValue) else None
            if known is not None and starred is not None and len(known) >= count - 1:
                tail = count - 1 - starred
                middle = known[starred : len(known) - tail]
                known = (*known[:starred], join(*middle) if middle else unknown("empty"), *known[len(known) - tail :])
            if known is not None and len(known) == count:
                for part, element in zip(parts, known, strict=True):
                    part.append(element)
                continue
            for index, part in enumerate(parts):
                part.append(self.item_of(value, index, target))
        for place, part in zip(target.elements, parts, strict=True):
            self.assign(place, join(*part) if part else unknown("nothing to unpack"))

    def _assign_item(self, target: r.Subscript, values: ValueSet) -> None:
        index = only_constant(self.evaluate(target.index)) if target.index is not None else None
        for owner in self.evaluate(target.value):
            if isinstance(owner, Object):
                if index is not None:
                    self.set_attribute(owner, f"[{index.value!r}]", values)
                self.set_attribute(owner, "[]", join(self.get_attribute(owner, "[]") or values, values))

    def _run_ExpressionStatement(self, statement: r.ExpressionStatement) -> None:
        self.alone = self.site(statement.value)
        self.evaluate(statement.value)

    def _run_Assert(self, statement: r.Assert) -> None:
        guards_before = len(self.trace.guards)
        answer = self.truth_of(statement.test, self.evaluate(statement.test))
        if answer is False and len(self.trace.guards) > guards_before:
            # It is said what the object must be or have, and it is another one: nothing behind is reached.
            self._leave_by_error()
        elif self.cells is not None:
            self.narrow(statement.test, True)

    def _run_Delete(self, statement: r.Delete) -> None:
        pass

    def _run_Declaration(self, statement: r.Declaration) -> None:
        for name in statement.names:
            self.frame.declared[name] = statement.kind

    def _run_FunctionDef(self, statement: r.FunctionDef) -> None:
        self.frame.captured = True
        function = FunctionValue(statement, self.frame.module, self.frame, None)
        values: ValueSet = (function,)
        for decorator in reversed(statement.decorators):
            values = self._decorated(decorator, values)
        self.bind_name(statement.name, values)

    def _decorated(self, decorator: r.AnyExpression, values: ValueSet) -> ValueSet:
        """Return the function after a decorator: one of the project is run, one of a library keeps the function."""
        if walk.last_name(decorator) in ("property", "staticmethod", "classmethod"):
            return values
        found = self.evaluate(decorator)
        if any(isinstance(value, FunctionValue) for value in found):
            result = self.call(found, CallArguments((values,)), decorator)
            if any(isinstance(value, FunctionValue) for value in result):
                return result
        for value in found:
            if isinstance(value, BoundExternal):
                self.decorate_handler(value, values)
        return values

    def _run_ClassDef(self, statement: r.ClassDef) -> None:
        self.frame.captured = True
        cls = self.project.class_of(statement, self.frame.module, self.frame)
        bases: list[AnyClass | str | None] = []
        for base in statement.bases:
            # `class A(Base[T])`: the base is what is subscripted.
            plain = base.value if isinstance(base, r.Subscript) else base
            bases.append(self.project.base_class(plain, self.evaluate(plain)))
        cls.bases = tuple(base for base in bases if not isinstance(base, str))
        cls.has_unknown_decorator = any(
            walk.last_name(decorator) not in KEEPING_DECORATORS
            and not any(isinstance(value, FunctionValue) for value in self.evaluate(decorator))
            and not self._is_registry(decorator)
            for decorator in statement.decorators
        )
        self.bind_name(statement.name, (ClassValue(cls),))

    @staticmethod
    def _is_registry(decorator: r.AnyExpression) -> bool:
        # `@DATASETS.register_module()` and the like put the class into a table and give it back as it is.
        return "regist" in walk.last_name(decorator).lower()

    # --- leaving ---------------------------------------------------------------------------------------------------

    def _run_Return(self, statement: r.Return) -> None:
        values = self.evaluate(statement.value) if statement.value is not None else (Const(None),)
        if self.cells is not None:
            self.frame.returns.append((values, self.cells))
            self.cells = None

    def _run_Raise(self, statement: r.Raise) -> None:
        if statement.value is not None:
            self.evaluate(statement.value)
        self.handed_on += self.cells is not None and self.restarting > 0
        self._leave_by_error()

    def _leave_by_error(self) -> None:
        if self.cells is not None and self.raised:
            self.raised[-1].append(self.cells)
        self.cells = None

    def _run_Jump(self, statement: r.Jump) -> None:
        target = self.breaks if statement.kind == "break" else self.continues
        if self.cells is not None and target:
            target[-1].append(self.cells)
        self.cells = None

    # --- branches --------------------------------------------------------------------------------------------------

    def _run_If(self, statement: r.If) -> None:
        guards_before = len(self.trace.guards)
        test = self.evaluate(statement.test)
        answer = self.truth_of(statement.test, test)
        asked = len(self.trace.guards) > guards_before
        if self.cells is None:
            return
        if answer is not None:
            if answer is False and asked:
                self._run_dead(statement.body)
                opened = {
                    item.func.attr
                    for inner in statement.body
                    for item in walk.descendants(inner)
                    if isinstance(item, r.Call) and isinstance(item.func, r.Attribute)
                }
                for guard in self.trace.guards[guards_before:]:
                    guard.opens |= opened
            self.execute(statement.body if answer else statement.orelse)
            return
        rank = main_only(test) is not None
        before = self.pin()
        self._branch(statement.body, Guard(self.frame.module, statement.test, True, rank), statement.test)
        after_body = self.cells
        self.cells = before
        self._branch(statement.orelse, Guard(self.frame.module, statement.test, False, rank), statement.test)
        self.cells = self.merge(after_body, self.cells)
        self.unpin()

    def truth_of(self, record: r.AnyExpression, values: ValueSet) -> bool | None:
        """Whether a test holds; a script's main guard does."""
        if isinstance(record, r.Compare) and isinstance(record.left, r.Name) and record.left.id == "__name__":
            return record.operators == ("==",)
        return truth(values)

    def _branch(self, block: r.Block, guard: Guard, test: r.AnyExpression) -> None:
        self.narrow(test, guard.branch)
        outer, self.guards = self.guards, (*self.guards, guard)
        self.execute(block)
        self.guards = outer

    def narrow(self, test: r.AnyExpression, branch: bool) -> None:
        """Keep of the variables that a test asks about the alternatives for which the branch is taken."""
        if isinstance(test, r.Not):
            self.narrow(test.value, not branch)
        elif isinstance(test, r.Boolean) and (test.operator == "and") is branch:
            self.narrow(test.left, branch)
            self.narrow(test.right, branch)
        elif isinstance(test, r.Name):
            held = self.load(self.frame.uid, test.id)
            if held is not None:
                kept = tuple(v for v in held if not isinstance(v, Const) or bool(v.value) is branch)
                self._narrowed(test, kept)
        elif isinstance(test, r.Compare) and isinstance(test.left, r.Name) and test.operators in (("is",), ("is not",)):
            right = test.rights[0]
            held = self.load(self.frame.uid, test.left.id)
            if held is not None and isinstance(right, r.Constant) and right.value is None:
                wants_none = (test.operators == ("is",)) is branch
                kept = tuple(
                    v
                    for v in held
                    if isinstance(v, Unknown) or (isinstance(v, Const) and v.value is None) is wants_none
                )
                self._narrowed(test.left, kept)

    def _narrowed(self, name: r.Name, kept: ValueSet) -> None:
        if kept:
            self.store(self.frame.uid, name.id, kept)

    def _run_dead(self, block: r.Block) -> None:
        """Look into a branch that is never taken: what it asks for tells what its author expects."""
        before = self.pin()
        self.dead += 1
        self.execute(block)
        self.dead -= 1
        self.cells = before
        self.unpin()

    def _run_Match(self, statement: r.Match) -> None:
        subject = self.evaluate(statement.subject)
        known = only_constant(subject)
        before, after = self.pin(), None
        for case in statement.cases:
            if case.constant is not None and known is not None:
                wanted = only_constant(self.evaluate(case.constant))
                if wanted is not None and wanted != known:
                    continue
            self.cells = before
            for name in case.names:
                self.bind_name(name, subject if case.irrefutable else unknown("bound by a pattern"))
            if case.guard is not None:
                self.evaluate(case.guard)
            self.execute(case.body)
            after = self.merge(after, self.cells)
            if case.constant is not None and known is not None:
                self.cells = after
                self.unpin()
                return
        irrefutable = any(case.irrefutable and case.guard is None for case in statement.cases)
        self.cells = after if irrefutable else self.merge(after, before)
        self.unpin()

    def _run_With(self, statement: r.With) -> None:
        managers: list[tuple[r.AnyExpression, ValueSet]] = []
        for item in statement.items:
            values = self.evaluate(item.value)
            if any(isinstance(value, External) and value.dotted == "no gradients" for value in values):
                self.frame.evaluation = True
            managers.append((item.value, values))
            entered = each(values, lambda value: self._entered(value, item.value))  # noqa: B023
            if item.target is not None:
                self.assign(item.target, entered)
        self.execute(statement.body)
        for record, values in reversed(managers):
            for method in (method_of(value, "__exit__") for value in values):
                if method is not None and self.cells is not None:
                    self.call((method,), CallArguments(((Const(None),),) * 3), record)

    def _entered(self, value: Value, record: r.AnyExpression) -> ValueSet:
        """Return what ``with`` binds: what ``__enter__`` gives, or what a context manager's generator yields."""
        if isinstance(value, GeneratorValue):
            return self.run_manager(value, record)
        method = method_of(value, "__enter__")
        given = self.call((method,), CallArguments(), record) if method is not None else ()
        return (value,) if all(isinstance(one, Unknown) for one in given) else given

    def _run_Try(self, statement: r.Try) -> None:
        before = self.pin()
        self.raised.append([])
        guards = self.enter_try(statement)
        self.execute(statement.body)
        self.leave_try(guards)
        raised = self.raised.pop()
        at_end = self.fork()
        self.execute(statement.orelse)
        after = self.cells
        start: Cells | None = before
        for cells in (*raised, at_end):
            start = self.merge(start, cells)
        for handler in statement.handlers:
            self.cells = start
            if handler.name is not None:
                self.bind_name(handler.name, (Data(),))
            restarts = (
                any(walk.last_name(kind) in ("StopIteration", "Exception") for kind in handler.kinds)
                or not handler.kinds
            )
            self.restarting += restarts
            self.execute(handler.body)
            self.restarting -= restarts
            after = self.merge(after, self.cells)
        self.cells = after
        if statement.final:
            dead = self.cells is None
            if dead:
                self.cells = start
            self.execute(statement.final)
            self.cells = None if dead else self.cells
        self.unpin()
