"""The command line as a user meets it: a process, its two streams and its exit status."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.report import FORMATS

ROOT = Path(lint_epoch.__file__).parent.parent

CLEAN = "print('nothing to do with data')\n"

#: Variables of the user's machine, or of a CI service, that change what is shown.
OUTSIDE = ("NO_COLOR", "FORCE_COLOR", "LANG", "GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project of its own."""
    (tmp_path / ".git").mkdir()
    return tmp_path


@pytest.fixture
def run(project: Path) -> Run:
    """Run lint-epoch in the project."""

    def lint_epoch(*arguments: str, answers: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {key: value for key, value in os.environ.items() if key not in OUTSIDE}
        return subprocess.run(
            [sys.executable, "-m", "lint_epoch", *arguments],
            cwd=project,
            env={**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environment},
            input=answers,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return lint_epoch


@pytest.fixture
def faulty(project: Path, faulty_script: str) -> Path:
    path = project / "train.py"
    path.write_text(faulty_script)
    return path


def codes(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [finding["code"] for finding in json.loads(done.stdout)["findings"]]


# Exit status


def test_nothing_found_is_0(project: Path, run: Run) -> None:
    (project / "a.py").write_text(CLEAN)
    done = run("check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("no findings in 1 file")


def test_findings_are_1(faulty: Path, run: Run) -> None:
    done = run("check")
    assert (done.returncode, done.stderr) == (1, "")
    assert "train.py:4:" in done.stdout
    assert "LEP101" in done.stdout


def test_findings_are_0_where_that_is_asked_for(faulty: Path, run: Run) -> None:
    done = run("check", "--exit-zero")
    assert done.returncode == 0
    assert "LEP101" in done.stdout


def test_a_missing_path_is_2_and_the_others_are_checked(faulty: Path, run: Run) -> None:
    done = run("check", "mising.py", "train.py")
    assert done.returncode == 2
    assert done.stderr.startswith("mising.py: error: ")
    assert "LEP101" in done.stdout


def test_a_missing_path_is_no_finding_that_could_pass(faulty: Path, run: Run) -> None:
    assert run("check", "--exit-zero", "mising.py").returncode == 2


def test_an_empty_path_is_no_folder(faulty: Path, run: Run) -> None:
    done = run("check", "")
    assert done.returncode == 2
    assert "a path is empty" in done.stderr


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"import set_epoch DataLoader\nclass (:\n", 1),
        (b"x = 1\nset_epoch = DataLoader\0\n", None),
        (b"set_epoch = DataLoader = '\xff'\n", None),
        (b"# coding: no-such\nset_epoch = DataLoader\n", None),
    ],
    ids=["syntax error", "nul byte", "undecodable", "unknown encoding"],
)
def test_a_file_that_cannot_be_read_is_2_and_the_others_are_checked(
    faulty: Path, run: Run, data: bytes, line: int | None
) -> None:
    (faulty.parent / "bad.py").write_bytes(data)
    done = run("check")
    assert done.returncode == 2
    assert done.stderr.startswith("bad.py:" if line is None else f"bad.py:{line}: error: ")
    assert ": error: " in done.stderr
    assert "train.py:4:" in done.stdout
    assert done.stdout.endswith(", 1 error\n")
    assert run("check", "--exit-zero").returncode == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_is_2(faulty: Path, run: Run, faulty_script: str) -> None:
    secret = faulty.parent / "secret.py"
    secret.write_text(faulty_script)
    secret.chmod(0)
    done = run("check")
    assert done.returncode == 2
    assert done.stderr.startswith("secret.py: error: ")


def test_a_named_path_that_is_no_file_is_2(faulty: Path, run: Run) -> None:
    os.mkfifo(faulty.parent / "pipe.py")
    done = run("check", "pipe.py", "train.py")
    assert done.returncode == 2
    assert done.stderr.startswith("pipe.py: error: ")
    assert "LEP101" in done.stdout


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n"])
def test_an_empty_file_is_fine(project: Path, run: Run, content: bytes) -> None:
    (project / "empty.py").write_bytes(content)
    assert run("check").returncode == 0


def test_a_folder_without_python_is_fine(project: Path, run: Run) -> None:
    (project / "README.md").write_text("set_epoch")
    done = run("check")
    assert (done.returncode, done.stdout) == (0, "no findings in 0 files\n")


def test_3000_nested_brackets_do_not_end_the_process(faulty: Path, run: Run) -> None:
    (faulty.parent / "deep.py").write_text(f"set_epoch = DataLoader = {'(' * 3_000}{')' * 3_000}\n")
    done = run("check")
    assert done.returncode == 2
    assert done.stderr.startswith("deep.py:1: error: ")
    assert "LEP101" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be removed")
def test_a_working_folder_that_is_gone_is_2_without_a_fault_of_ours(tmp_path: Path) -> None:
    program = f"cd '{tmp_path}' && mkdir gone && cd gone && rmdir ../gone && '{sys.executable}' -m lint_epoch check"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "error: " in done.stderr
    assert "internal error" not in done.stderr


def test_an_interrupt_is_130_without_a_traceback(faulty: Path) -> None:
    os.mkfifo(faulty.parent / "report")  # opened for writing, it blocks until somebody reads
    command = [sys.executable, "-m", "lint_epoch", "check", "mising.py", "--output-file", "report"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=faulty.parent, env=environment, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith(b"mising.py: error: ")
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().strip() == b""
    assert process.returncode == 130


def with_a_fault(project: Path, fault: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line with something in the engine broken."""
    program = f"import sys, lint_epoch.engine\n{fault}\nfrom lint_epoch.cli import main\nsys.exit(main({arguments}))"
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_fault_of_ours_is_2_and_a_bug_report(project: Path) -> None:
    done = with_a_fault(project, "lint_epoch.engine.check = None", "check", "some where")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("lint-epoch: internal error: TypeError: ")
    assert "  command: lint-epoch check 'some where'\n" in done.stderr
    assert "  called: report_findings at lint_epoch/commands.py:" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_fault_of_ours_shows_its_traceback_on_demand(project: Path) -> None:
    done = with_a_fault(project, "lint_epoch.engine.check = None", "check", LINT_EPOCH_DEBUG="1")
    assert done.returncode == 2
    assert "Traceback (most recent call last)" in done.stderr


def test_a_reader_that_goes_away_is_141_without_a_word(faulty: Path, faulty_script: str) -> None:
    for number in range(200):  # more than a pipe holds
        (faulty.parent / f"train_{number}.py").write_text(faulty_script)
    command = [sys.executable, "-m", "lint_epoch", "check"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=faulty.parent, env=environment, **pipes) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


# Options and configuration


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--no-such"], "No such option"),
        (["chekc"], "No such command"),
        (["check", "--select", "LEP999"], "Invalid value for '--select': no rule's code begins with \"LEP999\""),
        (
            ["fix", "--ignore", "LEP101,nonsense"],
            "Invalid value for '--ignore': no rule's code begins with \"nonsense\"",
        ),
        (["check", "--output-format", "yaml"], "Invalid value for '--output-format'"),
        (["check", "--unsafe-fixes"], "--unsafe-fixes needs --fix or --diff"),
        (["check", "--diff", "--output-format", "json"], "--diff writes a patch"),
        (["check", "--statistics", "--output-format", "json"], "--statistics is text"),
        (["check", "--config", "missing.toml"], "missing.toml: error: cannot be read: "),
        (["check", "--output-file", "missing/report"], "missing/report: error: cannot be written: "),
        (["explain", "LEP109"], 'no rule is called "LEP109"; did you mean "LEP10'),
        (
            ["explain", "wrapper-drops-length"],
            'no rule is called "wrapper-drops-length"; did you mean "wrapper-drops-len"?',
        ),
        (["explain", "?"], "`lint-epoch rules` lists them"),
    ],
)
def test_what_cannot_be_done_is_2_and_said(faulty: Path, run: Run, arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_configuration_that_cannot_be_used_is_2_and_named(faulty: Path, run: Run, faulty_script: str) -> None:
    (faulty.parent / "lint_epoch.toml").write_text("closed_world = true")
    for command in ("check", "fix"):
        done = run(command)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == 'lint_epoch.toml: error: unknown key `closed_world`; did you mean "closed-world"?\n'
    assert faulty.read_text() == faulty_script


def test_select_and_ignore_take_lists_and_may_be_repeated(faulty: Path, run: Run) -> None:
    arguments = ("check", "--output-format", "json")
    assert set(codes(run(*arguments))) >= {"LEP101", "LEP201"}
    assert codes(run(*arguments, "--select", "LEP101, LEP102", "--select", "LEP201", "--ignore", "LEP1")) != []
    assert codes(run(*arguments, "--select", "LEP201")) == ["LEP201"]
    assert "LEP201" not in codes(run(*arguments, "--ignore", "LEP2"))
    assert codes(run(*arguments, "--ignore", "LEP")) == []


def test_extend_select_adds_to_what_the_project_says(faulty: Path, run: Run) -> None:
    (faulty.parent / "lint_epoch.toml").write_text('select = ["LEP201"]')
    arguments = ("check", "--output-format", "json")
    assert codes(run(*arguments)) == ["LEP201"]
    assert codes(run(*arguments, "--extend-select", "LEP101")) == ["LEP101", "LEP201"]


def test_each_project_is_checked_by_its_own_settings(project: Path, run: Run, faulty_script: str) -> None:
    for name, settings in (("one", ""), ("two", 'select = ["LEP201"]')):
        (project / name / ".git").mkdir(parents=True)
        (project / name / "lint_epoch.toml").write_text(settings)
        (project / name / "train.py").write_text(faulty_script)
    done = run("check", "two", "one", "--output-format", "json")
    document = json.loads(done.stdout)
    found = [(finding["path"], finding["code"]) for finding in document["findings"]]
    assert [code for path, code in found if path == "two/train.py"] == ["LEP201"]
    assert {"LEP101", "LEP201"} <= {code for path, code in found if path == "one/train.py"}
    assert found == sorted(found, key=lambda place: place[0])
    assert document["summary"]["files"] == 2
    assert document["summary"]["findings"] == len(found)


def test_a_named_configuration_takes_the_place_of_the_projects(faulty: Path, run: Run) -> None:
    (faulty.parent / "lint_epoch.toml").write_text("this is no TOML")
    (faulty.parent / "ci.toml").write_text('select = ["LEP201"]')
    assert codes(run("check", "--config", "ci.toml", "--output-format", "json")) == ["LEP201"]


# Output


def test_concise_is_one_line_a_finding(faulty: Path, run: Run) -> None:
    lines = run("check", "--output-format", "concise").stdout.splitlines()
    assert lines[0].startswith("train.py:4:1: LEP101 ")
    assert all(line.startswith("train.py:") for line in lines)


def test_json_paths_are_relative_to_where_the_user_stands(faulty: Path, run: Run, project: Path) -> None:
    (project / "src").mkdir()
    faulty.rename(project / "src" / "train.py")
    paths = {
        finding["path"] for finding in json.loads(run("check", "--output-format", "json", "src").stdout)["findings"]
    }
    assert paths == {"src/train.py"}


def test_the_text_shows_the_frame_and_a_path(faulty: Path, run: Run) -> None:
    text = run("check").stdout
    assert '    15 |         if hasattr(loader, "set_epoch"):\n' in text
    assert "epoch path\n" in text


def test_colour_is_for_terminals_unless_forced(faulty: Path, run: Run) -> None:
    assert "\x1b[" not in run("check").stdout
    assert "\x1b[" in run("check", FORCE_COLOR="1").stdout
    assert "\x1b[" not in run("check", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_output_that_the_encoding_cannot_hold_is_escaped_and_drawn_in_ascii(
    project: Path, run: Run, faulty_script: str
) -> None:
    (project / "漢字.py").write_text(faulty_script)
    done = run("check", PYTHONIOENCODING="latin-1")
    assert done.returncode == 1
    assert "\\u6f22\\u5b57.py:4:1: LEP101" in done.stdout
    assert done.stdout.isascii()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the file system takes only Unicode names")
@pytest.mark.parametrize("output_format", FORMATS)
def test_no_file_name_can_steer_the_terminal(project: Path, run: Run, faulty_script: str, output_format: str) -> None:
    name = os.fsdecode(b"a\xff\x1b[2J\n\xe2\x80\xae.py")
    (project / name).write_text(faulty_script)
    done = run("check", "--output-format", output_format)
    assert done.returncode == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.stdout)
    if output_format == "json":
        assert json.loads(done.stdout)["findings"][0]["path"] == name
    elif output_format in ("text", "concise"):
        assert done.stdout.startswith("a\\xff\\x1b[2J\\x0a\\u202e.py:4:1: LEP101 ")


def test_a_report_can_go_to_a_file(faulty: Path, run: Run, project: Path) -> None:
    done = run("check", "--output-format", "json", "--output-file", "report.json", FORCE_COLOR="1")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    assert json.loads((project / "report.json").read_text())["version"] == 1


def test_on_github_the_page_of_the_job_gets_a_table(faulty: Path, run: Run, project: Path) -> None:
    page = project / "summary.md"
    page.write_text("before\n")
    told = {"GITHUB_WORKSPACE": str(project.parent), "GITHUB_STEP_SUMMARY": str(page)}
    done = run("check", "--output-format", "github", **told)
    assert (done.returncode, done.stderr) == (1, "")
    assert f"::error file={project.name}/train.py,line=4,col=1," in done.stdout
    assert page.read_text().startswith("before\n### lint-epoch\n")
    assert page.read_text().count("| LEP") == len(done.stdout.splitlines())
    run("check", **told)
    assert page.read_text().count("### lint-epoch") == 1
    lost = run("check", "--output-format", "github", GITHUB_STEP_SUMMARY=str(project / "missing" / "page"))
    assert lost.returncode == 2
    assert lost.stderr.endswith("page: error: cannot be written: No such file or directory\n")


def test_a_file_name_is_no_command_to_githubs_runner(project: Path, run: Run) -> None:
    (project / "::error ::x.py").write_text("import torch; torch.utils.data.DataLoader, set_epoch (")
    done = run("check", "--output-format", "github")
    assert done.stderr.startswith("./::error ::x.py:1: error: ")
    assert done.stdout.startswith("::error file=%3A%3Aerror %3A%3Ax.py,line=1,title=")


def test_a_file_holds_no_colour(faulty: Path, run: Run, project: Path) -> None:
    run("check", "--output-file", "report.txt", FORCE_COLOR="1")
    text = (project / "report.txt").read_text(encoding="utf-8")
    assert "LEP101" in text
    assert "\x1b" not in text


def test_statistics_take_the_place_of_the_findings(faulty: Path, run: Run) -> None:
    done = run("check", "--statistics")
    assert done.returncode == 1
    assert "  LEP101 wrapper-drops-set-epoch\n" in done.stdout
    assert "  unknown\n" in done.stdout
    assert "train.py:4" not in done.stdout


# Fixes


def test_fix_mends_and_a_second_run_has_nothing_to_do(faulty: Path, run: Run) -> None:
    first = run("fix")
    assert first.returncode == 1
    assert first.stderr.startswith("mended train.py: LEP101")
    assert "def set_epoch" in faulty.read_text()
    second = run("fix")
    assert (second.returncode, second.stderr) == (0, "")
    assert second.stdout.startswith("no findings") or "\nno findings" in second.stdout


def test_check_with_fix_is_0_when_nothing_remains(faulty: Path, run: Run) -> None:
    assert run("check", "--fix").returncode == 0
    assert "def set_epoch" in faulty.read_text()


def test_fix_is_0_where_that_is_asked_for(faulty: Path, run: Run) -> None:
    assert run("fix", "--exit-zero").returncode == 0
    assert "def set_epoch" in faulty.read_text()


@pytest.mark.parametrize("command", ["fix", "check"])
def test_diff_writes_nothing_and_applies(faulty: Path, run: Run, command: str, faulty_script: str) -> None:
    done = run(command, "--diff")
    assert done.returncode == 1
    assert done.stderr.startswith("would mend train.py: ")
    assert faulty.read_text() == faulty_script
    subprocess.run(["git", "apply", "-p0"], input=done.stdout, text=True, cwd=faulty.parent, check=True)
    patched = faulty.read_text()
    faulty.write_text(faulty_script)
    run("fix")
    assert faulty.read_text() == patched


def test_a_clean_project_has_an_empty_diff(project: Path, run: Run) -> None:
    (project / "a.py").write_text(CLEAN)
    done = run("fix", "--diff")
    assert (done.returncode, done.stdout) == (0, "")


def test_a_patch_in_a_file_has_the_files_own_bytes(faulty: Path, run: Run, project: Path, faulty_script: str) -> None:
    source = "# coding: latin-1\n" + faulty_script.replace("Wrapper:", "Wrapper:  # é")
    faulty.write_bytes(source.replace("\n", "\r\n").encode("latin-1"))
    done = run("check", "--diff", "--output-file", "fix.patch")
    assert done.stdout == ""
    subprocess.run(["git", "apply", "-p0", "fix.patch"], cwd=project, check=True)
    patched = faulty.read_bytes()
    assert patched.count(b"\n") == patched.count(b"\r\n") > source.count("\n")
    faulty.write_bytes(source.replace("\n", "\r\n").encode("latin-1"))
    run("fix")
    assert faulty.read_bytes() == patched


@pytest.mark.parametrize(("answers", "is_mended"), [("y\n", True), ("a\n", True), ("n\n", False), ("q\n", False)])
def test_each_fix_is_shown_and_asked_for(
    faulty: Path, run: Run, answers: str, is_mended: bool, faulty_script: str
) -> None:
    done = run("fix", "--interactive", answers=answers)
    assert done.returncode == 1
    assert "train.py:4:1: LEP101" in done.stderr
    assert "safe: insert set_epoch" in done.stderr
    assert "+    def set_epoch" in done.stderr
    assert ("def set_epoch" in faulty.read_text()) is is_mended
    assert (faulty.read_text() == faulty_script) is not is_mended


def test_nothing_is_written_where_the_answers_end(faulty: Path, run: Run, faulty_script: str) -> None:
    done = run("fix", "-i", answers="")
    assert done.returncode == 130
    assert faulty.read_text() == faulty_script


def test_a_diff_asks_nothing(faulty: Path, run: Run) -> None:
    done = run("fix", "--diff", "--interactive")
    assert done.returncode == 2
    assert "does not go with --diff" in done.stderr


# What tells of the tool


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").stdout == f"lint-epoch {lint_epoch.__version__}\n"


@pytest.mark.parametrize("name", ["LEP101", "lep101", "wrapper-drops-set-epoch"])
def test_a_rule_is_explained_by_code_or_name(run: Run, name: str) -> None:
    done = run("explain", name)
    assert done.returncode == 0
    assert done.stdout.startswith("# LEP101 wrapper-drops-set-epoch\n\n")
    assert "\n## " in done.stdout


def test_the_rules_are_listed_for_people_and_for_programs(run: Run) -> None:
    listed = json.loads(run("rules", "--output-format", "json").stdout)
    assert [rule["code"] for rule in listed] == sorted(rule["code"] for rule in listed)
    assert all(set(rule) == {"code", "name", "summary", "fixable"} for rule in listed)
    lines = run("rules").stdout.splitlines()
    assert len(lines) == len(listed)
    assert lines[0].startswith("LEP101  wrapper-drops-set-epoch  ")
