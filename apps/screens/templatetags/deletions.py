"""Deletions in progress and failed ones, shown above the lists from which the rows are removed."""

from __future__ import annotations

from typing import Any

from django import template
from django.apps import apps
from django.template.context import Context

from apps.figures.quantities import number_of
from apps.jobs.deletion import being_deleted
from apps.jobs.models import Deletable

register = template.Library()


@register.inclusion_tag("components/deletions.html", takes_context=True)
def deletions(context: Context, label: str) -> dict[str, Any]:
    """The person's deletions of rows of this model, such as `crawls.Crawl`, with their progress;
    one that failed can be tried again."""
    model = apps.get_model(label)
    assert issubclass(model, Deletable)
    request = context["request"]
    jobs = list(being_deleted(request.user, model))
    return {
        "rows": [(job, number_of(job.rows, "row")) for job in jobs],
        "under_way": any(job.is_under_way for job in jobs),
        "here": request.get_full_path(),
        "csrf_token": context.get("csrf_token"),
    }
