"""Short source text of an expression record, for messages and for code that a fix writes."""

from __future__ import annotations

from lint_epoch.facts import records as r

_OPERATORS = {
    "Add": "+",
    "Subtract": "-",
    "Multiply": "*",
    "Divide": "/",
    "FloorDivide": "//",
    "Modulo": "%",
    "Power": "**",
}


def text_of(node: r.AnyExpression | None) -> str:
    """Return the expression as source text; parts that the records do not hold are shown as ``…``."""
    match node:
        case r.Name(id=name):
            return name
        case r.Attribute(value=value, attr=attr):
            return f"{text_of(value)}.{attr}"
        case r.Constant(value=value):
            return f'"{value}"' if isinstance(value, str) else repr(value)
        case r.Call(func=func, arguments=arguments):
            return f"{text_of(func)}({', '.join(_argument(argument) for argument in arguments)})"
        case r.Subscript(value=value, index=index):
            return f"{text_of(value)}[{text_of(index)}]"
        case r.Arithmetic(operator=operator, left=left, right=right) if right is not None and operator in _OPERATORS:
            return f"{text_of(left)} {_OPERATORS[operator]} {text_of(right)}"
        case r.Boolean(operator=operator, left=left, right=right):
            return f"{text_of(left)} {operator} {text_of(right)}"
        case r.Not(value=value):
            return f"not {text_of(value)}"
        case r.Compare(left=left, operators=operators, rights=rights):
            tail = (f"{operator} {text_of(right)}" for operator, right in zip(operators, rights, strict=True))
            return " ".join((text_of(left), *tail))
        case r.Sequence(kind="tuple", elements=elements):
            return f"({', '.join(text_of(element) for element in elements)})"
        case _:
            return "…"


def _argument(argument: r.Argument) -> str:
    prefix = f"{argument.keyword}=" if argument.keyword else argument.star
    return prefix + text_of(argument.value)
