"""The screen of a watch, its differences, downloads and feed."""

from __future__ import annotations

import csv
import io
from html import unescape

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.utils.html import strip_tags

from apps.accounts.sharing import share
from apps.collection.models import SavedSearch
from apps.engine.codes import State
from apps.screens.watch.rows import sighting_rows
from apps.watches import subscriptions
from apps.watches.digests import begin_digests, compose
from apps.watches.models import (
    Delivery,
    Digest,
    Observation,
    PageState,
    PageVersion,
    Watch,
    WatchVisit,
)
from apps.watches.search_news import SearchMatches, write_search_news
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person, site_of
from tests.watch_fixtures import (  # noqa: F401
    AFTER,
    BEFORE,
    DAY,
    START,
    fill_watch,
    made_version,
    made_visit,
    made_watched,
    see,
    visits,
    watch,
)

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def owner(db):
    return person("ada")


def text(answer) -> str:
    return " ".join(strip_tags(answer.content.decode()).split())


def page(watch: Watch, query: str = "") -> str:
    return text(site_of(watch.owner).get(f"/topics/{watch.topic_id}/watch/{query}"))


def test_it_counts_and_lists_what_is_new(watch: Watch, visits: list[WatchVisit]) -> None:
    output = page(watch)
    assert "+ 1 new" in output and "~ 1 changed" in output and "− 1 gone" in output
    assert "Closing date: 28 November 2026 16 January 2027" in output
    assert "Its site answers “gone” (410)." in output
    assert "Nothing new since" not in output


@pytest.mark.parametrize(
    ("query", "there", "absent"),
    [
        ("?state=new", "Awards", "Plan of 2019"),
        ("?state=same&since=start", "A page", "Awards"),
        ("?day=2026-11-04", "Awards", "Nothing of this kind"),
        ("?day=2026-11-20", "Nothing of this kind on 20 November", "Awards"),
        ("?day=nonsense&state=nonsense&page=x&open=y", "Awards", "Nothing of this kind"),
    ],
)
def test_rows_are_chosen_by_state_and_day(watch, visits, query, there, absent) -> None:
    output = page(watch, query)
    assert there in output and absent not in output


@pytest.mark.parametrize("view", ["", "&view=sides"])
def test_a_difference_opens_in_its_row(watch, visits, view) -> None:
    seen = Observation.objects.get(state="changed")
    answer = site_of(watch.owner).get(f"/topics/{watch.topic_id}/watch/?open={seen.pk}{view}")
    html = answer.content.decode()
    assert "<ins>16 January 2027" in html and "<del>28 November 2026" in html
    assert "1 paragraph the same" in text(answer)
    assert "Awards &lt;of&gt; round 5" in html


def test_the_list_stays_as_it_was_filtered_while_a_difference_is_read(
    watch, visits, monkeypatch
) -> None:
    monkeypatch.setattr("apps.screens.watch.views.ROWS", 1)
    other = made_watched(watch, "b", "Another page")
    made_version(other, 1, START, *BEFORE)
    see(visits[1], other, PageState.CHANGED, made_version(other, 2, visits[1].began_at, *AFTER))
    changed = Observation.objects.filter(state="changed").earliest("pk")
    asked = f"since=start&state=changed&page=2&open={changed.pk}"
    answer = site_of(watch.owner).get(f"/topics/{watch.topic_id}/watch/?{asked}")
    html = unescape(answer.content.decode())
    assert f'href="?{asked}&view=sides#difference"' in html
    assert f'href="?since=start&state=changed&page=2#seen-{changed.pk}"' in html


def test_without_a_visit_nothing_is_the_same_new_or_cheaper(watch) -> None:
    made_watched(watch, "a", "A page")
    output = page(watch)
    assert "= 0 the same" in output and "no visit has ended" in output
    assert "Of fetching all each day" not in output
    made_visit(watch, 1, same_pages=1)
    output = page(watch)
    assert "no visit has ended" not in output and "Of fetching all each day" in output


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        (True, False, "changed, no longer relevant"),
        (False, True, "changed, now relevant"),
        (True, None, "changed"),
        (None, False, "changed"),
    ],
)
def test_a_verdict_has_changed_only_if_both_versions_were_judged(
    watch, visits, before, after, word
) -> None:
    changed = Observation.objects.get(state="changed")
    PageVersion.objects.filter(page=changed.page, number=1).update(relevant=before)
    PageVersion.objects.filter(page=changed.page, number=2).update(relevant=after)
    changed.refresh_from_db()
    (row,) = sighting_rows([Observation.objects.get(pk=changed.pk)])
    assert row.word == word


