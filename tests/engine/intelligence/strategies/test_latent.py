"""Latent directions beside the terms, for every strategy with the topic's page classifier."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.engine.codes import Need
from apps.engine.intelligence.strategies import CATALOGUE, strategy
from apps.engine.intelligence.strategies.classified import Classified
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.representation.beside import Beside
from tests.made_web import MadeWeb, bread_topic

MADE = MadeWeb()
READERS = sorted(each.id for each in CATALOGUE if issubclass(each, Classified))


@pytest.fixture(scope="module")
def model() -> TopicModel:
    background = tuple(MADE.document(i) for i in range(60, 100))
    return TopicModel(replace(bread_topic(MADE), background=background), seed=1)


@pytest.mark.parametrize("id", READERS)
def test_it_is_off_by_default_and_asks_for_a_background_when_it_is_on(id: str) -> None:
    assert strategy(id).build({}).latent is False
    assert Need.BACKGROUND not in strategy(id).build({}).needed()
    built = strategy(id).build({"latent": "on"})
    assert Need.BACKGROUND in built.needed() and built.values()["latent"] is True
    assert "latent=True" in repr(built)


@pytest.mark.parametrize("id", ["full_page", "text_window_combo", "adaptive_utility"])
def test_its_classifier_has_the_directions_beside_the_terms(id: str, model: TopicModel) -> None:
    built = strategy(id).build({"latent": True}).fit(model)
    assert isinstance(built.classifier_.weighting_, Beside)
    assert built.classifier_ is model.classifier(latent=True)
    plain = strategy(id).build({}).fit(model)
    assert not isinstance(plain.classifier_.weighting_, Beside)


@pytest.mark.parametrize("weighting", ["smart", "tfc", "tfipndf"])
@pytest.mark.parametrize("kind", ["svm", "nb"])
def test_every_weighting_and_kind_of_classifier_takes_them(
    kind: str, weighting: str, model: TopicModel
) -> None:
    built = (
        strategy("full_page")
        .build({"latent": True, "classifier": kind, "weighting": weighting})
        .fit(model)
    )
    chances = built.classifier_.probabilities(model.rows())
    # Naive Bayes counts, and coordinates may be negative: it has the rarity of terms only.
    assert isinstance(built.classifier_.weighting_, Beside) is (kind != "nb")
    assert ((chances >= 0.5) == model.labels()).mean() > 0.9
