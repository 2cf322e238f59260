"""The background of a topic on its page: the choices, and the classifier with and without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from apps.backgrounds.selectors import visible_backgrounds
from apps.screens.backgrounds.rows import BackgroundRow, background_row
from apps.screens.topic.classifier import MEASURES
from apps.topics.inputs.background import chosen_version
from apps.topics.models import Topic

TITLES = {"accuracy": "Accuracy", "precision": "Precision", "recall": "Recall", "f1": "F1"}
SHOWN = 5
HOLD_OUTS = {
    Topic.HoldOut.BY_ADDRESS.value: (
        "Take targets out by their addresses",
        "All of them are counted, and the background knows less of the topic than the web does.",
    ),
    Topic.HoldOut.REGARDLESS.value: (
        "Draw it without regard to labels",
        "Targets that lie in it stay there, and are not counted; if all do, no crawl begins.",
    ),
}


@dataclass(frozen=True, slots=True)
class BackgroundChoice:
    """One background that a topic may have; `value` is what its form sends. `f1` and `error` are
    those of the guiding classifier with it, if measured."""

    value: str
    name: str
    made_of: str
    row: BackgroundRow | None
    chosen: bool
    f1: float | None = None
    error: float | None = None

    @property
    def can_be_chosen(self) -> bool:
        return self.row is None or self.row.ready is not None


@dataclass(frozen=True, slots=True)
class BackgroundMeasure:
    """One measure without and with the background, the difference with its sign, and the standard
    error with it as a bar from `low` on."""

    title: str
    without: float
    with_it: float
    low: float
    spread: float
    difference: str


@dataclass(frozen=True, slots=True)
class HoldOutChoice:
    """One of the things that may become of targets in the background."""

    value: str
    name: str
    sentence: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class BackgroundView:
    """The whole section; `compared` is None until the classifier has been trained with the chosen
    background."""

    choices: tuple[BackgroundChoice, ...]
    chosen: BackgroundChoice
    sentence: str
    measures: tuple[BackgroundMeasure, ...]
    compared: Mapping[str, Any] | None
    left_out: int
    hold_outs: tuple[HoldOutChoice, ...]


def background_view(topic: Topic, user: User) -> BackgroundView:
    """The section for a person; a background is offered if the topic's owner may use it too."""
    measured = (topic.quality or {}).get("backgrounds") or {}
    choices = tuple(_choices(topic, user, measured))
    chosen = next(each for each in choices if each.chosen)
    compared = measured.get(chosen.value)
    return BackgroundView(
        choices,
        chosen,
        _sentence(chosen, compared),
        _measures(compared),
        compared,
        compared["left_out"] if compared else 0,
        tuple(
            HoldOutChoice(value, *words, value == topic.hold_out)
            for value, words in HOLD_OUTS.items()
        ),
    )


def _choices(topic: Topic, user: User, measured: Mapping[str, Any]) -> list[BackgroundChoice]:
    version = chosen_version(topic)
    none = version is None and topic.background_use == Topic.BackgroundUse.NONE
    drawn = version is None and not none
    models = (topic.quality or {}).get("models")
    plain = models[0]["f1"] if models else {"mean": None, "error": None}
    source = "other topics’ examples" + (
        f", and a sample of {topic.recorded_web.name}" if topic.recorded_web else ""
    )
    offered = visible_backgrounds(user)
    if user.pk != topic.owner_id:
        offered = offered.filter(pk__in=visible_backgrounds(topic.owner).values("pk"))
    return [
        BackgroundChoice(
            "none",
            "None",
            "only this topic’s own examples",
            None,
            none,
            plain["mean"],
            plain["error"],
        ),
        BackgroundChoice("drawn", "Drawn at the start", source, None, drawn),
        *(
            _of(
                background_row(each, user),
                measured,
                version is not None and each.pk == topic.background_id,
            )
            for each in offered
        ),
    ]


def _of(row: BackgroundRow, measured: Mapping[str, Any], chosen: bool) -> BackgroundChoice:
    key = str(row.background.pk)
    effect = measured.get(key)
    fits = effect is not None and row.ready is not None and effect["version"] == row.ready.number
    f1 = effect["with_it"]["f1"] if effect and fits else {"mean": None, "error": None}
    return BackgroundChoice(
        key, row.background.name, row.made_of, row, chosen, f1["mean"], f1["error"]
    )


def _sentence(chosen: BackgroundChoice, compared: Mapping[str, Any] | None) -> str:
    if compared is None:
        return ""
    before, after = compared["without"]["f1"]["mean"], compared["with_it"]["f1"]["mean"]
    gain = dict(zip(MEASURES, compared["gains"], strict=True))["f1"]
    words = (
        f"With the background {chosen.name} the classifier’s F1 is {after:.2f} instead of "
        f"{before:.2f}"
    )
    if gain["low"] is None:
        return f"{words}."
    interval = f"95 % interval of the difference {_signed(gain['low'])} to {_signed(gain['high'])}"
    shown = "" if gain["low"] > 0 or gain["high"] < 0 else "; no difference shown"
    return f"{words} ({interval}, same folds{shown})."


def _measures(compared: Mapping[str, Any] | None) -> tuple[BackgroundMeasure, ...]:
    if compared is None:
        return ()
    return tuple(
        BackgroundMeasure(
            TITLES[name],
            compared["without"][name]["mean"],
            compared["with_it"][name]["mean"],
            *_spread(compared["with_it"][name]),
            _signed(gain["mean"]),
        )
        for name, gain in zip(MEASURES, compared["gains"], strict=True)
    )


def _spread(estimate: Mapping[str, float | None]) -> tuple[float, float]:
    mean, error = estimate["mean"] or 0.0, estimate["error"] or 0.0
    low = max(0.0, mean - error)
    return low, min(1.0, mean + error) - low


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")
