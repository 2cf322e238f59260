"""The filter by state."""

from __future__ import annotations

from django.db.models import Q

from apps.experiments.models import Experiment
from apps.search.filter import Field
from apps.search.list_filters import States

State = Experiment.State


class ExperimentState(States):
    """Filters by what an experiment does."""

    sentence = "Experiments that are active, have ended, or are drafts."
    fields = (Field("state", "active, ended or draft."),)
    example = "state=ended"
    groups = {
        "active": ("Active", Q(state__in=(State.PREPARING, State.RUNNING, State.PAUSED))),
        "ended": ("Ended", Q(state__in=(State.FINISHED, State.STOPPED))),
        "draft": ("Drafts", Q(state=State.DRAFT)),
    }


STATE = ExperimentState()
