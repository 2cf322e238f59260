"""Why a cell failed, in two words and with what to do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from apps.crawls.inputs.needs import strategy_needs
from apps.experiments.folder import kept_path
from apps.experiments.models import Cell
from apps.figures.quantities import number_of

WORDS: Mapping[str, str] = {
    "worker_lost": "worker lost",
    "topic_gone": "topic deleted",
    "disk_full": "disk full",
    "bad_web_file": "web unreadable",
    "store_down": "store down",
    "bad_checkpoint": "checkpoint damaged",
}
NEEDS = "needs_"
CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Remedy:
    """Something to do about a failed cell; without an `address` it is words alone."""

    words: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class CellFailure:
    """A failed cell: `short` is the reason in a few words; `sentence`, `kept` and the advice say
    what happened, what is left, and what to do."""

    cell: Cell
    short: str
    sentence: str
    kept: str
    remedies: tuple[Remedy, ...]
    may_try: bool


def short_reason(reason: str) -> str:
    """`worker lost`, `needs taxonomy`, `value error`."""
    if reason.startswith(NEEDS):
        return f"needs {_need_words(reason)}"
    spelt = CAPITAL.sub(" ", reason).replace("_", " ").lower()
    return WORDS.get(reason) or spelt or "failed"


def failure(cell: Cell) -> CellFailure:
    """The words about a failed cell (with its topic and crawler)."""
    kept = kept_path(cell).exists()
    pages = number_of(cell.pages, "page")
    return CellFailure(
        cell,
        short_reason(cell.reason),
        cell.job_problem,
        f"{pages} and the frontier" if kept else "nothing: it begins anew",
        tuple(_remedies(cell)),
        cell.topic.topic_id is not None,
    )


def _remedies(cell: Cell) -> list[Remedy]:
    topic = cell.topic.topic_id
    if topic is None:
        return [Remedy("It stays left out: the topic is gone.")]
    if cell.reason.startswith(NEEDS):
        return [Remedy(f"Add {_need_words(cell.reason)}", reverse("topic:edit", args=[topic]))]
    if cell.reason == "worker_lost":
        return [Remedy("Free memory, or start fewer workers")]
    if cell.reason == "disk_full":
        return [Remedy("Free some space")]
    return [Remedy("Open the topic", reverse("topic:detail", args=[topic]))]


def _need_words(reason: str) -> str:
    titles = {need.value: each.short for need, each in strategy_needs().items()}
    name = reason.removeprefix(NEEDS)
    return titles.get(name, name.replace("_", " "))
