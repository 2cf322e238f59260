"""How far around a link words help to predict where it leads."""

from __future__ import annotations

from collections.abc import Callable

from apps.engine.curve_spec import Style
from apps.engine.evaluation.significance import mean_of_defined
from apps.engine.intelligence.offsets.figures import Validation
from apps.experiments.figures.paper_figure import View
from apps.experiments.figures.study_figure import StudyFigure
from apps.experiments.studies.offset_features import WINDOWS, Window
from apps.experiments.studies.study import PageStudyFigures
from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.quantities import count, number_of
from apps.figures.traces import Curve

KINDS = View("kinds", "HIGH, LOW and all links")
OFFSETS = View("offsets", "With and without offsets")
ACCURACY = Axis("accuracy on held-out links", "share")
DMAX = Axis("dmax, in leaves of the tag tree", "count", end=WINDOWS[-1], step=1)
Read = Callable[[Window], float | None]


class AccuracyOverDmax(StudyFigure):
    """How often the apprentice separates HIGH links from LOW ones on pages it has not learned from,
    by the number of leaves around a link whose words count.

    Five-fold over the pages that the baseline fetched first, the mean of a few topics ± standard
    error. HIGH are the links whose target the critic rates above the median. Without offsets a
    word counts the same wherever it stands.
    """

    id = "accuracy_over_dmax"
    title = "Accuracy over dmax"
    papers = {"AFC": "6, 7"}
    published = (
        "Accuracy grows up to dmax 5 to 7, since more LOW links are rejected; with offsets it "
        "grows, without them it falls."
    )
    axes = (DMAX, ACCURACY)

    def views(self, asked: object) -> tuple[View, ...]:
        return KINDS, OFFSETS

    def of_study(self, study: PageStudyFigures, view: View) -> Figure:
        curves = tuple(
            curve
            for label, colour, style, read in _lines(view)
            if (curve := _curve(study, label, colour, style, read)) is not None
        )
        return Figure(
            DMAX,
            ACCURACY,
            curves,
            reading=_reading(study, curves),
            empty="Too few links between the pages that the baseline fetched",
            labelled=True,
            fitted=True,
        )


def _lines(view: View) -> tuple[tuple[str, str, Style, Read], ...]:
    if view is OFFSETS:
        return (
            ("with offsets", "ink", "solid", lambda window: window.offsets.average),
            ("without", "ink-3", "dashed", lambda window: window.plain.average),
        )
    return tuple(
        (label, colour, style, lambda window, kind=kind: kind(window.offsets))
        for label, colour, style, kind in _KINDS
    )


_KINDS: tuple[tuple[str, str, Style, Callable[[Validation], float | None]], ...] = (
    ("HIGH links", "recall", "solid", lambda validation: validation.positive),
    ("LOW links", "status", "solid", lambda validation: validation.negative),
    ("all", "ink", "dashed", lambda validation: validation.average),
)


def _curve(
    study: PageStudyFigures, label: str, colour: str, style: Style, read: Read
) -> Curve | None:
    means = [
        mean_of_defined([read(topic.windows[index]) for topic in study.offsets])
        for index in range(len(WINDOWS))
    ]
    if all(each.mean is None for each in means):
        return None
    return Curve(
        label,
        colour,
        [*WINDOWS],
        [each.mean for each in means],
        style,
        errors=[each.error for each in means],
        bars=range(len(WINDOWS)),
    )


def _reading(study: PageStudyFigures, curves: tuple[Curve, ...]) -> str:
    if not curves:
        return ""
    links = sum(topic.windows[0].offsets.links for topic in study.offsets)
    values = [(curve.label, curve.texts(ACCURACY)) for curve in curves]
    ends = ", ".join(f"{label} {at[0]} at dmax 0 and {at[5]} at dmax 5" for label, at in values)
    return (
        f"Held-out accuracy over {count(links)} links of {study.crawler}, mean of "
        f"{number_of(len(study.offsets), 'topic')}: {ends}."
    )
