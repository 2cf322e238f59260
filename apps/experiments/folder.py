"""Where the results of experiments are in the data folder."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from apps.experiments.models import Cell


def experiment_folder(experiment_id: int) -> Path:
    """The folder of an experiment's results."""
    return Path(settings.DATA_DIR) / "experiments" / str(experiment_id)


def result_path(cell: Cell) -> Path:
    """The file of a cell's result."""
    return experiment_folder(cell.experiment_id) / f"cell-{cell.pk}.npz"


def record_folder(experiment_id: int) -> Path:
    """The folder with the answers of the live Web."""
    return experiment_folder(experiment_id) / "record"


def kept_path(cell: Cell) -> Path:
    """The checkpoint of an unfinished cell."""
    return experiment_folder(cell.experiment_id) / f"cell-{cell.pk}.kept.npz"
