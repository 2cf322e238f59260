"""The parts of a topic's form: their purpose, and which of them are required."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from apps.screens.topic.forms import TopicForm
from apps.screens.topic.line_checks import LineReport

Need = Literal["required", "preset", "recommended", "optional"]


@dataclass(frozen=True, slots=True)
class FormPart:
    """A numbered part: its title, how much it is needed, one sentence of guidance, its fields."""

    id: str
    title: str
    need: Need
    guidance: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FurtherRow:
    """A row of the last part, closed at first: `without` says what happens if it is left empty."""

    title: str
    without: str
    fields: tuple[str, ...]


PARTS = (
    FormPart(
        "words",
        "Name and words",
        "required",
        "Only the name is required.",
        ("name", "keywords", "description"),
    ),
    FormPart(
        "web",
        "Where the pages are",
        "preset",
        "Seeds, examples and targets are read from here.",
        ("web", "web_label"),
    ),
    FormPart(
        "examples",
        "Seeds and examples",
        "recommended",
        "A crawl starts at the seeds and learns from the examples; one address a line.",
        ("seeds", "positives"),
    ),
    FormPart(
        "negatives",
        "Negative examples",
        "recommended",
        "Without them the classifier cannot tell what is off the topic.",
        ("negatives", "without_negatives", "negatives_per_positive"),
    ),
    FormPart(
        "targets",
        "Targets",
        "optional",
        "Pages that you know and crawls are not told of; recall is measured on them.",
        ("targets",),
    ),
)

FURTHER = (
    FurtherRow(
        "Judge’s examples",
        "none: the guiding classifier also judges, which overrates the crawl",
        ("evaluation_positives", "evaluation_negatives"),
    ),
    FurtherRow(
        "Language", "detected from the examples; it sets the stemmer and stop words", ("language",)
    ),
    FurtherRow(
        "Status", "in-links are counted in a recorded web, or come from a list", ("inlinks",)
    ),
    FurtherRow(
        "Back-links and corpus", "none; few of the strategies use them", ("backlinks", "corpus")
    ),
)


def parts(form: TopicForm, reports: Mapping[str, LineReport]) -> list[dict[str, Any]]:
    """Each part with its bound fields, numbered from 1."""
    return [
        {"number": number, "part": part, "fields": _bound(form, part.fields, reports)}
        for number, part in enumerate(PARTS, 1)
    ]


def further(form: TopicForm, reports: Mapping[str, LineReport]) -> list[dict[str, Any]]:
    """The rows of the last part; one with content or an error is open."""
    rows = []
    for row in FURTHER:
        bound = _bound(form, row.fields, reports)
        used = any(each["field"].value() or each["field"].errors for each in bound)
        rows.append({"row": row, "fields": bound, "open": used})
    return rows


def _bound(
    form: TopicForm, names: tuple[str, ...], reports: Mapping[str, LineReport]
) -> list[dict[str, Any]]:
    return [{"field": form[name], "report": reports.get(name)} for name in names]
