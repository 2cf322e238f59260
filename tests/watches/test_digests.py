"""Digests: one a visit with news, none without, and a sign of life a month."""

from __future__ import annotations

from datetime import timedelta

import pytest

from apps.jobs.tasks import run
from apps.watches import digests, subscriptions
from apps.watches.digest_text import text_of, title_of
from apps.watches.digests import begin_digests
from apps.watches.models import Delivery, Digest, DigestSubscription, Watch, WatchVisit
from tests.watch_fixtures import DAY, START, made_visit, visits, watch  # noqa: F401

pytestmark = pytest.mark.django_db
NOW = START + 2 * DAY + timedelta(hours=1)
HOOK = "http://hooks.test/watch"


@pytest.fixture(autouse=True)
def site(settings) -> None:
    settings.ADDRESS = "https://crawl.test"


def compose_all(now=NOW) -> None:
    begin_digests(now)
    for digest in Digest.objects.filter(composed_at=None).order_by("pk"):
        run(digest._meta.label_lower, digest.pk, digest.job_attempt)


def test_a_digest_reads_well(watch: Watch, visits: list[WatchVisit]) -> None:
    compose_all()
    digest = Digest.objects.get(visit=visits[1])
    assert title_of(digest.content) == "Heat pumps: 1 new, 1 changed, 1 gone"
    assert text_of(digest.content) == (
        "Heat pumps\n"
        "Visit 2, Wednesday 4 November 2026, 02:12 (UTC): 1 new, 1 changed, 1 gone."
        " 1 page the same, 0 not reached.\n"
        "\n"
        "New (1)\n"
        "\n"
        "+ Awards <of> round 5\n"
        "  http://grants.test/award\n"
        "  Forty-one towns won it.\n"
        "\n"
        "Changed (1)\n"
        "\n"
        "~ How to apply\n"
        "  http://grants.test/apply\n"
        "  Closing date: 28 November 2026 → 16 January 2027\n"
        "\n"
        "Gone (1)\n"
        "\n"
        "− Plan of 2019\n"
        "  http://grants.test/2019\n"
        "  Its site answers “gone” (410).\n"
        "\n"
        "All of it, and what has changed word for word:\n"
        f"https://crawl.test/topics/{watch.topic_id}/watch/\n"
    )


def test_a_visit_without_news_makes_no_delivery(watch: Watch, visits: list[WatchVisit]) -> None:
    subscriptions.choose_carrier(watch, watch.owner, "webhook", START, target=HOOK)
    Delivery.objects.all().delete()  # the test message
    compose_all()
    assert [d.contains for d in Digest.objects.order_by("pk")] == ["empty", "news"]
    assert [d.digest.visit.number for d in Delivery.objects.all()] == [2]


def test_it_is_composed_and_delivered_once(watch: Watch, visits: list[WatchVisit]) -> None:
    subscriptions.choose_carrier(watch, watch.owner, "webhook", START, target=HOOK)
    compose_all()
    compose_all()
    digest = Digest.objects.get(visit=visits[1])
    # A worker was killed before the job was finished: another attempt.
    Digest.objects.filter(pk=digest.pk).update(job_state=Digest.State.WAITING)
    run(digest._meta.label_lower, digest.pk, digest.job_attempt)
    assert Digest.objects.count() == 2
    assert Delivery.objects.filter(digest=digest).count() == 1


@pytest.mark.parametrize(("wanted", "made"), [(True, 1), (False, 0)])
def test_a_month_without_news_is_reported_to_who_wants_it(
    watch: Watch, wanted: bool, made: int
) -> None:
    subscription = subscriptions.choose_carrier(
        watch, watch.owner, "webhook", START, target=HOOK, sign_of_life=wanted
    )
    made_visit(watch, 1, same_pages=3)
    compose_all(START + 29 * DAY)
    assert not subscription.deliveries.filter(digest__visit=None, digest__isnull=False).exists()
    for later in (30, 30, 31):
        compose_all(START + later * DAY)
    signs = Digest.objects.filter(contains="sign_of_life")
    assert (signs.count(), subscription.deliveries.filter(digest__in=signs).count()) == (made, made)
    if made:
        assert "Nothing new in the 30 days" in text_of(signs.get().content)


def alive(watch: Watch) -> str:
    """The monthly message of a subscriber to searches alone, its title first."""
    feed = subscriptions.choose_carrier(watch, watch.owner, "webhook", START, target=HOOK)
    DigestSubscription.objects.filter(pk=feed.pk).update(searches_only=True, sign_of_life=True)
    compose_all(START + 30 * DAY)
    content = Digest.objects.get(visit=None).content
    return f"{title_of(content)}\n{text_of(content)}"


def test_a_month_without_a_visit_is_not_called_a_month_without_news(watch: Watch) -> None:
    message = alive(watch)
    assert "no page was seen in a month" in message and "0 visits" in message
    assert "nothing new" not in message.lower()


def test_a_month_in_which_nothing_was_reached_is_not_called_one_without_news(
    watch: Watch,
) -> None:
    made_visit(watch, 1, not_reached_pages=3)
    assert "nothing new" not in alive(watch).lower()


def test_news_that_no_search_matches_is_named_in_the_monthly_message(watch: Watch) -> None:
    made_visit(watch, 1, new_pages=2, gone_pages=1, same_pages=3)
    message = alive(watch)
    assert "nothing new" not in message.lower()
    assert "The visits brought 2 new, 1 gone, none of which your watched searches match." in message


def test_many_pages_are_counted_not_listed(watch: Watch) -> None:
    from tests.watch_fixtures import made_version, made_watched, see

    visit = made_visit(watch, 1, new_pages=25)
    for number in range(25):
        page = made_watched(watch, f"p{number}", f"Page {number}")
        see(visit, page, "new", made_version(page, 1, visit.began_at, "Some text."))
    compose_all()
    text = text_of(Digest.objects.get().content)
    assert text.count("http://grants.test/") == 20
    assert "  and 5 more\n" in text


def test_a_digest_that_fails_is_composed_again_for_a_day(
    watch: Watch, visits: list[WatchVisit], monkeypatch
) -> None:
    def fail(*_):
        raise OSError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(digests, "ask_for_matches", fail)
        compose_all()
    failed = Digest.objects.get(visit=visits[1])
    assert failed.job_state == Digest.State.FAILED
    now = failed.job_touched_at
    assert now is not None
    assert begin_digests(now) == [], "not at once"
    Digest.objects.filter(pk=failed.pk).update(job_attempt=digests.MOST_ATTEMPTS)
    assert begin_digests(now + digests.AGAIN_AFTER) == [], "not for ever"
    Digest.objects.filter(pk=failed.pk).update(job_attempt=1)
    compose_all(now + digests.AGAIN_AFTER)
    assert Digest.objects.get(pk=failed.pk).contains == "news"
