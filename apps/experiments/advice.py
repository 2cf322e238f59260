"""Advice of leaderboards to somebody who chooses a strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from django.contrib.auth.models import User
from django.core.cache import cache

from apps.experiments.leaderboard import evidence_for
from apps.experiments.models import Experiment
from apps.experiments.results.answer import answer
from apps.experiments.results.choice import planned
from apps.experiments.results.outcomes import Outcomes, outcomes
from apps.experiments.results.paired_tests import ENOUGH_TOPICS, LEVEL, Method
from apps.experiments.results.standing import Standing, test_of_two
from apps.figures.quantities import join_names, number_of
from apps.figures.units import UNITS
from apps.webs.models import Web

KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Advice:
    """How strategies did in a leaderboard, of the same web (`same_web`) or else of the newest.

    `words` are by the strategy's id. `best` is the one shown to be better than the baseline by
    most, or empty; the sentence names those that are not shown to be worse than it as well.
    """

    experiment: Experiment
    same_web: bool
    best: str
    sentence: str
    words: Mapping[str, str]


def advice_for(user: User, web: Web | None) -> Advice | None:
    """The advice for a crawl of a web (None: the live Web); None without a leaderboard that has
    ended."""
    experiment = evidence_for(user, web)
    if experiment is None:
        return None
    ended = experiment.ended_at.timestamp() if experiment.ended_at else 0
    key = f"advice-3-{experiment.pk}-{ended}"
    best, sentence, words = cast(
        tuple[str, str, Mapping[str, str]],
        cache.get_or_set(key, lambda: _read(experiment), KEPT_SECONDS),
    )
    return Advice(experiment, web == experiment.web, best, sentence, words)


def _read(experiment: Experiment) -> tuple[str, str, Mapping[str, str]]:
    """The best strategy, the sentence and the words of a leaderboard."""
    results = outcomes(experiment)
    ranking = answer(results, planned(results))
    better = [row for row in ranking.rows if row.test and row.test.shown and row.test.gain > 0]
    best = max(better, key=_gain, default=None)
    alike = [
        row.label for row in better if row is not best and not _is_shown_worse(results, row, best)
    ]
    measure, when = ranking.choice.measure, ranking.choice.when
    names = [best.label, *alike] if best else []
    sentence = (
        f"{_sentence(experiment, ranking.topics, names)} Beside each strategy:"
        f" {measure.title.lower()} {when}."
    )
    return (
        best.strategy if best else "",
        sentence,
        {row.strategy: _row(row, UNITS[measure.unit].write) for row in ranking.rows},
    )


def _row(row: Standing, write: Callable[[float | None], str]) -> str:
    """`54 %, no difference shown`."""
    return f"{write(row.value.mean)}, {''.join(words.text for words in row.words)}"


def _gain(row: Standing) -> float:
    return row.test.gain if row.test else 0.0


def _is_shown_worse(results: Outcomes, row: Standing, best: Standing | None) -> bool:
    """Whether a crawler is shown to be worse than the best one, by the planned measure."""
    if best is None:
        return False
    choice = replace(planned(results), test=Method.TWO_TAILED)
    test = test_of_two(results, choice, (row.index, best.index), ENOUGH_TOPICS)
    return test is not None and test.p is not None and test.p < LEVEL and test.gain < 0


def _sentence(experiment: Experiment, topics: int, best: Sequence[str]) -> str:
    where = f"On {experiment.web.name}, over {number_of(topics, 'topic')}"
    if not best:
        return f"{where}, no strategy was shown to be better than the baseline."
    if len(best) == 1:
        return f"{where}, {best[0]} did best."
    return (
        f"{where}, {join_names(best)} did best; take either: no difference between them is shown."
    )
