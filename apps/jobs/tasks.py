"""What the workers of the background cluster do."""

from __future__ import annotations

import logging

from django.apps import apps
from django.utils.module_loading import import_string

from apps.jobs import queue

log = logging.getLogger("crawlsite.jobs")
UNEXPECTED = "Something went wrong that was not foreseen; the site’s log says more."


def run(label: str, pk: int, attempt: int) -> str:
    """Does one attempt of a job, once; a second delivery, or one that is void, does nothing."""
    model = apps.get_model(label)
    job = queue.claim(model, pk, attempt)
    if job is None:
        return "not this work any more"
    try:
        import_string(model.job_task)(job)
        queue.finish(job)
    except Exception:
        log.exception("%s %s", label, pk)
        queue.fail(job, UNEXPECTED)
    if model.job_alone:
        queue.ask_for_the_next(model)
    return "done"
