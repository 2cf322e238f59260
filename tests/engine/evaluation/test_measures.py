"""What all measures told page by page have in common."""

from __future__ import annotations

import numpy as np
import pytest

from apps.engine.evaluation import MEASURES, Measures, numbers
from apps.engine.evaluation.measure import GroundTruth
from tests.engine.evaluation.judged import judged

GROUND_TRUTH = GroundTruth(frozenset({"http://b.test/"}), 4, frozenset({"a.test"}))
PAGES = [
    judged("http://a.test/", votes=3, label=True, topicality=0.9, status_log=1.0, inlinks=3),
    judged("http://b.test/", votes=1, label=False, topicality=0.2, status_log=2.0, inlinks=0),
    judged("http://b.test/x", votes=2, label=True, topicality=0.7, status_log=0.5),
]


def test_every_measure_has_a_name_a_unit_and_a_paper_of_its_own():
    assert len({kind.id for kind in MEASURES}) == len(MEASURES)
    assert len({kind.title for kind in MEASURES}) == len(MEASURES)
    for kind in MEASURES:
        assert kind.unit in {"share", "score", "count", "log"}
        assert kind.paper and (kind.__doc__ or "").strip()


@pytest.mark.parametrize("kind", MEASURES)
def test_nothing_is_reported_before_the_first_page(kind):
    assert kind.from_ground_truth(GroundTruth()).value() in (None, 0)


@pytest.mark.parametrize("kind", MEASURES)
@pytest.mark.parametrize("truth", [GroundTruth(), GROUND_TRUTH])
def test_a_measure_goes_on_from_its_state_as_if_nothing_had_been(kind, truth):
    whole, first, second = (kind.from_ground_truth(truth) for _ in range(3))
    for page in PAGES:
        whole.update(page)
    first.update(PAGES[0])
    second.restore(first.state())
    for page in PAGES[1:]:
        second.update(page)
    assert second.value() == whole.value()
    np.testing.assert_equal(second.state(), whole.state())


@pytest.mark.parametrize("kind", MEASURES)
def test_a_page_of_which_nothing_is_known_is_no_failure(kind):
    measure = kind.from_ground_truth(GROUND_TRUTH)
    measure.update(judged("http://c.test/"))
    assert measure.value() is None or measure.value() >= 0


def test_all_measures_get_the_same_pages():
    measures = Measures(GROUND_TRUTH)
    for page in PAGES:
        measures.update(page)
    values = measures.values()
    assert set(values) == {*numbers()}
    assert values["harvest_rate"] == pytest.approx(2 / 3)
    assert values["harvest_rate_true"] == pytest.approx(2 / 3)
    assert values["virtual_web_recall"] == pytest.approx(2 / 4)
    assert values["targets_found"] == values["targets"] == 1
    assert values["reliability"] == pytest.approx(1 / 2)
    assert values["pages_per_site"] == pytest.approx(3 / 2)
