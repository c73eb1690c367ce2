"""How deep a text nests, found without recursion, before a recursive parser is let at it.

libcst's parser kills the process at 2,000 nested brackets, takes time with the square of the length of a chain such as
``a + a + a``, and with 2 to the power of the depth inside a ``case`` or ``del``. This scanner knows just enough of
Python's tokens to count; it accepts every valid program within the limits, of any version of the language.
"""

from __future__ import annotations

import re

import msgspec

#: How many brackets may be open at once, and how many levels of indentation; CPython has the same two limits.
MAX_BRACKETS = 200
MAX_INDENTATION = 100

#: How many links may hang on each other. A link is a token of an expression, without a comma between, or an ``elif``;
#: the links around an open bracket count inside it. 3,000 terms of a sum are 6,000 links, which take libcst 3 s.
MAX_LINKS = 6_200

#: Links that a pair of brackets stands for: a chain such as ``a()()()`` takes that many times what ``-a`` takes.
BRACKET_LINKS = 4

#: In ``case`` patterns and ``del`` targets, libcst reads what is in a bracket several times: by how many powers of
#: two each open bracket multiplies the time (measured: 4 times in tuples, calls and mappings, twice in lists).
BACKTRACKING_WEIGHTS = {")": 2, "]": 1, "}": 2}

#: How many tokens of such places a file may have, each counted as often as it is read. This many take libcst up to 4 s.
#: A mapping pattern may be 8 deep, a list pattern 17.
MAX_BACKTRACKING = 2**20

#: What tokens count that stand in brackets which are never closed: each of these fails in every possible way.
UNCLOSED_FACTOR = 16

_TOKEN = re.compile(
    r"""[ \t\f]*(?:
        (?P<comment>\#[^\r\n]*)
      | (?P<newline>\r\n|\r|\n)
      | (?P<join>\\(?:\r\n|\r|\n))
      | (?P<string>(?P<prefix>(?i:[bru]|[bft]r|r[bft]|[ft])?)(?P<quote>'''|\"\"\"|'|\"))
      | (?P<open>[(\[{])
      | (?P<close>[)\]}])
      | (?P<end>[,;])
      | (?P<colon>:)
      | (?P<word>\w+)
      | (?P<operator>\*\*|//|<<|>>|[<>=!]=|->|[^ \t\f\r\n])
    )""",
    re.VERBOSE,
)


_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTES = ("'''", '"""', "'", '"')


def _stops(pattern: str) -> dict[str, re.Pattern[str]]:
    """Return for each quote what stops a string: a pattern, the quote and, for single quotes, the line's end."""
    return {
        quote: re.compile(f"{pattern}|{quote}" + ("" if len(quote) == 3 else r"|[\r\n]"), re.DOTALL)
        for quote in _QUOTES
    }


_STRING_STOPS = _stops(r"\\(?:\r\n|.)")
_LITERAL_STOPS = _stops(r"\\(?:\r\n|[^{}])|\{\{|\}\}|[{}]")
_SPECIFICATION_STOPS = _stops(r"\\(?:\r\n|[^{}])|[{}]")


class TooDeepError(Exception):
    """A text nests deeper than a limit; the message says which, in words that follow the name of the file."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class _Block(msgspec.Struct):
    column: int
    below: int
    """Links of the blocks around it."""
    branches: int = 0
    """How many ``elif`` hang on the ``if`` that was last met in it."""
    is_match: bool = False
    """Whether its head began with ``match``, so that a ``case`` in it is no name."""


class _Bracket(msgspec.Struct):
    """An open bracket, or an f-string, or a format specification in one."""

    closer: str
    links: int
    """Links at the place where it stands."""
    floor: int
    """The links of the item in which it stands, without that item's own."""
    weight: int
    quote: str = ""
    """The quote of the f-string that it is, or directly in which it is a replacement field or a specification."""
    is_literal: bool = False
    """Whether its text is that of a string, not of an expression."""


