"""Forwarding: new methods that pass a call on to what the class holds, and the same inside an existing one."""

from __future__ import annotations

import keyword
from collections.abc import Sequence

import libcst as cst

from lint_epoch.fixes.errors import FixError
from lint_epoch.fixes.filetree import FileTree, walk
from lint_epoch.fixes.insertion import after, before, behind_docstring, commented_end, render, statements
from lint_epoch.fixes.spans import Edit
from lint_epoch.fixes.style import ClassStyle, defines, parameter_names, place_for_method, style_of
from lint_epoch.repairs import ForwardInside, ForwardMethod, Target

_ORDER = ("set_epoch", "__len__", "state_dict", "load_state_dict")


def methods(file: FileTree, repairs: Sequence[ForwardMethod], store: str | None = None) -> list[Edit]:
    """Return the edits that insert the wanted methods into one class, those left out that it has already.

    Args:
        file: the file of the class.
        repairs: the methods, all of one class; one wanted twice passes the call on to the targets of both.
        store: the attribute in which a new ``set_epoch`` keeps the epoch, if it must.
    """
    owner = file.class_at(repairs[0].class_at)
    style = style_of(file, owner)
    lines: list[str] = []
    for name in _ORDER:
        wanted = [repair for repair in repairs if repair.method == name]
        if wanted and not defines(owner, name):
            targets = tuple(dict.fromkeys(target for repair in wanted for target in repair.targets))
            source = _method(name, targets, any(repair.extends_base for repair in wanted), style, store)
            if source is not None:
                lines += [""] * style.blank_lines + render(file.in_quotes(source), style.unit)
    if not lines:
        return []
    place = place_for_method(owner)
    below = file.lines[commented_end(file, place) :][:1]
    gap = [""] * style.blank_lines if below and below[0].strip() else []
    return after(file, place, [*lines, *gap])


def inside(file: FileTree, repair: ForwardInside) -> list[Edit]:
    """Return the edits that let an existing ``set_epoch`` pass the epoch on, none where it does so or cannot.

    The calls go to the end of the body, in front of a ``return``; to its start if it may return earlier. A method that
    only raises, or takes no parameter for the epoch, is left alone.
    """
    method = file.node(repair.method_at)
    if not isinstance(method, cst.FunctionDef):
        raise FixError(f"a repair for a method names a {type(method).__name__}")
    names = parameter_names(method)
    last = statements(method.body)[-1]
    if len(names) < 2 or isinstance(last, cst.Raise):
        return []
    present = {line.strip() for line in file.source(method).splitlines()}
    lines: list[str] = []
    for target in repair.targets:
        source = "\n".join(set_epoch_calls(target, names[0], names[1]))
        wanted = render(file.in_quotes(source), file.unit(method))
        if not present.issuperset(line.strip() for line in wanted):
            lines += wanted
    if not lines:
        return []
    if _returns_early(method, last):
        return behind_docstring(file, method.body, lines)
    return before(file, last, lines) if isinstance(last, cst.Return) else after(file, last, lines)


def set_epoch_calls(target: Target, receiver: str, epoch: str) -> list[str]:
    """Return the lines that pass ``epoch`` on to a target, guarded where the target may lack the method."""
    held = f"{receiver}.{target.attribute}"
    if target.container == "one":
        return _one_call(held, target, epoch)
    item = _item_name(target.attribute, {receiver, epoch})
    items = f"{held}.values()" if target.container == "mapping" else held
    return [f"for {item} in {items}:", *(f"    {line}" for line in _one_call(item, target, epoch))]


def _one_call(held: str, target: Target, epoch: str) -> list[str]:
    reached = f"{held}.{target.through}" if target.through else held
    if target.certain:
        return [f"{reached}.set_epoch({epoch})"]
    if not target.through:
        return [f'if hasattr({held}, "set_epoch"):', f"    {held}.set_epoch({epoch})"]
    # A loader without automatic batching has None for a batch sampler, so the second step is guarded too.
    outer, _, name = target.through.rpartition(".")
    found = f'getattr({held}.{outer}, "{name}", None)' if outer else reached
    return [f"{name} = {found}", f'if hasattr({name}, "set_epoch"):', f"    {name}.set_epoch({epoch})"]


def _method(
    name: str, targets: Sequence[Target], extends_base: bool, style: ClassStyle, store: str | None
) -> str | None:
    """Return the source of a method, one level indented by four spaces, or ``None`` where it would not be right."""
    if name == "set_epoch":
        body = ["super().set_epoch(epoch)"] if extends_base else []
        body += [f"self.{store} = epoch"] if store else []
        for target in targets:
            body += set_epoch_calls(target, "self", "epoch")
        return _definition(name, ("epoch", "int"), "None", _set_epoch_docstring(targets), body, style)
    # A length or a state is that of one object, and a method that may fail would only look like an answer.
    target = targets[0]
    several = len(targets) > 1 and name != "__len__"
    if several or extends_base or target.container != "one" or not target.certain:
        return None
    held = f"self.{target.attribute}" + (f".{target.through}" if target.through else "")
    noun = target.through.rpartition(".")[2].replace("_", " ") or _noun(target.attribute)
    if name == "__len__":
        return _definition(name, None, "int", f"Return the length of the {noun}.", [f"return len({held})"], style)
    if name == "state_dict":
        body = [f"return {held}.state_dict()"]
        return _definition(name, None, style.state_type, f"Return the state of the {noun}.", body, style)
    body = [f"{held}.load_state_dict(state_dict)"]
    return _definition(name, ("state_dict", style.state_type), "None", f"Restore the state of the {noun}.", body, style)


def _definition(
    name: str, parameter: tuple[str, str] | None, returns: str, docstring: str, body: Sequence[str], style: ClassStyle
) -> str:
    given = "self"
    if parameter is not None:
        given += f", {parameter[0]}: {parameter[1]}" if style.annotates_parameters else f", {parameter[0]}"
    arrow = f" -> {returns}" if style.annotates_returns else ""
    said = [f"{style.quotes}{docstring}{style.quotes}"] if style.quotes else []
    return "\n".join([f"def {name}({given}){arrow}:", *(f"    {line}" for line in (*said, *body))])


def _set_epoch_docstring(targets: Sequence[Target]) -> str:
    receivers = {_receiver(target) for target in targets}
    return f"Pass the epoch on to {receivers.pop() if len(receivers) == 1 else 'all that it holds'}."


def _receiver(target: Target) -> str:
    noun = _noun(target.attribute)
    inner = "dataset" if target.through == "dataset" else "sampler"
    if target.container != "one":
        return f"the loaders' {inner}s" if noun == "loader" else f"the {noun}s"
    return f"the loader's {inner}" if noun == "loader" else f"the {noun}"


def _noun(attribute: str) -> str:
    """Return what the field calls an object kept under this name; a loader where the name does not say."""
    return next((noun for noun in ("sampler", "dataset") if noun in attribute.lower()), "loader")


def _item_name(attribute: str, taken: set[str]) -> str:
    """Return a variable's name for one of the objects kept under a name, as a rule its singular."""
    name = attribute.rpartition(".")[2].strip("_")
    singular = name[:-1] if name.endswith("s") and not name.endswith("ss") else ""
    usable = singular.isidentifier() and not keyword.iskeyword(singular) and singular not in taken
    return singular if usable else _noun(attribute)


def _returns_early(method: cst.FunctionDef, last: cst.CSTNode) -> bool:
    """Return whether a method may return in front of its last statement."""
    found = walk(method.body, closed=(cst.FunctionDef, cst.ClassDef))
    return any(isinstance(node, cst.Return) and node is not last for node in found)
