"""The command line; ``lint_epoch.exits`` says what its exit status means."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lint_epoch import __version__
from lint_epoch.exits import CLEAN, FAILED, INTERRUPTED
from lint_epoch.report import FORMATS
from lint_epoch.report.output import say, survive_any_character

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lint_epoch.commands import Upkeep
    from lint_epoch.report.view import Colour

_Command = TypeVar("_Command", bound="Callable[..., Any]")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Args:
        argv: the arguments without the program's name; by default those of the process.
    """
    survive_any_character()
    try:
        return _run(argv)
    except click.exceptions.Exit as ended:  # from `say`, while an error was being told
        return ended.exit_code


def _run(argv: Sequence[str] | None) -> int:
    try:
        status = cli.main(None if argv is None else list(argv), prog_name="lint-epoch", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return FAILED
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        # Imported here: it should never be needed.
        from lint_epoch.report.crash import bug_report

        say(bug_report(error, sys.argv[1:] if argv is None else argv), error=True)
        return FAILED
    return status if isinstance(status, int) else CLEAN


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="lint-epoch %(version)s")
def cli() -> None:
    """Find where a PyTorch training job silently replays, drops or repeats its data, and mend it."""


def _codes(_context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Split at commas, and refuse what no rule answers to."""
    codes = tuple(code for value in values for part in value.split(",") if (code := part.strip()))
    if codes:
        # Imported here: most runs select nothing.
        from lint_epoch.config import unknown_code

        for code in codes:
            if complaint := unknown_code(code):
                raise click.BadParameter(complaint, param=option)
    return codes


def _paths(_context: click.Context, _argument: click.Parameter, values: tuple[str, ...]) -> tuple[Path, ...]:
    if "" in values:
        raise click.BadParameter("a path is empty")
    return tuple(map(Path, values or (".",)))


_FILE = click.Path(path_type=Path)
_CODES: dict[str, Any] = {"multiple": True, "callback": _codes, "metavar": "CODES"}
_COLOUR = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour: auto heeds NO_COLOR, then FORCE_COLOR, then whether a terminal reads it.",
)
_SHARED = (
    click.argument("paths", nargs=-1, callback=_paths),
    click.option(
        "--select", **_CODES, help="Codes, or beginnings of codes, that are on, and no others; comma separated."
    ),
    click.option("--ignore", **_CODES, help="Codes, or beginnings of codes, that are off."),
    click.option("--extend-select", **_CODES, help="Codes, or beginnings of codes, that are on as well."),
    click.option("--config", "config_file", type=_FILE, metavar="FILE", help="Read FILE, not the project's settings."),
    click.option("--baseline", type=_FILE, metavar="FILE", help="Do not report the findings that FILE knows."),
    click.option(
        "--unused-suppressions", is_flag=True, help="Show (fix: remove) comments of ours that silence nothing, instead."
    ),
    click.option("--diff", is_flag=True, help="Show what the fixes would change, and write nothing."),
    click.option("--unsafe-fixes", is_flag=True, help="Apply the fixes, too, that may change what right code does."),
    _COLOUR,
    click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found."),
)


def _shared(command: _Command) -> _Command:
    """Give a command the arguments that ``check`` and ``fix`` have in common."""
    for decorate in reversed(_SHARED):
        command = decorate(command)
    return command


@cli.command()
@_shared
@click.option("--fix", is_flag=True, help="Mend what can be mended, and report what remains.")
@click.option("--output-format", type=click.Choice(FORMATS), help="How findings are written; by default text.")
@click.option("--output-file", type=_FILE, metavar="FILE", help="Write the report, or with --diff the patch, to FILE.")
@click.option("--statistics", is_flag=True, help="Show counts for each rule and loop in place of the findings.")
@click.option("--ignore-noqa", is_flag=True, help="Report what comments silence, too.")
@click.option("--add-noqa", is_flag=True, help="Silence each finding by a comment at the end of its line.")
@click.option("--write-baseline", type=_FILE, metavar="FILE", help="Write the findings there are to FILE, as known.")
@click.option("--show-settings", is_flag=True, help="Show the settings that count for PATHS, and check nothing.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Read files in N processes; by default if many.")
@click.option("--no-cache", is_flag=True, help="Find everything out anew, and keep nothing of it.")
@click.option("--cache-dir", type=_FILE, metavar="DIR", help="Keep the cache in DIR, not in the user's cache folder.")
@click.option("--scheduler", metavar="ADDRESS", help="Read files on the Dask cluster at ADDRESS; needs `cluster`.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked, and check nothing.")
def check(
    fix: bool,
    output_format: str | None,
    output_file: Path | None,
    statistics: bool,
    ignore_noqa: bool,
    unused_suppressions: bool,
    **others: Any,
) -> int:
    """Report the faults in PATHS, by default the working folder; the whole project counts as evidence.

    Exits with 0 if there are none, with 1 if there are, and with 2 if something could not be checked.
    """
    upkeep = {name: others.pop(name) for name in ("add_noqa", "write_baseline", "show_settings", "show_files")}
    shared = others
    if shared["unsafe_fixes"] and not (fix or shared["diff"]):
        raise click.UsageError("--unsafe-fixes needs --fix or --diff")
    if shared["diff"] and (statistics or output_format):
        raise click.UsageError("--diff writes a patch; it does not go with --output-format or --statistics")
    if statistics and output_format not in (None, "text"):
        raise click.UsageError("--statistics is text; the summary of --output-format json has its counts")
    # Imported here: `--version`, `rules` and `explain` do without.
    from lint_epoch import commands

    chosen = "statistics" if statistics else output_format or "text"
    request = commands.Request(**shared, output_format=chosen, output_file=output_file, heed_comments=not ignore_noqa)
    named = [name for name, given in upkeep.items() if given]
    if named:
        if len(named) > 1 or fix or request.diff or statistics or output_format or ignore_noqa or unused_suppressions:
            option = f"--{named[0].replace('_', '-')}"
            raise click.UsageError(f"{option} is done in place of a report; it goes with no other option of that kind")
        return commands.tend(request, _UPKEEP[named[0]], target=upkeep["write_baseline"])
    if unused_suppressions:
        if fix or request.diff or ignore_noqa or statistics:
            hint = "; `lint-epoch fix --unused-suppressions` removes them" if fix or request.diff else ""
            refused = "--fix, --diff, --ignore-noqa or --statistics"
            raise click.UsageError(f"--unused-suppressions does not go with {refused}{hint}")
        return commands.report_unused(request)
    if ignore_noqa and (fix or request.diff):
        raise click.UsageError("--ignore-noqa shows what comments silence; it does not go with --fix or --diff")
    if fix or request.diff:
        return commands.mend(request, changes_count=False)
    return commands.report_findings(request)


#: What an option of ``check`` asks for in place of a report.
_UPKEEP: dict[str, Upkeep] = {
    "add_noqa": "add noqa",
    "write_baseline": "write baseline",
    "show_settings": "settings",
    "show_files": "files",
}


@cli.command()
@_shared
@click.option("-i", "--interactive", is_flag=True, help="Show what each fix changes, safe or not, and ask.")
def fix(interactive: bool, unused_suppressions: bool, **shared: Any) -> int:
    """Mend what can be mended in PATHS, by default the working folder, and report what remains.

    Exits with 0 if there was nothing to do, with 1 if something was changed (with --diff: would be) or findings
    remain, so that a commit stops, and with 2 if a file could not be checked or written.
    """
    if interactive and unused_suppressions:
        raise click.UsageError("--interactive asks about fixes; it does not go with --unused-suppressions")
    if interactive and shared["diff"]:
        raise click.UsageError("--interactive writes what you agree to; it does not go with --diff")
    # Imported here: see `check`.
    from lint_epoch import commands

    request = commands.Request(**shared, interactive=interactive)
    if unused_suppressions:
        return commands.tend(request, "remove unused")
    return commands.mend(request, changes_count=True)


@cli.command()
@click.argument("place", metavar="FILE[:LINE]")
@click.option(
    "--output-format", type=click.Choice(["tree", "mermaid", "dot"]), default="tree", help="By default a tree."
)
@_COLOUR
def trace(place: str, output_format: str, color: Colour) -> int:
    """Draw the epoch paths through a file, or through a loop, a guard or a class in a line of it.

    Right paths are drawn with the route by which the call arrives, faulty ones with the hop at which it is lost,
    unknown ones with the hop at which sight is lost.
    """
    # Imported here: see `check`.
    from lint_epoch.commands_trace import trace as draw

    return draw(place, output_format, color)


@cli.command()
@click.option("--cache-dir", type=_FILE, metavar="DIR", help="The cache in DIR, not the one in the user's folder.")
def clean(cache_dir: Path | None) -> int:
    """Remove what former runs have kept in the cache."""
    # Imported here: see `check`.
    from lint_epoch.source.cache import clean as remove

    files, size = remove(cache_dir)
    say(f"removed {files} files ({size / 2**20:.1f} MB) from the cache\n")
    return CLEAN


@cli.command()
@click.argument("rule", metavar="CODE")
def explain(rule: str) -> int:
    """Say what a rule means, why it matters and what to do; CODE is its code or its name."""
    # Imported here: `--version` and `--help` do without.
    from lint_epoch.config import nearest
    from lint_epoch.rules import UNUSED, all_rules

    rules = (*all_rules(), UNUSED)
    for known in rules:
        if rule.upper() == known.code or rule.lower() == known.name:
            say(f"# {known.code} {known.name}\n\n{known.documentation.strip()}\n")
            return CLEAN
    codes, names = [known.code for known in rules], [known.name for known in rules]
    hint = nearest(rule.upper(), codes) or nearest(rule.lower(), names) or "; `lint-epoch rules` lists them"
    raise click.UsageError(f'no rule is called "{rule}"{hint}')


@cli.command()
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", help="By default text.")
def rules(output_format: str) -> int:
    """List the rules: code, name, whether `fix` can mend what they find, and what they say."""
    # Imported here: see `explain`.
    import json

    from lint_epoch.rules import all_rules

    if output_format == "json":
        keys = ("code", "name", "summary", "fixable")
        say(json.dumps([{key: getattr(rule, key) for key in keys} for rule in all_rules()], indent=2) + "\n")
        return CLEAN
    width = max(len(rule.name) for rule in all_rules())
    for rule in all_rules():
        say(f"{rule.code}  {rule.name:<{width}}  {'fix' if rule.fixable else '   '}  {rule.summary}\n")
    return CLEAN
