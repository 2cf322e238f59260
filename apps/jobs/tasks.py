"""The tasks of the background cluster."""

from __future__ import annotations

import logging

from django.apps import apps
from django.utils.module_loading import import_string

from apps.jobs import queue

log = logging.getLogger("crawlsite.jobs")
UNEXPECTED = "An unexpected error; the site’s log has the details."


def run(label: str, pk: int, attempt: int) -> str:
    """Does one attempt of a job, once; a second delivery or a void attempt does nothing."""
    model = apps.get_model(label)
    job = queue.claim(model, pk, attempt)
    if job is None:
        return "no longer wanted"
    try:
        import_string(model.job_task)(job)
        queue.finish(job)
    except Exception:
        log.exception("%s %s", label, pk)
        queue.fail(job, UNEXPECTED)
    if model.job_alone:
        queue.enqueue_next(model)
    return "done"
