"""The filter by what is decided on a host."""

from __future__ import annotations

from django.db.models import Q

from apps.search.filter import Field
from apps.search.list_filters import States


class HostDecisionState(States):
    """Filters by whether a host is in, out or undecided."""

    sentence = "Hosts that are in, undecided or out."
    fields = (Field("state", "in, undecided or out."),)
    example = "state=in"
    groups = {
        "in": ("In", Q(decision="in")),
        "undecided": ("Undecided", Q(decision="")),
        "out": ("Out", Q(decision="out")),
    }


STATE = HostDecisionState()
