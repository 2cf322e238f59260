"""The folder of topics' trained models, for their crawls and experiments."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings


def models_folder() -> Path:
    """The folder of `TrainedModels`."""
    return Path(settings.DATA_DIR) / "models"
