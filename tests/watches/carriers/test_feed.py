"""The Atom feed."""

from __future__ import annotations

from datetime import timedelta
from xml.etree import ElementTree

import pytest

from apps.jobs.tasks import run
from apps.watches import subscriptions
from apps.watches.carriers.feed import etag_of, render_feed
from apps.watches.digests import begin_digests, digests_of
from apps.watches.models import Digest, PageVersion, Watch, WatchVisit
from tests.people import person
from tests.watch_fixtures import DAY, START, visits, watch  # noqa: F401

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
ADDRESS = "https://crawl.test/watch/feed/t/"


def rendered(watch: Watch) -> bytes:
    feed = subscriptions.feed_of(watch, watch.owner, START)
    return render_feed(feed, list(digests_of(feed)), ADDRESS, "https://crawl.test")


def test_it_has_what_atom_asks_for(watch: Watch, visits: list[WatchVisit]) -> None:
    begin_digests(START + 3 * DAY)
    for digest in Digest.objects.all():
        run(digest._meta.label_lower, digest.pk, digest.job_attempt)
    feed = ElementTree.fromstring(rendered(watch))
    assert feed.tag == f"{ATOM}feed"
    for part in ("id", "title", "updated", "author"):
        assert feed.find(f"{ATOM}{part}") is not None
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links["self"] == ADDRESS
    (entry,) = feed.findall(f"{ATOM}entry")  # the visit without news has none
    for part in ("id", "title", "updated", "summary", "link"):
        assert entry.find(f"{ATOM}{part}") is not None
    assert "Awards <of> round 5" in (entry.findtext(f"{ATOM}summary") or "")
    assert entry.find(f"{ATOM}link").get("href").startswith("https://crawl.test/topics/")


def test_it_is_the_same_until_there_is_news(watch: Watch) -> None:
    assert etag_of(rendered(watch)) == etag_of(rendered(watch))
    before = rendered(watch)
    Digest.objects.create(
        watch=watch,
        key="alive-1",
        at=START + timedelta(days=31),
        contains="sign_of_life",
        composed_at=START,
        content={
            "topic": watch.topic_id,
            "topic_name": "T",
            "visit": None,
            "at": START.isoformat(),
            "time_zone": "UTC",
            "visits": 1,
            "failed": 0,
            "problem": "",
            "watched": 2,
            "counts": dict.fromkeys(("new", "changed", "gone", "same", "not_reached"), 1),
        },
    )
    assert etag_of(rendered(watch)) != etag_of(before)


def test_a_new_address_revokes_the_former_one(watch: Watch) -> None:
    feed = subscriptions.feed_of(watch, watch.owner, START)
    former = feed.secret
    assert subscriptions.feed_with(former) == feed
    subscriptions.renew_secret(feed)
    assert subscriptions.feed_with(former) is None
    assert subscriptions.feed_with(feed.secret) == feed


def test_each_person_has_an_address_that_ends_with_their_access(watch: Watch) -> None:
    eve = person("eve")
    feed = subscriptions.feed_of(watch, eve, START)
    assert feed.secret != subscriptions.feed_of(watch, watch.owner, START).secret
    assert subscriptions.feed_with(feed.secret) is None


def test_a_title_that_xml_cannot_hold_does_not_end_the_feed(
    watch: Watch, visits: list[WatchVisit]
) -> None:
    """A page of anybody may have `&#2;` in its title, and every entry was lost."""
    PageVersion.objects.update(title="Awards \x02 of\ufffe round 5\x1f")
    begin_digests(START + 3 * DAY)
    for digest in Digest.objects.all():
        run(digest._meta.label_lower, digest.pk, digest.job_attempt)
    (entry,) = ElementTree.fromstring(rendered(watch)).findall(f"{ATOM}entry")
    assert "Awards   of  round 5" in (entry.findtext(f"{ATOM}summary") or "")
