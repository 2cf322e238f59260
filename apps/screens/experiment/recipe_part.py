"""The part of an experiment's page with its recipe: the design, and whether a re-run agrees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.accounts.requests import SignedInRequest
from apps.experiments.design.toml_file import write_design
from apps.experiments.models import Experiment
from apps.experiments.recipe import design_of, key_of
from apps.screens.experiment.page import ExperimentPage


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the cells that have ended compare with those of the recipe: `equal` in every number,
    `unlike` by name, `waited` for still."""

    equal: int
    unlike: tuple[str, ...]
    waited: int


def context(request: SignedInRequest, page: ExperimentPage) -> dict[str, Any]:
    """The design as TOML, and the agreement with the recipe that it was made from, if any."""
    experiment = page.experiment
    return {
        "toml": write_design(design_of(experiment)),
        "agreement": _agreement(experiment) if experiment.expected else None,
    }


def _agreement(experiment: Experiment) -> Agreement:
    ended = experiment.cells.exclude(digest="").select_related("topic", "crawler")
    digests = {key_of(cell): cell.digest for cell in ended}
    both = [key for key in experiment.expected if key in digests]
    unlike = [key for key in both if digests[key] != experiment.expected[key]]
    return Agreement(len(both) - len(unlike), tuple(unlike), len(experiment.expected) - len(both))