def test_no_code_stands_for_words(watch, visits) -> None:
    lost = made_watched(watch, "b", "Lost page")
    see(visits[0], lost, PageState.SAME, None, "not_modified")
    see(visits[1], lost, PageState.NOT_REACHED, None, "http_503")
    assert "It was not reached: status 503." in page(watch, "?state=not_reached")
    see(made_visit(watch, 3), lost, PageState.GONE, None, "soft_404")
    output = text(site_of(watch.owner).get(f"/topics/{watch.topic_id}/watch/pages/{lost.pk}/"))
    assert ": the same, unchanged since the last visit" in output
    assert ": not reached, status 503" in output
    assert ": gone, leads to the start page, or to a notice" in output
    assert "All versions" not in output


def test_versions_are_read_and_compared(watch, visits) -> None:
    changed = Observation.objects.get(state="changed").page
    site, at = site_of(watch.owner), f"/topics/{watch.topic_id}/watch/pages/{changed.pk}/"
    assert "Version 1 against 2" in text(site.get(at))
    assert "Closing date: 28 November 2026." in text(site.get(f"{at}?read=1"))
    for query in ("?from=2&to=1", "?from=9&to=9", "?read=x", "?from=1&to=2&view=sides"):
        assert site.get(at + query).status_code == 200


def test_what_was_seen_is_marked_and_taken_back(watch, visits) -> None:
    site, at = site_of(watch.owner), f"/topics/{watch.topic_id}/watch/"
    site.post(f"{at}seen/", {"until": visits[1].ended_at.isoformat()})
    output = page(watch, "?seen=1")
    assert "All is marked as seen. Undo" in output and "+ 0 new" in output
    assert "No visit has ended since Wednesday 4 November" in output
    site.post(f"{at}seen/", {"undo": "1"})
    assert "+ 1 new" in page(watch)
    assert "does not say up to when" in text(site.post(f"{at}seen/", {"until": "x"}, follow=True))


def test_changes_are_downloaded(watch, visits) -> None:
    answer = site_of(watch.owner).get(f"/topics/{watch.topic_id}/watch/changes.csv")

    async def joined() -> str:
        return b"".join([piece async for piece in answer.streaming_content]).decode()

    rows = list(csv.DictReader(io.StringIO(async_to_sync(joined)().removeprefix("\ufeff"))))
    assert sorted(row["state"] for row in rows) == ["changed", "gone", "new"]
    changed = next(row for row in rows if row["state"] == "changed")
    assert changed["line"] == "Closing date: 28 November 2026 → 16 January 2027"


def test_a_topic_that_is_not_watched_offers_to_start(owner) -> None:
    topic = made_topic(owner)
    site, at = site_of(owner), f"/topics/{topic.pk}/watch/"
    assert "Crawl the topic first" in text(site.get(at))
    made_crawl(topic, state=State.FINISHED, pages=3)
    assert "Start the watch" in text(site.get(at))
    wrong = text(site.post(f"{at}settings/", {"rhythm": "cron", "cron": "every day"}))
    assert "Give a cron expression of five fields" in wrong
    assert not Watch.objects.exists()
    site.post(f"{at}settings/", {"rhythm": "hours", "hours": "6", "requests": "50"})
    made = Watch.objects.get()
    assert (made.rhythm, made.hours, made.requests, made.versions) == ("hours", 6, 50, 20)
    site.post(f"{at}settings/", {"rhythm": "hours", "hours": "12", "requests": "50"})
    made.refresh_from_db()
    assert made.hours == 12


def test_pages_are_not_counted_before_they_are_gathered(watch) -> None:
    assert "watched pages on" not in page(watch)
    fill_watch(watch)
    assert "4 watched pages on 1 host" in page(watch)


def test_buttons_act(watch) -> None:
    site, at = site_of(watch.owner), f"/topics/{watch.topic_id}/watch/"
    site.post(f"{at}act/", {"action": "pause"})
    assert "Paused: no visit begins until it is resumed." in page(watch)
    site.post(f"{at}act/", {"action": "resume"})
    site.post(f"{at}act/", {"action": "visit"})
    assert "Visit 1 under way" in page(watch)
    assert "A visit is under way" in text(site.post(f"{at}act/", {"action": "visit"}, follow=True))
    assert "no such action" in text(site.post(f"{at}act/", {"action": "x"}, follow=True))
    site.post(f"{at}act/", {"action": "delete"})
    assert not Watch.objects.exists()


