"""Classes of one's own library, told in the format of the tables that ship."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import lint_epoch
from lint_epoch.config import ConfigError, load_config
from lint_epoch.integrations.flake8 import Plugin
from lint_epoch.project.libraries import load

TABLE = """\
[[class]]
name = "ourlib.data.RankOrder"
bases = ["torch.utils.data.Sampler"]
kind = "sampler"
parameters = ["dataset"]
set_epoch = true
length = true
state_dict = false
epoch = "set by the caller"
distributed = true
"""
SCRIPT = """\
from torch.utils.data import DataLoader
from ourlib.data import RankOrder


def main(dataset):
    loader = DataLoader(dataset, sampler=RankOrder(dataset))
    for epoch in range(3):
        for batch in loader:
            print(batch)


main(list(range(16)))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "ours.toml").write_text(TABLE)
    return tmp_path


def test_a_class_that_no_table_has_is_unknown_and_one_of_the_users_is_known(project: Path) -> None:
    assert lint_epoch.check([project]).findings == ()
    (project / "lint_epoch.toml").write_text('libraries = ["ours.toml"]\n')
    [finding] = lint_epoch.check([project]).findings
    assert (finding.code, finding.line) == ("LEP301", 7)
    assert "RankOrder" in finding.message


def test_flake8_says_the_same_of_a_file_that_names_nothing_else(project: Path) -> None:
    (project / "lint_epoch.toml").write_text('libraries = ["ours.toml"]\n')
    (project / "ours.toml").write_text(
        TABLE.replace('kind = "sampler"', 'kind = "loader"').replace("ourlib.data.", "o.")
    )
    text = (
        "from o import RankOrder\n\nx = RankOrder([])\nfor epoch in range(3):\n    for batch in x:\n        batch()\n"
    )
    path = project / "train.py"
    path.write_text(text)
    [finding] = lint_epoch.check([project]).findings
    plugin = Plugin(ast.parse(text), str(path), text.splitlines(keepends=True))
    assert [(line, column + 1) for line, column, _, _ in plugin.run()] == [(finding.line, finding.column)]


def test_the_users_word_counts_over_ours(project: Path) -> None:
    name = "torch.utils.data.distributed.DistributedSampler"
    text = TABLE.replace("ourlib.data.RankOrder", name).replace('epoch = "set by the caller"', "")
    (project / "ours.toml").write_text(text)
    assert load(((project / "ours.toml").as_posix(),)).classes[name].epoch == ""
    assert load().classes[name].epoch == "set by the caller"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        ("[[class]\n", "is no table of classes: "),
        ('[[class]]\nname = "a.B"\n', "is no table of classes: Object missing required field `kind`"),
        (TABLE + "shuffles = true\n", "is no table of classes: Object contains unknown field `shuffles`"),
        (TABLE + 'like = "a.Missing"\n', "ourlib.data.RankOrder is `like` a.Missing, which no table has"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_by_name(project: Path, text: str | None, message: str) -> None:
    (project / "ours.toml").unlink()
    if text is not None:
        (project / "other.toml").write_text(text)
    (project / "lint_epoch.toml").write_text('libraries = ["other.toml"]\n')
    with pytest.raises(ConfigError) as refused:
        load_config(project)
    assert refused.value.path == str(project / "other.toml")
    assert refused.value.message.startswith(message)
