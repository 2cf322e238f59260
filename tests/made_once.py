"""Webs, topics, crawls and experiments that many tests begin with: made by the first of them, put
back for the others.

Rows keep their numbers and files their places in the data folder; only the owner is another one.
"""

from __future__ import annotations

import copy
import os
import shutil
import tempfile
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.db.models.base import ModelState

APPS = ("webs", "topics", "crawls", "experiments")
Made = TypeVar("Made", bound=Model)
Rows = Mapping[type[Model], Sequence[Any]]


@dataclass(frozen=True)
class Kept:
    """What was returned, the rows that were made, and a copy of the data folder as it was then."""

    made: Model
    rows: Rows
    folder: Path


_KEPT: dict[Hashable, Kept] = {}


def made_once(key: Hashable, make: Callable[[], Made], owner: User | None = None) -> Made:
    """What `make` makes in the data folder of the settings, or the same put back.

    `key` names all that it is made of. It is made anew where a row has one of its numbers.
    """
    kept = _KEPT.get(key)
    if kept is None:
        before = {model: set(_numbers(model)) for model in _models()}
        made = make()
        rows = {
            model: list(model._default_manager.exclude(pk__in=before[model])) for model in _models()
        }
        # A copy, since a test may delete what it was given, which takes its number away.
        _KEPT[key] = Kept(copy.copy(made), rows, _copy_of(settings.DATA_DIR))
        return made
    if any(_numbers(model, pk__in=[row.pk for row in rows]) for model, rows in kept.rows.items()):
        return make()
    try:
        _put_back(kept, owner)
    except IntegrityError:  # a row of another number says the same of its topic
        return make()
    return type(kept.made)._default_manager.get(pk=kept.made.pk)


def _models() -> list[type[Model]]:
    of_apps = (apps.get_app_config(name).get_models() for name in APPS)
    return [model for models in of_apps for model in models]


def _numbers(model: type[Model], **chosen: Any) -> list[Any]:
    return list(model._default_manager.filter(**chosen).values_list("pk", flat=True))


def _copy_of(folder: Path) -> Path:
    """Beside the data folders of the tests, gone with them."""
    copied = Path(tempfile.mkdtemp(prefix="kept-", dir=os.environ["CRAWLSITE_DATA"]))
    return Path(shutil.copytree(folder, copied, dirs_exist_ok=True))


def _put_back(kept: Kept, owner: User | None) -> None:
    with transaction.atomic():
        for model, rows in kept.rows.items():
            model._default_manager.bulk_create([_fresh(row, owner) for row in rows])
    shutil.copytree(kept.folder, settings.DATA_DIR, dirs_exist_ok=True)


def _fresh(row: Any, owner: User | None) -> Any:
    """An unsaved copy with the same number."""
    fresh = copy.copy(row)
    fresh._state = ModelState()
    for field in row._meta.concrete_fields:
        if field.related_model is get_user_model() and getattr(row, field.attname) is not None:
            setattr(fresh, field.name, owner)
    return fresh
