"""The guide of the first ten minutes: a person's finished steps, wherever they sign in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from apps.accounts.models import Guide

STEPS = ("settle", "why", "delta", "label", "again")
LABELS = 5
"""How many labels finish the step: then the classifier learns again."""


def guide_of(user: User) -> dict[str, Any]:
    """`done` steps in the order they were finished, `labels` given, and whether it is `hidden`."""
    guide = Guide.objects.filter(user=user).first() or Guide()
    return {"done": guide.done, "labels": guide.labels, "hidden": guide.hidden}


def note_step(user: User, step: str) -> None:
    """Records a finished step, or a label for the step of labels. Raises ValueError for an unknown
    step."""
    if step not in STEPS:
        raise ValueError(step)
    with transaction.atomic():
        guide = _locked(user)
        if step == "label":
            guide.labels = min(guide.labels + 1, LABELS)
        if step not in guide.done and (step != "label" or guide.labels == LABELS):
            guide.done.append(step)
        guide.save()


def hide_guide(user: User, hidden: bool) -> None:
    Guide.objects.update_or_create(user=user, defaults={"hidden": hidden})


def _locked(user: User) -> Guide:
    Guide.objects.get_or_create(user=user)
    return Guide.objects.select_for_update().get(user=user)
