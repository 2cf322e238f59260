"""What leaderboards say to somebody who chooses a strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser
from django.core.cache import cache

from apps.engine.intelligence.strategies import strategy_title
from apps.experiments.answers.answer import answer
from apps.experiments.answers.choice import planned
from apps.experiments.answers.standing import Standing
from apps.experiments.leaderboard import evidence_for
from apps.experiments.models import Experiment
from apps.experiments.outcomes import outcomes
from apps.figures.quantities import number_of
from apps.figures.units import UNITS
from apps.webs.models import Web

KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Advice:
    """How strategies did in a leaderboard, of the same web (`same_web`) or else of the newest.

    `words` are by the strategy's id. `best` is the one shown to be better than the baseline by
    most, or empty.
    """

    experiment: Experiment
    same_web: bool
    best: str
    sentence: str
    words: Mapping[str, str]


def advice_for(user: AbstractUser, web: Web | None) -> Advice | None:
    """The advice for a crawl of a web (None: the live Web); None without a leaderboard that has
    ended."""
    experiment = evidence_for(user, web)
    if experiment is None:
        return None
    ended = experiment.ended_at.timestamp() if experiment.ended_at else 0
    key = f"advice-2-{experiment.pk}-{ended}"
    best, sentence, words = cache.get_or_set(key, lambda: _told(experiment), KEPT_SECONDS)
    return Advice(experiment, web == experiment.web, best, sentence, words)


def _told(experiment: Experiment) -> tuple[str, str, Mapping[str, str]]:
    """The best strategy, the sentence and the words of a leaderboard."""
    found = outcomes(experiment)
    said = answer(found, planned(found))
    better = [row for row in said.rows if row.test and row.test.shown and row.test.difference > 0]
    best = max(better, key=_mean).strategy if better else ""
    measure, when = said.choice.measure, said.choice.when
    sentence = (f"{_sentence(experiment, said.topics, best)} Beside each strategy:"
                f" {measure.title.lower()} {when}.")
    return best, sentence, {row.strategy: _row(row, UNITS[measure.unit].say) for row in said.rows}


def _row(row: Standing, say: Callable[[float | None], str]) -> str:
    """`54 %, no difference shown`."""
    return f"{say(row.value.mean)}, {''.join(words.text for words in row.words)}"


def _mean(row: Standing) -> float:
    return row.value.mean or 0.0


def _sentence(experiment: Experiment, topics: int, best: str) -> str:
    where = f"On {experiment.web.name}, over {number_of(topics, 'topic')}"
    if not best:
        return f"{where}, no strategy was shown to be better than the baseline."
    return f"{where}, {strategy_title(best)} did best."
