"""Shapes of code that nest as deep as one likes, each a function of the depth."""

from __future__ import annotations

from collections.abc import Callable

Shape = Callable[[int], str]


def _steps(opening: str, inside: str, closing: str) -> Shape:
    return lambda depth: opening * depth + inside + closing * depth + "\n"


def _blocks(head: str) -> Shape:
    return lambda depth: "".join(f"{' ' * level}{head}\n" for level in range(depth)) + " " * depth + "pass\n"


def _f_strings(depth: int) -> str:
    quotes = "'\"" * depth
    return (
        "".join(f"f{quotes[level]}{{" for level in range(depth))
        + "a"
        + "".join(f"}}{quotes[level]}" for level in reversed(range(depth)))
    )


#: Shapes whose depth is that of brackets.
BRACKETS: dict[str, Shape] = {
    "parentheses": _steps("(", "a", ")"),
    "lists": _steps("[", "a", "]"),
    "sets": _steps("{", "a", "}"),
    "dicts": _steps("{a:", "a", "}"),
    "calls": _steps("f(", "a", ")"),
    "keywords": _steps("f(a=", "a", ")"),
    "subscripts": _steps("f[", "a", "]"),
    "tuples": _steps("(", "a", ",)"),
    "comprehensions": _steps("[x for x in ", "a", "]"),
    "lambdas in parentheses": _steps("(lambda: ", "a", ")"),
    "walruses": _steps("(a := ", "1", ")"),
    "annotations": lambda depth: "x: " + "list[" * depth + "int" + "]" * depth + "\n",
    "unclosed": lambda depth: "[" * depth,
    "in an f-string": lambda depth: "f'{" + "[" * depth + "a" + "]" * depth + "}'\n",
}

#: Shapes whose depth is that of a chain.
CHAINS: dict[str, Shape] = {
    "sum": lambda depth: " + ".join("a" * depth) + "\n",
    "sum over lines": lambda depth: "a" + " \\\n + a" * depth + "\n",
    "powers": lambda depth: "**".join("a" * depth) + "\n",
    "minus": _steps("-", "a", ""),
    "not": _steps("not ", "a", ""),
    "lambdas": _steps("lambda: ", "a", ""),
    "lambdas with parameters": _steps("lambda a, b: ", "a", ""),
    "conditions": _steps("a if b else ", "a", ""),
    "attributes": _steps("", "a", ".b"),
    "called": _steps("", "a", "()"),
    "subscripted": _steps("", "a", "[0]"),
    "methods": _steps("", "a", ".b(0)"),
    "or": lambda depth: " or ".join("a" * depth) + "\n",
    "elif": lambda depth: "if a:\n pass\n" + "elif a:\n pass\n" * depth,
}

BLOCKS: dict[str, Shape] = {
    "functions": _blocks("def f():"),
    "conditions": _blocks("if a:"),
    "tabs": lambda depth: "".join("\t" * level + "if a:\n" for level in range(depth)) + "\t" * depth + "pass\n",
}

#: Shapes that libcst reads again and again, twice as often or more with each level.
BACKTRACKING: dict[str, Shape] = {
    "list patterns": lambda depth: f"match a:\n case {'[' * depth}a{']' * depth}: pass\n",
    "tuple patterns": lambda depth: f"match a:\n case {'(' * depth}a{', b)' * depth}: pass\n",
    "class patterns": lambda depth: f"match a:\n case {'A(' * depth}a{')' * depth}: pass\n",
    "mapping patterns": lambda depth: f"match a:\n case {'{1: ' * depth}a{'}' * depth}: pass\n",
    "mixed patterns": lambda depth: f"match a:\n case {'{1: (' * depth}a{',)}' * depth}: pass\n",
    "wrong patterns": lambda depth: f"match a:\n case {'([' * depth}a b{'])' * depth}: pass\n",
    "unclosed patterns": lambda depth: f"match a:\n case {'[' * depth}\n",
    "patterns over lines": lambda depth: "match a:\n case " + "[\n" * depth + "a" + "\n]" * depth + ": pass\n",
    "patterns without a colon": lambda depth: f"match a:\n case {'[' * depth}a{']' * depth}\n",
    "patterns below another": lambda depth: f"match a:\n case 1:\n  pass\n case {'(' * depth}a{',)' * depth}: pass\n",
    "wrong targets": lambda depth: f"del {'(' * depth}a b{')' * depth}\n",
    "wrong targets on a shared line": lambda depth: f"if a: b; del {'(' * depth}a b{')' * depth}\n",
    "unclosed targets": lambda depth: f"del {'(' * depth}",
}

F_STRINGS: Shape = _f_strings
