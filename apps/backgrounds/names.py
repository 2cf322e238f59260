"""The names of backgrounds."""

from __future__ import annotations

from django.contrib.auth.models import User

from apps.backgrounds.models import Background

LONGEST_NAME = 100


def free_name(owner: User, name: str) -> str:
    """The name, with a number if the owner has one of that name."""
    taken = set(Background.objects.filter(owner=owner).values_list("name", flat=True))
    tried = (name[:LONGEST_NAME], *(f"{name[:90]} ({n})" for n in range(2, len(taken) + 3)))
    return next(candidate for candidate in tried if candidate not in taken)