def check_nesting(text: str) -> None:
    """Raise if a text nests too deep for libcst.

    Raises:
        TooDeepError: one of this module's limits is exceeded.
    """
    _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.open: list[_Bracket] = []
        self.blocks = [_Block(0, 0)]
        self.links = 0
        """Links that the next token hangs on, together with those of all brackets and blocks around it."""
        self.floor = 0
        """What a comma puts ``links`` back to."""
        self.is_line_start = True
        self.first_word = ""
        """The first token of the line, or of the last one, between lines."""
        self.backtracking = ""
        """The keyword, ``case`` or ``del``, that makes the brackets of this line costly."""
        self.weight = 0
        """The exponent of two that the open brackets make."""
        self.cost = 0
        self.line_cost = 0

    def scan(self) -> None:
        text, end, match_token = self.text, len(self.text), _TOKEN.match
        while self.position < end:
            if self.open and self.open[-1].is_literal:
                self._literal(self.open[-1])
                continue
            match = match_token(text, self.position)
            if match is None:  # blanks at the end of the file
                break
            self.position = match.end()
            kind = match.lastgroup
            if kind == "newline":
                if not self.open:
                    self._end_statement()
                    self.is_line_start = True
            elif kind not in ("comment", "join"):
                if self.is_line_start:
                    self._begin_line(match)
                self._token(str(kind), match)
        self._pay(UNCLOSED_FACTOR if self.open else 1)

    def _token(self, kind: str, match: re.Match[str]) -> None:
        if self.backtracking:
            self.line_cost += 1 << min(self.weight, 64)
        token = match[kind]
        if kind == "open":
            self._push(_CLOSERS[token])
        elif kind == "close":
            # One that does not belong to the last open bracket is an error; the parser will say so.
            if self.open and self.open[-1].closer == token:
                self._pop()
        elif kind == "end":
            if self.open or token == ",":
                self.links = self.floor
            else:
                self._end_statement()
        elif kind == "string":
            self._string(match["prefix"].lower(), match["quote"])
        else:
            self._link(1)
            if kind == "colon":
                self._colon()
            elif token == "lambda":
                # Commas in its parameters do not end it: it lasts, at most, to the bracket's end.
                self.floor += 2
            elif token == "del" and not self.open:
                self.backtracking = token

    def _link(self, count: int) -> None:
        self.links += count
        if self.links > MAX_LINKS:
            raise self._too_deep(f"an expression or a chain of `elif` of more than {MAX_LINKS:,} links; split it")

    def _push(self, closer: str, quote: str = "", is_literal: bool = False) -> None:
        if len(self.open) == MAX_BRACKETS:
            raise self._too_deep(f"more than {MAX_BRACKETS} nested brackets, the most that Python takes")
        self.open.append(_Bracket(closer, self.links, self.floor, self.weight, quote, is_literal))
        self.weight += BACKTRACKING_WEIGHTS.get(closer, 0)
        self._link(BRACKET_LINKS)
        self.floor = self.links

    def _pop(self) -> _Bracket:
        bracket = self.open.pop()
        self.links = bracket.links + BRACKET_LINKS
        self.floor = bracket.floor
        self.weight = bracket.weight
        return bracket

    def _colon(self) -> None:
        if not self.open:
            if self.backtracking == "case":
                self._pay()
        elif self.open[-1].quote:
            self._push("}", self.open[-1].quote, is_literal=True)

    def _string(self, prefix: str, quote: str) -> None:
        if "f" in prefix or "t" in prefix:
            self._push(quote, quote, is_literal=True)
            return
        self._link(1)
        for match in _STRING_STOPS[quote].finditer(self.text, self.position):
            if match[0][0] != "\\":
                self.position = match.start() if match[0] in "\r\n" else match.end()
                return
        self.position = len(self.text)

    def _literal(self, top: _Bracket) -> None:
        """Go on to the next place in an f-string's text that means something."""
        is_specification = top.closer == "}"
        match = (_SPECIFICATION_STOPS if is_specification else _LITERAL_STOPS)[top.quote].search(
            self.text, self.position
        )
        if match is None:
            self.position = len(self.text)
            return
        self.position = match.end()
        if match[0] == "{":
            self._push("}", top.quote)
        elif match[0] == "}" and is_specification:
            self._pop()
            self._pop()
        elif match[0] == top.quote or match[0] in "\r\n":
            while self._pop().closer != top.quote:
                pass
            if match[0] != top.quote:
                self.position = match.start()

    def _begin_line(self, match: re.Match[str]) -> None:
        self.is_line_start = False
        token = match[str(match.lastgroup)]
        indentation = match[0][: len(match[0]) - len(token)]
        column = len(indentation.rpartition("\f")[2].expandtabs(8))
        while self.blocks[-1].column > column:
            self.blocks.pop()
        block = self.blocks[-1]
        if column > block.column:
            if len(self.blocks) > MAX_INDENTATION:
                raise self._too_deep(f"more than {MAX_INDENTATION} levels of indentation, the most that Python takes")
            is_match = self.first_word == "match"
            block = _Block(column, block.below + block.branches + BRACKET_LINKS, is_match=is_match)
            self.blocks.append(block)
        if token == "elif":
            block.branches += 1
        elif token not in ("else", "except", "finally"):
            block.branches = 0
        if token == "case" and block.is_match:
            self.backtracking = token
        self.first_word = token
        self.links = self.floor = block.below + block.branches
        self._link(0)

    def _end_statement(self) -> None:
        self._pay()
        self.links = self.floor = self.blocks[-1].below + self.blocks[-1].branches

    def _pay(self, factor: int = 1) -> None:
        """Take the costly part of a line to be at its end."""
        self.cost += self.line_cost * factor
        self.backtracking, self.line_cost = "", 0
        if self.cost > MAX_BACKTRACKING:
            raise self._too_deep("`case` patterns or `del` targets nested so deep that parsing takes too long")

    def _too_deep(self, what: str) -> TooDeepError:
        line = len(_LINE_END.findall(self.text, 0, self.position)) + 1
        return TooDeepError(f"has {what}", line)
