"""A search of the experiments a person may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.db.models import Count, F, Q
from django.db.models.functions import Lower

from apps.experiments.filters.catalogue import FILTERS
from apps.experiments.models import Experiment
from apps.search.filter import Filter
from apps.search.lists import Listing, ListOrder, ListSearch

State = Experiment.State


class ExperimentSearch(ListSearch):
    """Words are those of name, note and web."""

    rows: ClassVar = "experiments"

    sorts: ClassVar = {
        "": ListOrder("Newest first", ("-pk",)),
        "oldest": ListOrder("Oldest first", ("pk",)),
        "started": ListOrder("Last started first", (F("started_at").desc(nulls_last=True),)),
        "cells": ListOrder("Most cells first", ("-number",), counted="cells"),
        "name": ListOrder("Names A to Z", (Lower("name"),)),
    }
    texts: ClassVar = ("name", "note", "web__name")

    @classmethod
    def catalogue(cls) -> Sequence[Filter[Any]]:
        return FILTERS


class ExperimentListing(Listing):
    """All experiments visible to a person, with the search of an address."""

    unit = "experiment"
    reported = (State.PREPARING, State.RUNNING, State.PAUSED, State.DRAFT)
    counted: ClassVar = {state: Count("pk", filter=Q(state=state)) for state in reported}
