"""How long lint-epoch takes on public packages, beside other linters, as ratios of one run.

    python benchmarks/compare.py [--packages N] [--repeat 5] [--growth]

The packages are pinned, downloaded by pip and unpacked, never installed. Each command runs once to warm the file
system's cache, then ``--repeat`` times; the table shows medians. A tool that is not installed is left out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

PACKAGES = (
    "accelerate==1.10.1",
    "timm==1.0.19",
    "lightning==2.5.5",
    "mmengine==0.10.7",
    "transformers==4.56.2",
    "lhotse==1.31.1",
    "speechbrain==1.0.3",
    "catalyst==22.4",
)

#: Sizes of the trees with which growth is measured, in files.
SIZES = (500, 1000, 2000, 4000, 8000)


@dataclass(frozen=True)
class Cost:
    """What one run of a command took."""

    seconds: float
    megabytes: float


def run(command: list[str], folder: Path) -> Cost:
    """Run a command to its end, whatever it finds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return Cost(time.perf_counter() - start, usage.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10))


def median(command: list[str], folder: Path, repeat: int) -> Cost:
    """Return the median time and the largest memory of several runs after one that does not count."""
    run(command, folder)
    costs = [run(command, folder) for _ in range(repeat)]
    return Cost(statistics.median(cost.seconds for cost in costs), max(cost.megabytes for cost in costs))


def fetch(packages: tuple[str, ...], folder: Path) -> None:
    """Download wheels and unpack the Python files in them."""
    wheels = folder / "wheels"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", str(wheels)]
    subprocess.run([*pip, *packages], check=True)
    tree = folder / "tree"
    tree.mkdir()
    (tree / "pyproject.toml").touch()
    for wheel in sorted(wheels.iterdir()):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tree, [name for name in archive.namelist() if name.endswith(".py")])


def commands(folder: Path) -> dict[str, list[str]]:
    """Return what is measured, by name."""
    ours = [sys.executable, "-m", "lint_epoch", "check", "--exit-zero"]
    cache = ["--cache-dir", str(folder / "cache")]
    one = min((folder / "tree").rglob("*.py"), key=lambda path: (b"DistributedSampler" not in path.read_bytes(), path))
    found = {
        "ruff": [shutil.which("ruff") or "", "check", "--no-cache", "--exit-zero", "."],
        "lint-epoch, cold": [*ours, "--no-cache", "."],
        "lint-epoch, cold, one process": [*ours, "--no-cache", "--jobs", "1", "."],
        "lint-epoch, warm": [*ours, *cache, "."],
        "lint-epoch, one file, cold": [*ours, "--no-cache", str(one)],
        "lint-epoch, one file, warm": [*ours, *cache, str(one)],
        "flake8 without LEP": [sys.executable, "-m", "flake8", "--isolated", "--ignore=LEP", "."],
        "TorchFix": [shutil.which("torchfix") or "", "."],
        "Fixit": [shutil.which("fixit") or "", "lint", "."],
    }
    return {name: command for name, command in found.items() if command[0]}


def compare(folder: Path, repeat: int) -> None:
    """Print the table of ratios."""
    tree = folder / "tree"
    files = sum(1 for _ in tree.rglob("*.py"))
    print(f"{files} files, medians of {repeat}\n\n| run | seconds | of ruff's | MB |\n| --- | --- | --- | --- |")
    ruff = 0.0
    for name, command in commands(folder).items():
        cost = median(command, tree, repeat)
        ruff = ruff or cost.seconds
        print(f"| {name} | {cost.seconds:.2f} | {cost.seconds / ruff:.2f} | {cost.megabytes:.0f} |", flush=True)


def growth(folder: Path, repeat: int) -> None:
    """Print how the cost grows with files that cannot take part, around the same ones that can."""
    ours = [sys.executable, "-m", "lint_epoch", "check", "--exit-zero", "--no-cache", "."]
    fixture = Path(__file__).parent.parent / "fixtures" / "robot_trainer" / "faulty"
    print("\n| files | seconds |\n| --- | --- |")
    for size in SIZES:
        tree = folder / f"grown{size}"
        shutil.copytree(fixture, tree)
        (tree / "pyproject.toml").touch()
        for number in range(size):
            (tree / f"plain{number}.py").write_text(f"def plain_{number}(x):\n    return x + {number}\n" * 100)
        print(f"| {size} | {median(ours, tree, repeat).seconds:.2f} |", flush=True)


def main() -> None:
    """Read the command line and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=int, default=len(PACKAGES), help="how many of the packages")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--growth", action="store_true", help="measure how the cost grows, too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fetch(PACKAGES[: arguments.packages], folder)
        compare(folder, arguments.repeat)
        if arguments.growth:
            growth(folder, arguments.repeat)


if __name__ == "__main__":
    main()