def test_a_carrier_is_chosen_and_its_errors_stand_at_it(watch, settings) -> None:
    site, at = site_of(watch.owner), f"/topics/{watch.topic_id}/watch/"
    assert "the administrator sets CRAWLSITE_ADDRESS" in page(watch)
    settings.ADDRESS = "https://crawl.test"
    sent = {"carrier": "webhook", "on": "1", "target": "nonsense"}
    answer = site.post(f"{at}tell/", sent)
    assert "Give a web address" in text(answer) and b'value="nonsense"' in answer.content
    webhook = answer.content.decode().partition('id="carrier-webhook"')[2]
    assert 'name="on" value="1" checked' in webhook
    site.post(f"{at}tell/", {**sent, "target": "http://hooks.test/a"})
    hook = subscriptions.subscriptions_of(watch, watch.owner)["webhook"]
    assert (hook.is_on, hook.target, hook.sign_of_life) == (True, "http://hooks.test/a", False)
    assert hook.deliveries.count() == 1  # the test message
    site.post(f"{at}tell/", {"carrier": "webhook"})
    hook.refresh_from_db()
    assert not hook.is_on and hook.target


def test_the_feed_needs_its_address_alone(watch, visits) -> None:
    feed = subscriptions.feed_of(watch, watch.owner, START)
    reader, at = Client(), f"/watch/feed/{feed.secret}/"
    first = reader.get(at)
    assert first.status_code == 200
    assert first["Content-Type"].startswith("application/atom+xml")
    assert reader.get(at, headers={"If-None-Match": first["ETag"]}).status_code == 304
    assert reader.get("/watch/feed/nonsense/").status_code == 404
    site_of(watch.owner).post(
        f"/topics/{watch.topic_id}/watch/tell/", {"carrier": "feed", "action": "renew"}
    )
    assert reader.get(at).status_code == 404


def test_a_reader_sees_and_an_editor_changes(watch, visits) -> None:
    ben, eve, cleo = person("ben"), person("eve"), person("cleo")
    share(watch.topic, "ben")
    share(watch.topic, "cleo", may_edit=True)
    at = f"/topics/{watch.topic_id}/watch/"
    changed = Observation.objects.get(state="changed").page_id
    reads = ["", f"pages/{changed}/", "changes.csv"]
    for path in reads:
        assert site_of(ben).get(at + path).status_code == 200
        assert site_of(eve).get(at + path).status_code == 404
        assert Client().get(at + path).status_code == 302
    assert "End the watch" not in text(site_of(ben).get(at))
    changes = (("act/", {"action": "pause"}), ("settings/", {"rhythm": "hours"}))
    for path, sent in changes:
        assert site_of(ben).post(at + path, sent).status_code == 404
        assert site_of(cleo).post(at + path, sent).status_code in (200, 302)
    # Digests and what one has seen are each person's own.
    for path, sent in (("seen/", {"undo": "1"}), ("tell/", {"carrier": "feed"})):
        assert site_of(ben).post(at + path, sent).status_code == 302
        assert site_of(eve).post(at + path, sent).status_code == 404
    assert subscriptions.feed_of(watch, ben, START).is_on is False
    assert subscriptions.feed_of(watch, watch.owner, START).is_on is True


def test_a_change_that_was_none_is_taken_back_and_restored(watch, visits) -> None:
    seen = Observation.objects.get(state="changed")
    site, at = site_of(watch.owner), f"/topics/{watch.topic_id}/watch/"
    assert "This was no change" in text(site.get(f"{at}?open={seen.pk}"))
    site.post(f"{at}changes/{seen.pk}/", {"was": "no"})
    assert "~ 0 changed" in page(watch)
    listed = page(watch, "?state=same&since=start")
    assert "You said that this was no change. This was a change" in listed
    site.post(f"{at}changes/{seen.pk}/", {"was": "yes"})
    assert "~ 1 changed" in page(watch)
    again = site.post(f"{at}changes/{seen.pk}/", {"was": "yes"}, follow=True)
    assert "Nobody has said that this was no change." in text(again)


def test_only_who_may_change_the_topic_denies_a_change(watch, visits) -> None:
    seen = Observation.objects.get(state="changed")
    reader = person("eve")
    share(watch.topic, "eve")
    at = f"/topics/{watch.topic_id}/watch/"
    assert "This was no change" not in text(site_of(reader).get(f"{at}?open={seen.pk}"))
    assert site_of(reader).post(f"{at}changes/{seen.pk}/", {"was": "no"}).status_code == 404
    other = Observation.objects.get(state="gone")
    refused = site_of(watch.owner).post(f"{at}changes/{other.pk}/", {"was": "no"}, follow=True)
    assert "Only a page that has changed can be said not to have." in text(refused)


