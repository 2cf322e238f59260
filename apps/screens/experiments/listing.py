"""The list of experiments: those shown, and the filters and orders of its bar."""

from __future__ import annotations

from dataclasses import dataclass

from apps.experiments.models import Experiment
from apps.screens import list_bar
from apps.screens.list_bar import Facet, ListFilters, Order

State = Experiment.State


@dataclass(frozen=True, slots=True)
class Filters(ListFilters[Experiment]):
    """The filters in use. `web` is a number as text."""

    states = {
        "": ("All", frozenset(State)),
        "active": ("Active", frozenset({State.PREPARING, State.RUNNING, State.PAUSED})),
        "ended": ("Ended", frozenset({State.FINISHED, State.STOPPED})),
        "draft": ("Drafts", frozenset({State.DRAFT})),
    }
    orders = {
        "": Order("Newest first", lambda experiment: 0),
        "oldest": Order("Oldest first", lambda experiment: experiment.pk),
        "started": Order("Last started first", lambda experiment: (
            -experiment.started_at.timestamp() if experiment.started_at else 1.0)),
        "cells": Order("Most cells first", lambda experiment: -experiment.cell_count),
        "name": Order("Names A to Z", lambda experiment: experiment.name.casefold()),
    }  # fmt: skip
    facets = (Facet("web", lambda one: [(str(one.web_id), one.web.name)]),)

    web: str = ""

    def says(self, row: Experiment, word: str) -> bool:
        return word in "\n".join((row.name, row.note, row.web.name)).casefold()


class Listing(list_bar.Listing[Experiment]):
    """All experiments visible to a person (with their webs), with the filters of an address."""

    unit = "experiment"
    told = (State.PREPARING, State.RUNNING, State.PAUSED, State.DRAFT)
