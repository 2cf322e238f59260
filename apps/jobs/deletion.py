"""Deleting rows that have very many others below them, in the background.

The row is hidden at once, and rows that only refer to it let go of it. Its job then deletes what is
below it, some hundred rows a transaction, so that nobody waits for the database; after a kill, or
tried again after a failure, it goes on with the rows that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import CASCADE, PROTECT, SET_NULL, Model, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from apps.figures.quantities import number_of
from apps.jobs import queue
from apps.jobs.models import Deletable, Deletion
from apps.stored_files.errors import StoreDown

BATCH = 500


class _Superseded(Exception):
    """Another attempt has taken the job."""


def delete_later(row: Deletable, owner: User | None) -> None:
    """Hides the row and queues its deletion; the second time it does nothing."""
    model = type(row)
    with transaction.atomic():
        if not model.objects.filter(pk=row.pk).update(deleted_at=timezone.now()):
            return
        for relation in _relations(model, SET_NULL):
            rows = relation.related_model._base_manager.filter(**{relation.field.name: row.pk})
            rows.update(**{relation.field.name: None})
        kind = ContentType.objects.get_for_model(model)
        job = Deletion.objects.create(owner=owner, kind=kind, key=row.pk, name=str(row)[:300])
        queue.enqueue(job)


def delete_rows(job: Deletion) -> None:
    """Deletes the row with all rows below it and their files, then the job itself; what prevents it
    is recorded in the job's row."""
    model: Any = job.kind.model_class()
    row = model.every.filter(pk=job.key).first()
    deleted = job.rows

    def report(rows: int) -> None:
        nonlocal deleted
        deleted += rows
        if not queue.heartbeat(job, rows=deleted):
            raise _Superseded

    if row is not None and (users := held_by(row)):
        queue.fail(job, f"{users} on it: delete those first.")
        return
    try:
        if row is not None:
            _delete(row, report)
    except _Superseded:
        return
    except StoreDown as error:
        queue.fail(job, f"Its files could not be deleted: {error}.")
        return
    job.delete()


def try_again(job: Deletion) -> None:
    """Queues a deletion that failed; one under way is left alone."""
    if job.job_state == Deletion.State.FAILED:
        queue.enqueue(job)


def held_by(row: Model) -> str:
    """The rows that have to be deleted before this one, counted by kind, such as `2 crawls and 1
    topic`; empty if it can be deleted."""
    counts = [
        number_of(number, str(relation.related_model._meta.verbose_name))
        for relation in _relations(type(row), PROTECT)
        if (number := _present(relation, row).count())
    ]
    return " and ".join(sorted(counts, key=lambda count: count.split()[-1]))


def own_deletions(user: User) -> QuerySet[Deletion]:
    """The deletions that the person asked for, under way or failed, the oldest first."""
    return Deletion.objects.filter(owner=user).select_related("kind").order_by("pk")


def being_deleted(user: User, model: type[Deletable]) -> QuerySet[Deletion]:
    """The deletions of this kind of row under way that the person asked for."""
    return own_deletions(user).filter(kind=ContentType.objects.get_for_model(model))


def _delete(row: Model, report: Callable[[int], None]) -> None:
    if isinstance(row, Deletable) and row.forget_task:
        import_string(row.forget_task)(row)
    for rows in _below(row):
        if issubclass(rows.model, Deletable) or any(_relations(rows.model, CASCADE)):
            for each in rows.iterator():
                _delete(each, report)
        else:
            _delete_in_batches(rows, report)
    row.delete()
    report(1)


def _below(row: Model) -> list[QuerySet[Any]]:
    """The rows that go with a row, by model; first those that hold on to others. Rows that hold on
    to it go too, as far as they are deleted themselves."""
    groups = [
        relation.related_model._base_manager.filter(**{relation.field.name: row.pk})
        for relation in _relations(type(row), CASCADE, include_hidden=True)
    ]
    groups += [
        relation.related_model._base_manager.filter(**{relation.field.name: row.pk}).exclude(
            pk__in=_present(relation, row).values("pk")
        )
        for relation in _relations(type(row), PROTECT)
    ]
    return sorted(groups, key=lambda rows: not issubclass(rows.model, Deletable))


def _relations(
    model: type[Model], on_delete: Any, *, include_hidden: bool = False
) -> Iterator[Any]:
    """The relations of other models to this one that answer its deletion so; `include_hidden` those
    too that have no name on this side."""
    fields: Any = model._meta.get_fields(include_hidden=include_hidden)
    relations = (field for field in fields if field.auto_created and not field.concrete)
    return (relation for relation in relations if relation.on_delete is on_delete)


def _present(relation: Any, row: Model) -> QuerySet[Any]:
    """The rows that hold on to a row and are not deleted themselves."""
    rows: QuerySet[Any] = relation.related_model._default_manager
    return rows.filter(**{relation.field.name: row.pk})


def _delete_in_batches(rows: QuerySet[Any], report: Callable[[int], None]) -> None:
    while keys := list(rows.order_by().values_list("pk", flat=True)[:BATCH]):
        rows.model._base_manager.filter(pk__in=keys).delete()
        report(len(keys))