def test_what_comes_meanwhile_is_counted(watch, visits) -> None:
    site, at = site_of(watch.owner), f"/topics/{watch.topic_id}/watch/waiting/"
    last = Observation.objects.latest("pk").pk
    assert site.get(f"{at}?after={last}").json() == {"new": 0}
    assert site.get(f"{at}?after=0").json() == {"new": 3}
    assert site.get(f"{at}?after=x").json() == {"new": 3}


def test_rows_have_labels_where_their_crawl_may_be_labelled(watch, visits) -> None:
    changed = Observation.objects.get(state="changed").page
    changed.crawl, changed.seq = watch.pattern, 1
    changed.save()
    html = site_of(watch.owner).get(f"/topics/{watch.topic_id}/watch/").content.decode()
    assert f'data-label-address="/crawls/{watch.pattern.pk}/pages/1/label/"' in html
    assert html.count('data-label="y"') == 1


def test_a_list_states_how_many_links_have_come(watch, visits) -> None:
    Observation.objects.filter(state="same").update(new_links=3)
    assert "3 new links" in page(watch, "?state=same&since=start")


def test_the_searches_a_person_watches_stand_beside_and_list_their_pages(
    watch: Watch, visits: list[WatchVisit]
) -> None:
    search = SavedSearch.objects.create(
        owner=watch.owner,
        name="Grants",
        topic=watch.topic,
        query="q=grants",
        looked_at=START,
        looked_pages=0,
    )
    at = f"/topics/{watch.topic_id}/watch/"
    site = site_of(watch.owner)
    assert "Grants Watch Grants" in page(watch)
    form = {"on": "1", "back": "watch"}
    answer = site.post(f"/collection/searches/{search.pk}/watch/", form, follow=True)
    assert answer.redirect_chain[0][0] == f"{at}#searches"
    assert "Grants not asked: the pages of visit 2 are still being indexed." in text(answer)
    begin_digests(START)
    for digest in Digest.objects.all():
        compose(digest)
    assert "Grants none" in page(watch)
    new = Observation.objects.get(state="new")
    write_search_news(
        Digest.objects.get(visit=visits[1]),
        [SearchMatches(watch.owner.pk, search.pk, "Grants", [new.pk])],
    )
    assert "Grants 1 page" in page(watch)
    output = page(watch, f"?search={search.pk}")
    assert "Awards" in output and "Closing date" not in output
    assert "Nothing of this kind" in page(watch, f"?search={search.pk}&state=gone")
    site.post(f"/collection/searches/{search.pk}/watch/", {"on": "0"})
    assert not SavedSearch.objects.get().is_watched


def test_a_search_that_could_not_be_asked_has_a_reason(watch: Watch, visits) -> None:
    search = SavedSearch.objects.create(
        owner=watch.owner,
        name="Grants",
        topic=watch.topic,
        query="q=a",
        looked_at=START,
        looked_pages=0,
        is_watched=True,
    )
    begin_digests(START)
    last = Digest.objects.get(visit=visits[1])
    Digest.objects.filter(pk=last.pk).update(job_state="failed", job_problem="The disk is full.")
    assert "not asked: the digest of visit 2 has failed: The disk is full." in page(watch)
    Digest.objects.update(composed_at=START, job_state="none")
    problem = SearchMatches(watch.owner.pk, search.pk, "Grants", [], "its index is damaged.")
    write_search_news(last, [problem])
    assert "Grants not asked: its index is damaged." in page(watch)
    site = site_of(watch.owner)
    site.post(f"/topics/{watch.topic_id}/watch/seen/", {"until": visits[1].ended_at.isoformat()})
    assert "Grants none" in page(watch)


def test_a_delivery_that_failed_shows_its_reason_and_its_next_attempt(watch: Watch, visits) -> None:
    mail = subscriptions.feed_of(watch, watch.owner, START)
    mail.carrier, mail.target = "mail", "ada@a.test"
    mail.save()
    delivery = Delivery.objects.create(
        subscription=mail, created_at=START, attempts=1, next_at=START + DAY
    )
    delivery.log.create(at=START, is_accepted=False, answer="The mail server answered 451 later")
    html = site_of(watch.owner).get(f"/topics/{watch.topic_id}/watch/").content.decode()
    assert "<details open><summary" in html
    output = page(watch)
    assert "tried again mail, test, 2 Nov 02:00, again 3 Nov 02:00" in output
    assert "The mail server answered 451 later" in output


def test_nobody_watches_the_searches_of_others(watch: Watch) -> None:
    search = SavedSearch.objects.create(
        owner=watch.owner, topic=watch.topic, query="q=a", looked_at=START, looked_pages=0
    )
    other = site_of(person("eve"))
    assert other.post(f"/collection/searches/{search.pk}/watch/", {"on": "1"}).status_code == 404
