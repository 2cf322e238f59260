"""Deletions done in the test's process."""

from __future__ import annotations

from apps.jobs.models import Deletion
from apps.jobs.tasks import run


def finish_deletions() -> None:
    """Does every deletion that is queued."""
    for job in Deletion.objects.all():
        assert run("jobs.Deletion", job.pk, job.job_attempt) == "done"
    assert not Deletion.objects.exists()
