"""The quality of a topic's classifier on its screen: a table, bars, misjudged pages, advice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.figures.quantities import signed
from apps.topics.messages import JUDGES, MODELS, advice_words, language_words
from apps.topics.models import Topic

FIRST = ("at_chance", "gathered_only")
MEASURES = ("accuracy", "precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class ShareCell:
    """A mean share and its standard error, in words."""

    mean: str
    error: str


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One classifier: its name, its purpose, and its four measures."""

    name: str
    purpose: str
    cells: tuple[ShareCell, ...]


@dataclass(frozen=True, slots=True)
class ImportantTerm:
    """An important term: its signed weight, and the bar's length as a share."""

    word: str
    weight: str
    length: float
    favours: bool


@dataclass(frozen=True, slots=True)
class MisjudgedRow:
    """A page misjudged in cross-validation; `example` is its row's key."""

    url: str
    title: str
    label: str
    probability: float
    terms: str
    example: int | None


@dataclass(frozen=True, slots=True)
class ClassifierView:
    """The whole section; only `failure` if training failed."""

    failure: str = ""
    stale: bool = False
    positives: int = 0
    negatives: int = 0
    unjudged: int = 0
    folds: int = 0
    models: tuple[ModelRow, ...] = ()
    terms: tuple[ImportantTerm, ...] = ()
    misjudged: tuple[MisjudgedRow, ...] = ()
    misjudged_count: int = 0
    advice: tuple[Mapping[str, str], ...] = ()
    first: tuple[Mapping[str, str], ...] = ()
    judges: str = ""
    language: str = ""
    trained_at: datetime | None = None
    seconds: float = 0.0

    @property
    def judged_count(self) -> int:
        """How many of the examples somebody has judged."""
        return self.positives + self.negatives - self.unjudged


def classifier_view(
    topic: Topic, misjudged: int | None = None, draws_negatives: bool = False
) -> ClassifierView | None:
    """The section of a trained topic, else None.

    `first` is the advice that stands above the measures, since they mean nothing without it. It has
    at most `misjudged` of the misjudged examples; None: all. `draws_negatives` tells that
    its crawls would be given sampled negatives, and so a classifier.
    """
    quality = topic.quality
    if quality is None:
        return None
    if "failure" in quality:
        return ClassifierView(failure=quality["failure"])
    judge = quality["judged_by"]
    if judge == "none" and draws_negatives:
        judge = "guiding_classifier"
    return ClassifierView(
        stale=topic.quality_version != topic.version,
        positives=quality["positives"],
        negatives=quality["negatives"],
        unjudged=quality["unjudged"],
        folds=quality["folds"],
        models=tuple(model_row(model) for model in quality["models"]),
        terms=term_bars([*quality["favouring"], *reversed(quality["opposing"])]),
        misjudged=_misjudged(topic, quality["misjudged"][:misjudged]),
        misjudged_count=len(quality["misjudged"]),
        advice=tuple(advice_words([code for code in quality["advice"] if code not in FIRST])),
        first=tuple(advice_words([code for code in quality["advice"] if code in FIRST])),
        judges=JUDGES[judge],
        language=language_words(quality["language"]),
        trained_at=datetime.fromisoformat(quality["trained_at"]),
        seconds=quality["seconds"],
    )


def guiding_f1(topic: Topic) -> float | None:
    """F1 of the guiding classifier, if it has been measured."""
    models = (topic.quality or {}).get("models") or ()
    return models[0]["f1"]["mean"] if models else None


def model_row(model: Mapping[str, Any]) -> ModelRow:
    """One classifier's measures in words."""
    kind = model["kind"]
    cells = tuple(_cell(model[measure]) for measure in MEASURES)
    return ModelRow(MODELS[kind], "guides by default" if kind == "svm" else "committee", cells)


def _cell(estimate: Mapping[str, float | None]) -> ShareCell:
    error = estimate["error"]
    return ShareCell(f"{estimate['mean']:.2f}", "" if error is None else f"± {error:.2f}")


def term_bars(terms: list[Mapping[str, Any]]) -> tuple[ImportantTerm, ...]:
    """Terms as bars; the longest has length 1. Weights below 1 have a second decimal, by which
    those of few examples differ."""
    longest = max((abs(term["weight"]) for term in terms), default=0) or 1
    decimals = 1 if longest >= 1 else 2
    return tuple(
        ImportantTerm(
            term["word"],
            signed(term["weight"], decimals),
            abs(term["weight"]) / longest,
            term["weight"] > 0,
        )
        for term in terms
    )


def _misjudged(topic: Topic, rows: list[Mapping[str, Any]]) -> tuple[MisjudgedRow, ...]:
    examples = topic.examples.filter(url__in=[row["url"] for row in rows])
    keys, labels = {}, {}
    for key, url, relevant in examples.values_list("pk", "url", "relevant"):
        keys[url], labels[url] = key, relevant
    return tuple(
        MisjudgedRow(
            url=row["url"],
            title=row["title"] or row["url"],
            label="topic" if labels.get(row["url"], row["relevant"]) else "not",
            probability=row["probability"],
            terms=", ".join(row["terms"]),
            example=keys.get(row["url"]),
        )
        for row in rows
    )
