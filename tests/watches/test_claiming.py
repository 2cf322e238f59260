"""A page that was judged the same has changed: a person says so, and takes it back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.utils.html import strip_tags

from apps.accounts.sharing import share
from apps.crawls.pages.bodies import OpenBodies
from apps.engine.codes import State
from apps.watches.changes import compare_versions
from apps.watches.claiming import claim_change, read_passed, withdraw_claim
from apps.watches.errors import WatchRefused
from apps.watches.models import Observation, PageState, TaughtBlock, WatchedPage
from apps.watches.teaching import deny_change
from apps.watches.visits.inspecting import Inspector
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl
from tests.people import Program, person, site_of
from tests.watch_fixtures import (  # noqa: F401
    START,
    made_version,
    made_visit,
    made_watched,
    see,
    watch,
)

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 9, tzinfo=UTC)
PROSE = "The pool of the harbour is open to all who can swim, and its water is warm in summer."
VISITORS = "Visitors today: {}"


@pytest.fixture
def page(watch, data_dir: Path) -> WatchedPage:
    """A page whose second visit brought another number of visitors, which is passed over."""
    page = made_watched(watch, "pool", "The pool")
    first = made_visit(watch, 1, same_pages=1)
    see(first, page, PageState.SAME, made_version(page, 1, START, PROSE, VISITORS.format("1,204")))
    look(page, 2, "1,377")
    return page


def look(page: WatchedPage, number: int, visitors: str) -> Observation:
    """What a visit makes of the page with so many visitors."""
    crawl = made_crawl(page.watch.topic, state=State.FINISHED)
    visit = made_visit(page.watch, number, same_pages=1)
    visit.crawl = crawl
    visit.save()
    text = f"<p>{PROSE}</p><p>{VISITORS.format(visitors)}</p>"
    html = f"<html><title>The pool</title><body><article>{text}</article></body></html>"
    (copy,) = store(crawl, {"url": page.url, "html": html, "title": "The pool"})
    with OpenBodies() as bodies:
        seen = Inspector(visit, crawl, bodies).inspect(page, copy, visit.began_at)
    page.save()
    see(visit, page, seen.state, seen.version)
    return page.observations.get(visit=visit)


def test_what_was_passed_over_is_shown(page: WatchedPage) -> None:
    passed = read_passed(page)
    assert passed is not None and passed.seen.state == PageState.SAME
    assert passed.difference.is_change is False
    assert any("1,377" in each.after for each in passed.difference.passages)


def test_it_becomes_a_change_with_its_version_and_the_next_one_is_seen(page: WatchedPage) -> None:
    seen = claim_change(page, page.watch.owner, NOW)
    assert (seen.state, seen.version.number) == (PageState.CHANGED, 2)
    before, after = page.versions.all()
    assert compare_versions(before, after).summary == "Visitors today: 1,204 → 1,377"
    seen.visit.refresh_from_db()
    assert (seen.visit.changed_pages, seen.visit.same_pages) == (1, 0)
    assert after.share > 0 and read_passed(page) is None
    assert look(page, 3, "2,001").state == PageState.CHANGED


def test_without_it_the_next_one_is_the_same(page: WatchedPage) -> None:
    assert look(page, 3, "2,001").state == PageState.SAME


def test_it_is_taken_back_with_what_it_has_taught(page: WatchedPage) -> None:
    seen = claim_change(page, page.watch.owner, NOW)
    withdraw_claim(seen)
    assert (seen.state, seen.version.number) == (PageState.SAME, 1)
    assert page.versions.count() == 1 and not TaughtBlock.objects.exists()
    assert read_passed(page) is not None
    with pytest.raises(WatchRefused, match="Nobody has claimed"):
        withdraw_claim(seen)
    assert look(page, 3, "2,001").state == PageState.SAME


def test_what_was_taught_last_counts(page: WatchedPage) -> None:
    deny_change(claim_change(page, page.watch.owner, NOW), page.watch.owner, NOW)
    assert look(page, 3, "2,001").state == PageState.SAME


def test_the_same_text_cannot_be_claimed(page: WatchedPage) -> None:
    claim_change(page, page.watch.owner, NOW)
    with pytest.raises(WatchRefused, match="nothing that could be a change"):
        claim_change(page, page.watch.owner, NOW)


def test_its_screen_shows_and_undoes_it(page: WatchedPage) -> None:
    topic, site = page.watch.topic_id, site_of(page.watch.owner)
    reader = site_of(person("ben"))
    share(page.watch.topic, "ben")
    at = f"/topics/{topic}/watch/pages/{page.pk}/"

    def message(who=site) -> str:
        return " ".join(strip_tags(who.get(at).content.decode()).split())

    assert "Last copy, judged the same" in message() and "Not counted: counters" in message()
    assert "This was a change" in message()
    assert "This was a change" not in message(reader)
    assert reader.post(f"{at}claim/").status_code == 404
    site.post(f"{at}claim/")
    assert "Version 1 against 2" in message() and "was a change. Undo" in message()
    seen = Observation.objects.get(state=PageState.CHANGED)
    listed = site.get(f"/topics/{topic}/watch/?since=start").content.decode()
    assert "You said that this was a change." in listed
    site.post(f"/topics/{topic}/watch/changes/{seen.pk}/", {"was": "unclaimed"})
    assert "Last copy, judged the same" in message() and "You said" not in message()


def test_programs_claim_and_withdraw(page: WatchedPage) -> None:
    program, at = Program(page.watch.owner), f"topics/{page.watch.topic_id}/watch"
    claimed = program.send("post", f"{at}/pages/{page.pk}/claim").json()
    assert (claimed["state"], claimed["is_claimed"]) == ("changed", True)
    assert claimed["line"] == "Visitors today: 1,204 → 1,377"
    assert program.send("post", f"{at}/pages/{page.pk}/claim").status_code == 422
    assert program.send("post", f"{at}/pages/{2**70}/claim").status_code == 404
    back = program.send("post", f"{at}/changes/{claimed['id']}/withdraw").json()
    assert (back["state"], back["is_claimed"], back["version"]) == ("same", False, 1)
    assert program.send("post", f"{at}/changes/{claimed['id']}/withdraw").status_code == 422
