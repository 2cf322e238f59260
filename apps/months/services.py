"""Beginning months, and deleting them."""

from __future__ import annotations

import hashlib

from django.contrib.auth.models import User
from django.db import transaction

from apps.jobs import queue
from apps.months.models import MonthRun
from apps.months.schema import MonthDesign


def begin_months(owner: User, design: MonthDesign) -> tuple[MonthRun, bool]:
    """The run of a design, and whether it is begun by this call.

    The same design is one run: it is begun once, and goes on where it was if it failed. Raises
    Refused for a design that contradicts itself.
    """
    design.check()
    plain = design.model_dump(mode="json")
    digest = hashlib.sha256(design.model_dump_json().encode()).hexdigest()
    with transaction.atomic():
        run, is_new = MonthRun.objects.get_or_create(
            owner=owner, digest=digest, defaults={"design": plain}
        )
        begins = is_new or run.job_state == MonthRun.State.FAILED
        if begins:
            queue.enqueue(run, visits=0)
    return run, begins


def delete_months(run: MonthRun) -> None:
    """Deletes a run with its results; a month under way ends after its visit."""
    run.delete()
