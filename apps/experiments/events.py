"""The events of an experiment, in words."""

from __future__ import annotations

from django.contrib.auth.models import User

from apps.experiments.models import Cell, Experiment, ExperimentEvent


def note(experiment: Experiment, kind: str, words: str, by: User | None = None) -> None:
    """Records an event of now; `words` is a sentence for people."""
    ended = experiment.cells.filter(job_state__in=(Cell.State.DONE, Cell.State.FAILED)).count()
    ExperimentEvent.objects.create(
        experiment=experiment, kind=kind, words=words, cells=ended, by=by
    )
