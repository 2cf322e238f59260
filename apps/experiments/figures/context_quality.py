"""How well the text around a link describes what it leads to."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.evaluation.context_quality import ContextQuality as Quality
from apps.engine.evaluation.significance import mean_of_defined
from apps.experiments.figures.paper_figure import View
from apps.experiments.figures.study_figure import StudyFigure
from apps.experiments.studies.study import PageStudyFigures
from apps.figures.axis import Axis
from apps.figures.figure import Figure
from apps.figures.quantities import count, number_of
from apps.figures.traces import Dots

SIMILARITY = View("similarity", "(a) Mean similarity")
ZERO = View("zero", "(b) No word in common")
SCORE = Axis("mean cosine with the description", "score")
SHARE = Axis("links without a word in common", "share")


class ContextQuality(StudyFigure):
    """How similar the contexts of links are to descriptions of the pages they lead to, and how
    often they have no word in common with them.

    Up to a hundred pages of each of a few topics, each with one link to it drawn at random: the
    mean over topics ± standard error. The descriptions are those of a directory’s editors;
    **Choice**: where no directory describes a topic’s pages, their titles stand for them.
    """

    id = "context_quality"
    title = "Context quality"
    papers = {"LC": "11"}
    published = (
        "Windows of 10 and 20 words are more similar to the description than one of 40 or the "
        "whole page; but only 2.75 % of whole pages have no word in common with it."
    )
    axes = (Axis("context of the link", ""), SCORE)

    def views(self, asked: object) -> tuple[View, ...]:
        return SIMILARITY, ZERO

    def of_study(self, study: PageStudyFigures, view: View) -> Figure:
        axis = SCORE if view is SIMILARITY else SHARE
        names = (
            tuple(each.technique for each in study.contexts[0].qualities)
            if (study.contexts)
            else ()
        )
        means = [
            mean_of_defined([_value(quality, view) for quality in _of(study, name)])
            for name in names
        ]
        dots = Dots(
            view.title,
            "ink",
            [*range(len(names))],
            [each.mean for each in means],
            errors=[each.error for each in means],
        )
        return Figure(
            Axis(
                "context of the link; T words around it",
                "",
                names=names,
                ticks=tuple(_short(name) for name in names),
            ),
            axis,
            (dots,) if names else (),
            reading=_reading(study, view, names, dots.texts(axis)),
            empty="No link between the pages read leads to one with a description or a title",
            fitted=True,
            grouped=False,
        )


def _short(name: str) -> str:
    """`window, T = 10` → `T 10`."""
    return name.replace("window, T = ", "T ").replace("full page", "page")


def _of(study: PageStudyFigures, name: str) -> Sequence[Quality]:
    return [
        each.quality
        for topic in study.contexts
        for each in topic.qualities
        if each.technique == name
    ]


def _value(quality: Quality, view: View) -> float | None:
    return quality.similarity if view is SIMILARITY else quality.zero_share


def _reading(
    study: PageStudyFigures, view: View, names: Sequence[str], values: Sequence[str]
) -> str:
    if not names:
        return ""
    links = sum(topic.qualities[0].quality.n for topic in study.contexts)
    editors = sum(topic.by_editors for topic in study.contexts)
    by = "editors" if editors == len(study.contexts) else "titles"
    if 0 < editors < len(study.contexts):
        by = "editors or titles"
    each = ", ".join(f"{name} {words}" for name, words in zip(names, values, strict=True))
    return (
        f"{view.title.partition(') ')[2]} of {count(links)} links of "
        f"{number_of(len(study.contexts), 'topic')}, described by {by}: {each}."
    )
