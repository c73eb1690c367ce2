"""Mends of a framework's loop: a handler that tells the sampler the epoch, where the framework takes handlers."""

from __future__ import annotations

from collections.abc import Sequence

from lint_epoch.diagnostics import FixOffer
from lint_epoch.facts import records as r
from lint_epoch.facts.text import text_of
from lint_epoch.project import walk
from lint_epoch.project.epochs import Repeat
from lint_epoch.project.modules import ModuleFile
from lint_epoch.project.places import call_at, statements_to
from lint_epoch.project.receivers import is_loader
from lint_epoch.project.values import Object
from lint_epoch.repairs import InsertStatement
from lint_epoch.rules.mends import Mend

#: Columns, without the indentation of the run, beyond which a call is written over several lines.
_LONG = 72


def tell_in_a_handler(repeats: Sequence[Repeat]) -> Mend:
    """Return the mend of an engine's run: a handler for each epoch, added in front of it.

    Args:
        repeats: what the loop of a framework repeats without an epoch.
    """
    loop = repeats[0].loop
    advice = Mend(advice=f"keep it, and call its set_epoch in {loop.hook}")
    call = call_at(loop.frame, loop.record.at)
    if call is None or not isinstance(call.func, r.Attribute) or not _imports_events(loop.module):
        return advice
    engine, data = text_of(call.func.value), _data(call)
    samplers = {way for repeat in repeats if (way := _sampler_of(repeat)) is not None}
    statements = statements_to(loop.frame, loop.record.at)
    if data is None or len(samplers) != 1 or not statements or "…" in engine:
        return advice
    receiver = f"{data}.{samplers.pop()}"
    handler = f"lambda: {receiver}.set_epoch({engine}.state.epoch)"
    line = f"    {engine}.add_event_handler(Events.EPOCH_STARTED, {handler})"
    if len(line) > _LONG:
        # With the last comma, formatters leave it over several lines, whatever their line length.
        line = f"    {engine}.add_event_handler(\n        Events.EPOCH_STARTED,\n        {handler},\n    )"
    text = f'if hasattr({receiver}, "set_epoch"):\n{line}'
    offer = FixOffer("safe", f"let a handler of {engine} set the epoch of {receiver}")
    return Mend(offer, (InsertStatement(loop.module.path, statements[-1].at, text),))


def _imports_events(module: ModuleFile) -> bool:
    items = walk.descendants(module.record) if module.record is not None else ()
    return any(isinstance(item, r.ImportFrom) and any(name.alias == "Events" for name in item.names) for item in items)


def _data(call: r.Call) -> str | None:
    """Return what an engine is run over, as source; ``None`` if it is no plain name."""
    given = next((one.value for one in call.arguments if one.keyword in (None, "data") and not one.star), None)
    text = text_of(given)
    return text if all(part.isidentifier() for part in text.split(".")) else None


def _sampler_of(repeat: Repeat) -> str | None:
    """Return the attribute of the loader that is run over which is the sampler without an epoch."""
    loader = repeat.consumer.source
    if not isinstance(loader, Object) or not is_loader(loader):
        return None
    for name in ("sampler", "batch_sampler"):
        if any(value is repeat.target for value in loader.arguments.get(name, ())):
            return name
    return None
