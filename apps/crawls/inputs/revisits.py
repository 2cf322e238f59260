"""The addresses that a visit of a watch begins with, as its crawl's rows."""

from __future__ import annotations

import zlib

import numpy as np

from apps.crawls.models import Crawl, RevisitPlan
from apps.engine.frontier.revisits import DueAddress, Revisits


def write_plan(crawl: Crawl, revisits: Revisits) -> None:
    """Makes a draft a visit."""
    RevisitPlan.objects.create(
        crawl=crawl,
        due=[list(address) for address in revisits.due],
        met=zlib.compress(revisits.met.astype("<u8").tobytes(), 1),
    )


def read_plan(crawl: Crawl) -> Revisits | None:
    """The revisit plan of a visit; None for other crawls."""
    plan = RevisitPlan.objects.filter(crawl=crawl).first()
    if plan is None:
        return None
    marks = np.frombuffer(zlib.decompress(plan.met), "<u8").astype(np.uint64)
    return Revisits(tuple(DueAddress(*address) for address in plan.due), marks)
