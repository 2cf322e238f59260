"""Webs, topics, crawls and experiments that many tests begin with: made by the first of them, put
back for the others.

Rows keep their numbers and files their places in the data folder; only the owner is another one.
"""

from __future__ import annotations

import copy
import os
import shutil
import tempfile
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.utils import timezone

APPS = ("webs", "topics", "crawls", "experiments")
Made = TypeVar("Made", bound=Model)


@dataclass(frozen=True)
class Rows:
    """Rows of one model as its table has them, a value for each field: models would take ten times
    as long to be made and stored."""

    model: type[Model]
    values: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Kept:
    """What was returned, the rows that were made, and a copy of the data folder as it was then."""

    made: Model
    rows: Sequence[Rows]
    folder: Path


_KEPT: dict[Hashable, Kept] = {}


def made_once(key: Hashable, make: Callable[[], Made], owner: User | None = None) -> Made:
    """What `make` makes in the data folder of the settings, or the same put back.

    `key` names all that it is made of. It is made anew where a row has one of its numbers, or says
    the same of its topic.
    """
    kept = _KEPT.get(key)
    if kept is None:
        before = {model: _numbers(model) for model in _models()}
        made = make()
        rows = [_rows_since(model, numbers) for model, numbers in before.items()]
        # A copy, since a test may delete what it was given, which takes its number away.
        _KEPT[key] = Kept(
            copy.copy(made), [each for each in rows if each.values], _copy_of(settings.DATA_DIR)
        )
        return made
    try:
        _put_back(kept, owner)
    except IntegrityError:
        return make()
    return type(kept.made)._default_manager.get(pk=kept.made.pk)


def _models() -> list[type[Model]]:
    of_apps = (apps.get_app_config(name).get_models() for name in APPS)
    return [model for models in of_apps for model in models]


def _numbers(model: type[Model]) -> set[Any]:
    return set(model._default_manager.values_list("pk", flat=True))


def _rows_since(model: type[Model], before: set[Any]) -> Rows:
    """The rows that a model has besides those of these numbers."""
    numbers = _numbers(model) - before
    if not numbers:
        return Rows(model, [])
    key = model._meta.concrete_fields.index(model._meta.pk)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_columns(model)} FROM {model._meta.db_table}")
        rows = [row for row in cursor.fetchall() if row[key] in numbers]
    return Rows(model, sorted(rows, key=itemgetter(key)))


def _columns(model: type[Model]) -> str:
    return ", ".join(
        connection.ops.quote_name(field.column) for field in model._meta.concrete_fields
    )


def _copy_of(folder: Path) -> Path:
    """Beside the data folders of the tests, gone with them."""
    copied = Path(tempfile.mkdtemp(prefix="kept-", dir=os.environ["CRAWLSITE_DATA"]))
    return Path(shutil.copytree(folder, copied, dirs_exist_ok=True))


def _put_back(kept: Kept, owner: User | None) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        for rows in kept.rows:
            places = ", ".join(["%s"] * len(rows.values[0]))
            cursor.executemany(
                f"INSERT INTO {rows.model._meta.db_table} ({_columns(rows.model)}) "
                f"VALUES ({places})",
                [_fresh(rows.model, row, owner) for row in rows.values],
            )
    shutil.copytree(kept.folder, settings.DATA_DIR, dirs_exist_ok=True)


def _fresh(model: type[Model], row: Sequence[Any], owner: User | None) -> list[Any]:
    """The same row of that owner, added now."""
    values = list(row)
    for place, field in enumerate(model._meta.concrete_fields):
        if field.related_model is get_user_model() and row[place] is not None:
            values[place] = owner and owner.pk
        elif getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
            values[place] = field.get_db_prep_save(timezone.now(), connection)
    return values
