"""Which names and values differ from rank to rank."""

from __future__ import annotations

from lint_epoch.project.values import Data, ValueSet

#: Attributes and variables that, where nothing better is known of them, hold the number of the rank.
RANK_NAMES = frozenset(
    {
        "rank", "local_rank", "global_rank", "local_process_index", "process_index", "RANK", "LOCAL_RANK", "proc_rank",
        "world_rank", "ddp_rank", "ddp_local_rank", "dist_rank", "rank_id", "my_rank", "dp_rank", "data_parallel_rank",
    }
)  # fmt: skip

#: Names of truth values that hold on one rank alone.
MAIN_NAMES = frozenset(
    {
        "is_main_process", "is_local_main_process", "is_main", "is_master", "is_global_zero", "is_rank_zero",
        "is_rank0",
        "master_process", "main_process", "is_master_process", "is_main_rank", "is_global_main_process",
        "is_world_process_zero", "is_local_master", "is_chief", "get_is_main_process",
    }
)  # fmt: skip


def by_name(name: str) -> Data | None:
    """Return what a name says about ranks, if anything."""
    if name in RANK_NAMES:
        return Data(rank=True)
    if name in MAIN_NAMES or name.lstrip("_") in MAIN_NAMES:
        return Data(rank=True, main_only=True)
    return None


def main_only(values: ValueSet) -> bool | None:
    """Whether a test holds on the main rank alone (True), on all others alone (False), or says nothing of ranks."""
    answers = {value.main_only for value in values if isinstance(value, Data)}
    if len(answers) == 1 and len(values) == sum(isinstance(value, Data) for value in values):
        return answers.pop()
    return None
