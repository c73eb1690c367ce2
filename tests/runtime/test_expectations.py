"""The fixtures are what their expected.json says, as far as that shows without running anything."""

from __future__ import annotations

import ast

import pytest

from .expectations import FIXTURES, expected_of, fixture_names

ALL_RULES = {
    *("LEP101", "LEP102", "LEP103", "LEP104", "LEP105"),
    *("LEP201", "LEP202", "LEP203", "LEP204"),
    *("LEP301", "LEP302", "LEP303", "LEP304", "LEP305", "LEP306"),
    *("LEP401", "LEP501"),
}
#: Rules with a fix of their own; three faulty shapes each.
FIXABLE_RULES = ALL_RULES - {"LEP201", "LEP203", "LEP401", "LEP501"}


def test_every_folder_says_what_is_expected() -> None:
    folders = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())

    assert folders == fixture_names()


def test_every_rule_has_faulty_fixtures_of_several_shapes() -> None:
    fixtures_of = {
        code: {name for name in fixture_names() for place in expected_of(name).faulty if place.code == code}
        for code in ALL_RULES
    }

    assert {code for code, names in fixtures_of.items() if len(names) < 2} == set()
    assert {code for code in FIXABLE_RULES if len(fixtures_of[code]) < 3} == set()


def test_correct_versions_outnumber_faulty_ones() -> None:
    faulty = [name for name in fixture_names() if (FIXTURES / name / "faulty").is_dir()]
    mended = [name for name in fixture_names() if (FIXTURES / name / "mended").is_dir()]

    assert len(mended) > len(faulty) > 0


@pytest.mark.parametrize("name", fixture_names())
def test_a_mended_version_expects_no_finding(name: str) -> None:
    expected = expected_of(name)

    assert (FIXTURES / name / "mended").is_dir()
    assert expected.mended == []
    assert (FIXTURES / name / "faulty").is_dir() == bool(expected.faulty)


@pytest.mark.parametrize("name", fixture_names())
def test_every_expected_place_is_a_line_with_code_of_its_kind(name: str) -> None:
    expected = expected_of(name)

    for version, places in (("faulty", expected.faulty), ("forwarded_only", expected.forwarded_only)):
        for place in places:
            tree = ast.parse((FIXTURES / name / version / place.path).read_bytes())
            kinds = {type(node) for node in ast.walk(tree) if getattr(node, "lineno", 0) == place.line}
            assert kinds & wanted_nodes(place.code), f"{place} is none of {wanted_nodes(place.code)}"


def wanted_nodes(code: str) -> set[type[ast.AST]]:
    """What a rule points at: a class, a loop or the statement that restarts one, a call."""
    if code == "LEP303":  # the class whose constructor makes the iterator, where the class is what is wrong
        return {ast.Call, ast.ClassDef}
    if code in {"LEP101", "LEP102", "LEP103"}:
        return {ast.ClassDef}
    if code == "LEP105":  # a wrapper, or the call that puts a state back
        return {ast.ClassDef, ast.Call}
    if code == "LEP104":
        return {ast.While, ast.For, ast.Assign}
    if code == "LEP301":  # a loop, or the call that runs a framework's
        return {ast.For, ast.While, ast.Call}
    if code == "LEP304":
        return {ast.Call, ast.While, ast.For}
    return {ast.Call}


@pytest.mark.parametrize("name", fixture_names())
def test_every_file_parses_and_every_script_to_run_is_there(name: str) -> None:
    files = list((FIXTURES / name).rglob("*.py"))
    assert files
    for path in files:
        ast.parse(path.read_bytes(), str(path))

    for case in expected_of(name).runtime:
        assert (FIXTURES / name / "mended" / case.script).is_file()
        assert (case.faulty is not None) == (FIXTURES / name / "faulty").is_dir()


@pytest.mark.parametrize("name", [name for name in fixture_names() if expected_of(name).faulty])
def test_the_twins_differ_in_code(name: str) -> None:
    def code(version: str) -> set[tuple[str, str]]:
        root = FIXTURES / name / version
        return {(str(path.relative_to(root)), ast.dump(ast.parse(path.read_bytes()))) for path in root.rglob("*.py")}

    assert code("faulty") != code("mended")
