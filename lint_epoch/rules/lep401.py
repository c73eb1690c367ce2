"""`dataset.set_epoch` in the main process, while persistent workers keep their old copies of the dataset.

## What it does

Reports a dataset that keeps its epoch in a plain attribute, is told the epoch, and is read by a loader with
`persistent_workers=True`; also where the loader's own sampler tells it.

## Why is this bad?

The workers' copies never hear of it (measured: 1 distinct order in 3 passes, 3 without persistent workers).

## Example

    loader = DataLoader(dataset, num_workers=2, persistent_workers=True)
    for epoch in range(epochs):
        dataset.set_epoch(epoch)

## Use instead

    self.epoch = multiprocessing.Value("i", 0)  # in the dataset: shared with the workers

## Fix safety

There is no fix: put the epoch in shared memory, or do not let the workers persist.

## Known limits

Samplers run in the main process and always hear. `datasets.IterableDataset` shares its epoch with its workers.

## References

- PyTorch, torch.utils.data: https://docs.pytorch.org/docs/stable/data.html
- What each fault does at run time: docs/runtime-facts.md
"""

from __future__ import annotations

from collections.abc import Iterator

from lint_epoch.diagnostics import Confidence
from lint_epoch.project.view import Model
from lint_epoch.project.workers import stale_by_sampler, stale_datasets
from lint_epoch.rules.base import Draft, Rule


class WorkersKeepOldEpoch(Rule):
    """LEP401."""

    code = "LEP401"
    name = "workers-keep-old-epoch"
    summary = "`dataset.set_epoch` with `persistent_workers=True`: the workers' copies never hear of it"
    consequence = "same order every epoch"

    def check(self, model: Model) -> Iterator[Draft]:
        """Report epochs of datasets that are set only in the main process."""
        for epoch, loader in (*stale_datasets(model), *stale_by_sampler(model)):
            place = epoch.origin
            message = (
                f"the {model.describe(epoch.target)} gets its epoch in the main process alone: the persistent workers "
                f"of the {model.describe(loader)} keep copies that never hear of it, so each epoch is the first one; "
                "put the epoch in shared memory, or do not let the workers persist"
            )
            steps = [(place.module, place.at, "the epoch is set here")]
            if loader.site[0] is not None:
                steps.append((loader.site[0], loader.site[1], "the loader whose workers persist"))
            confidence: Confidence = "likely" if epoch.target.assumed else "proved"
            yield Draft(self.code, place.module, place.at, message, steps, confidence)


RULE = WorkersKeepOldEpoch()
