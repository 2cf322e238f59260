"""What a worker of the background does with a queued job."""

from __future__ import annotations

from apps.jobs import tasks
from apps.jobs.models import Job


def work_on(job: Job) -> str:
    """Does the job's last attempt, as a delivered task would."""
    attempt = type(job)._default_manager.values_list("job_attempt", flat=True).get(pk=job.pk)
    return tasks.run(job._meta.label_lower, job.pk, attempt)
