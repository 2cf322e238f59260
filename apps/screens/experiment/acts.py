"""The actions on an experiment's page."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User

from apps.experiments import services
from apps.experiments.models import Cell, Experiment
from apps.experiments.results.outcomes import outcomes
from apps.experiments.studies.services import try_study_again
from apps.figures.quantities import number_of
from apps.schemas.numbers import whole_number
from apps.schemas.refused import Refused


def carry_out(experiment: Experiment, name: str, cells: Sequence[str], person: User) -> str:
    """Does it; returns a sentence where the page does not show it anyway. Raises Refused."""
    if name == "try_again":
        return _try_again(experiment, cells, person)
    if name == "study_again":
        try_study_again(outcomes(experiment))
        return "Measured once more over the pages; the figures follow in about a minute."
    if name not in services.VERBS:
        raise Refused("do", "There is no such action.")
    services.VERBS[name](experiment, person)
    return ""


def _try_again(experiment: Experiment, cells: Sequence[str], person: User) -> str:
    failed = experiment.cells.filter(job_state=Cell.State.FAILED)
    if "all" not in cells:
        failed = failed.filter(pk__in=[whole_number(number) for number in cells])
    tried = services.try_again(list(failed.select_related("experiment")), person)
    if not tried:
        raise Refused("cell", "No such cell has failed any more.")
    return f"{number_of(tried, 'cell')} {'is' if tried == 1 else 'are'} tried again."
