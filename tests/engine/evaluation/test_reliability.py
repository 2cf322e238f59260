from __future__ import annotations

from apps.engine.evaluation.measure import GroundTruth
from apps.engine.evaluation.reliability import Reliability
from tests.engine.evaluation.judged import after_pages, judged

PAGES = [
    judged("http://www.alpha.co.uk/1"),
    judged("http://shop.alpha.co.uk/2"),
    judged("http://beta.org/"),
    judged("http://gamma.net/"),
]


def test_sites_are_counted_once_by_their_registered_domain():
    truth = GroundTruth(directory=frozenset({"alpha.co.uk", "gamma.net", "never-met.org"}))
    assert after_pages(Reliability.from_ground_truth(truth), *PAGES).value() == 2 / 3


def test_the_site_is_the_one_that_answered():
    moved = [
        judged(f"http://short{i}.org/", final_url=f"http://site{i % 2}.org/{i}") for i in range(4)
    ]
    truth = GroundTruth(directory=frozenset({"site0.org", "site1.org", "short0.org"}))
    assert after_pages(Reliability.from_ground_truth(truth), *moved).value() == 1.0


def test_without_a_directory_nothing_is_reported():
    assert after_pages(Reliability.from_ground_truth(GroundTruth()), *PAGES).value() is None


def test_a_restored_measure_goes_on_and_keeps_no_directory_in_its_state():
    truth = GroundTruth(directory=frozenset({"alpha.co.uk", "gamma.net"}))
    first = after_pages(Reliability.from_ground_truth(truth), *PAGES[:2])
    assert first.state() == {"domains": ["alpha.co.uk"]}
    second = Reliability.from_ground_truth(truth)
    second.restore(first.state())
    assert after_pages(second, *PAGES[2:]).value() == 2 / 3
