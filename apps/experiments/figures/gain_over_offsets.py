"""What words and tags stand at each distance from a link, and what they tell."""

from __future__ import annotations

from collections import Counter

from apps.experiments.figures.paper_figure import View
from apps.experiments.figures.study_figure import StudyFigure, mean_of_known
from apps.experiments.reproduce.afc_features import WIDEST
from apps.experiments.studies.study import Study
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
SHOWN = (("strategy-1", "solid"), ("strategy-2", "solid"), ("strategy-3", "solid"),
         ("strategy-4", "solid"))  # fmt: skip
LACKING = "Too few links between the pages that the baseline fetched"


class GainOverOffsets(StudyFigure):
    """How much a word tells on average about where a link leads, by its distance from the link in
    leaves of the tag tree; how many of the words stand there, and under which tags.

    Negative offsets are before the link, 0 is its anchor. The mean of a few topics ± standard
    error, over the pages that the baseline fetched first. Anchors are left out among the tags.
    """

    id = "gain_over_offsets"
    title = "Information gain over offsets"
    papers = {"AFC": "8, 9"}
    published = (
        "Words near a link tell more than those further away, though not steadily: gain and number "
        "of words rise and fall in a saw-tooth, since tags without text stand at odd offsets."
    )
    axes = (OFFSET, BITS)

    def views(self, asked: object) -> tuple[View, ...]:
        return GAIN, WORDS, TAGS

    def of_study(self, study: Study, view: View) -> Figure:
        if not study.offsets:
            return Figure(OFFSET, BITS, (), empty=LACKING)
        if view is TAGS:
            return _tags(study)
        return _bars(study, view)


def _bars(study: Study, view: View) -> Figure:
    axis = BITS if view is GAIN else SHARE
    means = []
    for place in range(len(OFFSETS)):
        at = [topic.windows[WIDEST].at[place] for topic in study.offsets]
        means.append(mean_of_known([
            (None if each.gain is None else 1000 * each.gain) if view is GAIN else each.rate
            for each in at]))
    trace = Bars(view.title.lower(), "count-3", [*range(len(NAMES))], [each.mean for each in means],
                 errors=[each.error for each in means])  # fmt: skip
    said = trace.said(axis)
    best = max(range(len(NAMES)), key=lambda place: means[place].mean or 0.0)
    reading = (f"{view.title} by offset, mean of {number_of(len(study.offsets), 'topic')}: most at "
               f"{NAMES[best]}, {said[best]}; at 0 {said[WIDEST]}.")  # fmt: skip
    return Figure(OFFSET, axis, (trace,), reading=reading, empty=LACKING,
                  fitted=view is GAIN, grouped=False)  # fmt: skip


def _tags(study: Study) -> Figure:
    totals: Counter[str] = Counter()
    at: list[Counter[str]] = [Counter() for _ in OFFSETS]
    for topic in study.offsets:
        for place, named in enumerate(topic.tags):
            for tag, number in named:
                totals[tag] += number
                at[place][tag] += number
    shown = [tag for tag, _ in totals.most_common(len(SHOWN))]
    curves: tuple[Trace, ...] = tuple(
        Curve(tag, colour, [*range(len(NAMES))], [float(found[tag]) for found in at], style)
        for tag, (colour, style) in zip(shown, SHOWN, strict=False)
    )
    said = ", ".join(f"{tag} {count(totals[tag])} ({share(totals[tag] / totals.total())})"
                     for tag in shown)
    return Figure(OFFSET, TAG, curves, labelled=True, empty="No tags near the links",
                  reading=f"The commonest tags within 5 leaves of a link: {said}." if said else "")
