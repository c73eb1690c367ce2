"""Epoch paths as a tree for a terminal, as a Mermaid flowchart, and as a graph in Graphviz's DOT."""

from __future__ import annotations

import io
import itertools
import re
from typing import TYPE_CHECKING

from lint_epoch.report.paths import harmless, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lint_epoch.diagnostics import Hop
    from lint_epoch.report.view import View
    from lint_epoch.tracing import EpochPath

#: Columns of the page on which the tree is laid out: a hop is never broken, the terminal wraps what is too long.
_WIDTH = 10_000
_STYLES = {"right": "green", "faulty": "bold red", "unknown": "yellow"}
_FILLS = {"right": "#d8f0d8", "faulty": "#f8d0d0", "unknown": "#f8ecc0"}


def tree(paths: Sequence[EpochPath], view: View) -> str:
    """Each path as a tree: the hops to the sampler, and below them how the call arrives or why it does not."""
    # Imported here: only this command draws with it.
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    class Page(io.StringIO):
        """What rich asks whether it can draw lines."""

        encoding = "utf-8" if view.drawing else "ascii"

    page = Page()
    console = Console(
        file=page,
        width=_WIDTH,
        color_system="standard" if view.colour else None,
        force_terminal=view.colour,
        no_color=not view.colour,
        highlight=False,
        emoji=False,
        markup=False,
    )
    for path in paths:
        root = Tree(Text.assemble((path.state, _STYLES[path.state]), f": {harmless(path.why)}"))
        root.guide_style = "dim"
        branch = root
        for number, hop in enumerate(path.hops):
            branch = branch.add(Text.assemble(*_shown_hop(hop, _sign(path, number, view), path.state, view)))
        for title, lines in (("arrives by", path.route), ("reported", path.findings)):
            if lines:
                below = root.add(title)
                for line in lines:
                    below.add(
                        harmless(line) if isinstance(line, str) else Text.assemble(*_shown_hop(line, "", "", view))
                    )
        console.print(root)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def _sign(path: EpochPath, number: int, view: View) -> str:
    """What stands in front of the hop at which the call, or sight of it, is lost."""
    if number != path.mark:
        return ""
    if path.state == "unknown":
        return "? "
    return "✗ " if view.drawing else "x "


def _shown_hop(hop: Hop, sign: str, state: str, view: View) -> Iterator[tuple[str, str]]:
    if sign:
        yield sign, _STYLES[state]
    yield f"{shown(hop.path, view.folder)}:{hop.line}", "bold"
    yield f" {harmless(hop.what)}", ""


def mermaid(paths: Sequence[EpochPath], view: View) -> str:
    """A flowchart that Markdown on GitHub and GitLab shows as it is."""
    lines = ["flowchart TD"]
    for number, path in enumerate(paths):
        names, edges = _graph(number, path)
        lines.append(f'  subgraph p{number}["{_entities(_title(path))}"]')
        for name, hop in names.items():
            place, what = _label(hop, view)
            lines.append(f'    {name}["{_entities(place)}<br>{_entities(what)}"]')
        lines.append("  end")
        lines += [f"  {one} {'-.->' if route else '-->'} {other}" for one, other, route in edges]
        marked = path.mark if path.mark is not None else len(path.hops) - 1
        lines.append(f"  style p{number}h{marked} fill:{_FILLS[path.state]}")
    return "\n".join(lines) + "\n"


def dot(paths: Sequence[EpochPath], view: View) -> str:
    """A directed graph, one cluster for each path."""
    lines = ["digraph epoch_paths {", '  node [shape=box, fontname="monospace"];']
    for number, path in enumerate(paths):
        names, edges = _graph(number, path)
        lines.append(f"  subgraph cluster_{number} {{")
        lines.append(f"    label={_quoted(harmless(_title(path)))};")
        marked = path.mark if path.mark is not None else len(path.hops) - 1
        for index, (name, hop) in enumerate(names.items()):
            fill = f', style=filled, fillcolor="{_FILLS[path.state]}"' if index == marked else ""
            place, what = _label(hop, view)
            label = _quoted(place)[:-1] + "\\n" + _quoted(what)[1:]
            lines.append(f"    {name} [label={label}{fill}];")
        lines.append("  }")
        lines += [f"  {one} -> {other}{' [style=dashed]' if route else ''};" for one, other, route in edges]
    return "\n".join([*lines, "}"]) + "\n"


def _graph(number: int, path: EpochPath) -> tuple[dict[str, Hop], list[tuple[str, str, bool]]]:
    """The nodes of a path by name, and its edges, each with whether it belongs to the route of the call."""
    hops = {f"p{number}h{index}": hop for index, hop in enumerate(path.hops)}
    route = {f"p{number}r{index}": hop for index, hop in enumerate(path.route)}
    chain, way = list(hops), list(route)
    edges = [(one, other, False) for one, other in itertools.pairwise(chain)]
    edges += [(one, other, True) for one, other in itertools.pairwise([*way, chain[-1]])]
    return {**hops, **route}, edges


def _title(path: EpochPath) -> str:
    """What a graph says of the path as a whole; the tree has room for a line each."""
    reported = f" ({', '.join(path.findings)})" if path.findings else ""
    return f"{path.state}: {path.why}{reported}"


def _label(hop: Hop, view: View) -> tuple[str, str]:
    return f"{shown(hop.path, view.folder)}:{hop.line}", harmless(hop.what)


def _entities(text: str) -> str:
    """Text that Mermaid takes for text: everything that could mean something to it as a numbered entity."""
    return re.sub(r"[^\w\s./:,()-]", lambda match: f"#{ord(match.group())};", text)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


FORMATS: dict[str, Callable[[Sequence[EpochPath], View], str]] = {"tree": tree, "mermaid": mermaid, "dot": dot}
