"""The words and tags at each distance from a link, and their information gain."""

from __future__ import annotations

from collections import Counter

from apps.engine.curve_spec import Style
from apps.engine.evaluation.significance import mean_of_defined
from apps.experiments.figures.paper_figure import View
from apps.experiments.figures.study_figure import StudyFigure
from apps.experiments.studies.offset_features import WIDEST
from apps.experiments.studies.study import PageStudyFigures
from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.quantities import count, number_of, share
from apps.figures.traces import Bars, Curve, Trace

GAIN = View("gain", "Information gain")
WORDS = View("words", "Share of words")
TAGS = View("tags", "Tags")
OFFSETS = range(-WIDEST, WIDEST + 1)
NAMES = tuple(f"{offset:+d}".replace("-", "−") if offset else "0" for offset in OFFSETS)
OFFSET = Axis("offset from the link, in leaves", "", names=NAMES)
BITS = Axis("information gain, 10⁻³ bits", "number")
SHARE = Axis("share of the words within 5 leaves", "share")
TAG = Axis("tags", "count")
SHOWN: tuple[tuple[str, Style], ...] = (
    ("strategy-1", "solid"),
    ("strategy-2", "solid"),
    ("strategy-3", "solid"),
    ("strategy-4", "solid"),
)
LACKING = "Too few links between the pages that the baseline fetched"


class GainOverOffsets(StudyFigure):
    """How much a word reveals on average about where a link leads, by its distance from the link in
    leaves of the tag tree; how many of the words stand there, and under which tags.

    Negative offsets are before the link, 0 is its anchor. The mean of a few topics ± standard
    error, over the pages that the baseline fetched first. Anchors are left out among the tags.
    """

    id = "gain_over_offsets"
    title = "Information gain over offsets"
    papers = {"AFC": "8, 9"}
    published = (
        "Words near a link reveal more than those further away, not steadily: gain and number "
        "of words rise and fall in a saw-tooth, since tags without text stand at odd offsets."
    )
    axes = (OFFSET, BITS)

    def views(self, asked: object) -> tuple[View, ...]:
        return GAIN, WORDS, TAGS

    def of_study(self, study: PageStudyFigures, view: View) -> Figure:
        if not study.offsets:
            return Figure(OFFSET, BITS, (), empty=LACKING)
        if view is TAGS:
            return _tags(study)
        return _bars(study, view)


def _bars(study: PageStudyFigures, view: View) -> Figure:
    axis = BITS if view is GAIN else SHARE
    means = []
    for index in range(len(OFFSETS)):
        at = [topic.windows[WIDEST].at[index] for topic in study.offsets]
        means.append(
            mean_of_defined(
                [
                    (None if each.gain is None else 1000 * each.gain) if view is GAIN else each.rate
                    for each in at
                ]
            )
        )
    trace = Bars(
        view.title.lower(),
        "count-3",
        [*range(len(NAMES))],
        [each.mean for each in means],
        errors=[each.error for each in means],
    )
    texts = trace.texts(axis)
    best = max(range(len(NAMES)), key=lambda index: means[index].mean or 0.0)
    reading = (
        f"{view.title} by offset, mean of {number_of(len(study.offsets), 'topic')}: most at "
        f"{NAMES[best]}, {texts[best]}; at 0 {texts[WIDEST]}."
    )
    return Figure(
        OFFSET, axis, (trace,), reading=reading, empty=LACKING, fitted=view is GAIN, grouped=False
    )


def _tags(study: PageStudyFigures) -> Figure:
    totals: Counter[str] = Counter()
    at: list[Counter[str]] = [Counter() for _ in OFFSETS]
    for topic in study.offsets:
        for index, named in enumerate(topic.tags):
            for tag, number in named:
                totals[tag] += number
                at[index][tag] += number
    shown = [tag for tag, _ in totals.most_common(len(SHOWN))]
    curves: tuple[Trace, ...] = tuple(
        Curve(tag, colour, [*range(len(NAMES))], [float(counts[tag]) for counts in at], style)
        for tag, (colour, style) in zip(shown, SHOWN, strict=False)
    )
    texts = ", ".join(
        f"{tag} {count(totals[tag])} ({share(totals[tag] / totals.total())})" for tag in shown
    )
    return Figure(
        OFFSET,
        TAG,
        curves,
        labelled=True,
        empty="No tags near the links",
        reading=f"The commonest tags within 5 leaves of a link: {texts}." if texts else "",
    )
