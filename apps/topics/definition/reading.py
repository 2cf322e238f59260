"""Reading typed lists: their valid entries, and their errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.topics.definition.lines import (
    CountLines,
    LineError,
    LineFault,
    UrlLines,
    read_counts,
    read_urls,
)

LISTS = (
    "seeds",
    "positives",
    "negatives",
    "evaluation_positives",
    "evaluation_negatives",
    "targets",
    "inlinks",
    "backlinks",
    "corpus",
)


@dataclass(frozen=True, slots=True)
class Lists:
    """The valid entries of a topic's lists."""

    seeds: UrlLines
    positives: UrlLines
    negatives: UrlLines
    evaluation_positives: UrlLines
    evaluation_negatives: UrlLines
    targets: UrlLines
    inlinks: CountLines
    backlinks: UrlLines
    corpus: UrlLines

    def errors(self) -> dict[str, tuple[LineError, ...]]:
        """The lines not accepted, by list; lists without errors are left out."""
        by_list = {name: getattr(self, name).errors for name in LISTS}
        return {name: errors for name, errors in by_list.items() if errors}


def read_lists(texts: Mapping[str, str], reached: Mapping[str, str] | None = None) -> Lists:
    """Reads every list; a URL that several lists name belongs to the first that may have it.

    Seeds may be examples too (LC starts from its positives). A page that trains the crawler may not
    judge it, and targets may be neither seeds nor training examples. Judging examples and targets
    may be neither corpus nor back-link pages. `reached` maps URLs that examples were redirected to,
    to the example's own URL.
    """
    text = {name: texts.get(name, "") for name in LISTS}
    seeds, positives = read_urls(text["seeds"]), read_urls(text["positives"])
    training = _as(positives, LineFault.POSITIVE)
    negatives = read_urls(text["negatives"], training)
    training |= _as(negatives, LineFault.NEGATIVE)
    for url, requested in (reached or {}).items():
        if requested in training:
            training.setdefault(url, training[requested])
    judging = read_urls(text["evaluation_positives"], training)
    against = _as(judging, LineFault.EVALUATION) | training
    judged_against = read_urls(text["evaluation_negatives"], against)
    targets = read_urls(text["targets"], training | _as(seeds, LineFault.SEED))
    held_back = _as(judging, LineFault.EVALUATION) | _as(judged_against, LineFault.EVALUATION)
    held_back |= _as(targets, LineFault.TARGET)
    return Lists(
        seeds=seeds,
        positives=positives,
        negatives=negatives,
        evaluation_positives=judging,
        evaluation_negatives=judged_against,
        targets=targets,
        inlinks=read_counts(text["inlinks"]),
        backlinks=read_urls(text["backlinks"], held_back),
        corpus=read_urls(text["corpus"], held_back),
    )


def _as(lines: UrlLines, reason: LineFault) -> dict[str, LineFault]:
    return dict.fromkeys(lines.urls, reason)
