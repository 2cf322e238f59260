from __future__ import annotations

from datetime import UTC, datetime

import pytest

from apps.watches.errors import WatchRefused
from apps.watches.models import Observation, PageState, TaughtBlock, WatchedPage
from apps.watches.taught_blocks import apply_taught, taught_for
from apps.watches.teaching import affirm_change, deny_change
from apps.watches.text_changes.differences import compare_texts
from apps.watches.text_changes.passing_values import Noise, VisitTimes
from tests.people import person
from tests.watch_fixtures import DAY, START, made_version, visits, watch  # noqa: F401

pytestmark = pytest.mark.django_db
TIMES = VisitTimes(START, START + DAY)
NOW = datetime(2026, 11, 6, tzinfo=UTC)


@pytest.fixture
def owner(db):
    return person("ada")


@pytest.fixture
def seen(visits) -> Observation:
    return Observation.objects.get(state=PageState.CHANGED)


def is_change(page: WatchedPage, before: str, after: str) -> bool:
    return apply_taught(compare_texts(before, after, TIMES), taught_for(page)).is_change


def test_a_denied_change_is_the_same_and_its_visit_counts_so(seen: Observation) -> None:
    deny_change(seen, seen.page.watch.owner, NOW)
    assert seen.state == PageState.SAME
    seen.page.refresh_from_db()
    seen.visit.refresh_from_db()
    assert seen.page.state == PageState.SAME
    assert (seen.visit.changed_pages, seen.visit.same_pages) == (0, 2)
    assert seen.version is not None, "the version stays"


def test_blocks_like_it_are_passed_over_on_its_host(seen: Observation) -> None:
    deny_change(seen, seen.page.watch.owner, NOW)
    other = WatchedPage.objects.filter(host=seen.page.host).exclude(pk=seen.page_id)[0]
    later = "Closing date: 2 March 2027."
    assert not is_change(other, "Closing date: 16 January 2027.", later)
    whole = compare_texts("Closing date: 16 January 2027.", later, TIMES)
    passed = apply_taught(whole, taught_for(other)).passages[0]
    assert passed.noise == Noise.TAUGHT
    assert is_change(other, "The fund is open.", "The fund is closed.")
    other.host = "other.test"
    other.save()
    assert is_change(other, "Closing date: 16 January 2027.", later)


def test_prose_is_passed_over_on_its_page_alone(visits) -> None:
    first, second = visits
    page = WatchedPage.objects.get(key="a")
    prose = "The mayor spoke at length about the heating of all the public buildings of {}."
    made_version(page, 2, first.began_at, prose.format("Kiel"))
    last = made_version(page, 3, second.began_at, prose.format("Bonn"))
    row = Observation.objects.get(page=page, visit=second)
    row.version, row.state = last, PageState.CHANGED
    row.save()
    deny_change(row, page.watch.owner, NOW)
    texts = prose.format("Bonn"), prose.format("Trier")
    assert not is_change(page, *texts)
    assert is_change(WatchedPage.objects.get(key="2019"), *texts)


def test_it_is_a_change_after_all(seen: Observation) -> None:
    deny_change(seen, seen.page.watch.owner, NOW)
    affirm_change(seen)
    assert seen.state == PageState.CHANGED and not TaughtBlock.objects.exists()
    assert is_change(seen.page, "Closing date: 16 January 2027.", "Closing date: 2 March 2027.")
    with pytest.raises(WatchRefused, match="Nobody has said"):
        affirm_change(seen)


def test_what_has_not_changed_cannot_be_denied(visits) -> None:
    gone = Observation.objects.get(state=PageState.GONE)
    with pytest.raises(WatchRefused, match="Only a page that has changed"):
        deny_change(gone, gone.page.watch.owner, NOW)
    assert not TaughtBlock.objects.exists()
