from __future__ import annotations

from apps.engine.evaluation.measure import Known
from apps.engine.evaluation.reliability import Reliability
from tests.engine.evaluation.judged import judged, told

PAGES = [
    judged("http://www.alpha.co.uk/1"),
    judged("http://shop.alpha.co.uk/2"),
    judged("http://beta.org/"),
    judged("http://gamma.net/"),
]


def test_sites_are_counted_once_by_their_registered_domain():
    known = Known(directory=frozenset({"alpha.co.uk", "gamma.net", "never-met.org"}))
    assert told(Reliability.given(known), *PAGES).value() == 2 / 3


def test_without_a_directory_nothing_is_said():
    assert told(Reliability.given(Known()), *PAGES).value() is None


def test_a_restored_measure_goes_on_and_keeps_no_directory_in_its_state():
    known = Known(directory=frozenset({"alpha.co.uk", "gamma.net"}))
    first = told(Reliability.given(known), *PAGES[:2])
    assert first.state() == {"domains": ["alpha.co.uk"]}
    second = Reliability.given(known)
    second.restore(first.state())
    assert told(second, *PAGES[2:]).value() == 2 / 3
