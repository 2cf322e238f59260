"""The first ten minutes: what a person has done of them, wherever they sign in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction

from apps.accounts.models import Guide

STEPS = ("settle", "why", "delta", "label", "again")
LABELS = 5
"""After so many the step is done: the classifier learns again."""


def guide_of(user: AbstractUser) -> dict[str, Any]:
    """`done` steps in the order in which they were done, `labels` given, and whether `hidden`."""
    guide = Guide.objects.filter(user=user).first() or Guide()
    return {"done": guide.done, "labels": guide.labels, "hidden": guide.hidden}


def note_step(user: AbstractUser, step: str) -> None:
    """A step was done; a label counts towards the step of labels. Raises ValueError for another
    word."""
    if step not in STEPS:
        raise ValueError(step)
    with transaction.atomic():
        guide = _locked(user)
        if step == "label":
            guide.labels = min(guide.labels + 1, LABELS)
        if step not in guide.done and (step != "label" or guide.labels == LABELS):
            guide.done.append(step)
        guide.save()


def hide_guide(user: AbstractUser, hidden: bool) -> None:
    Guide.objects.update_or_create(user=user, defaults={"hidden": hidden})


def _locked(user: AbstractUser) -> Guide:
    Guide.objects.get_or_create(user=user)
    return Guide.objects.select_for_update().get(user=user)
