from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.schemas.refused import Refused
from apps.watches import selectors, services
from apps.watches.errors import WatchRefused
from apps.watches.models import Watch, WatchVisit
from apps.watches.visits import scheduling
from tests.crawl_rows import made_crawl, made_topic

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def crawl(owner: User) -> Crawl:
    return made_crawl(made_topic(owner), state=State.FINISHED, pages=10)


@pytest.fixture
def watch(crawl: Crawl) -> Watch:
    return services.start_watch(crawl.topic, crawl.owner, NOW)


def test_its_first_visit_is_due_at_once(watch: Watch, crawl: Crawl) -> None:
    assert watch.next_visit_at == NOW and watch.pattern == crawl
    assert scheduling.tick(NOW) == [f"watch {watch.pk}: visit 1 begins"]
    visit = watch.visits_made.get()
    assert (visit.number, visit.due_at, visit.is_late) == (1, NOW, False)
    assert visit.is_waiting


def test_a_topic_without_pages_cannot_be_watched(owner: User) -> None:
    with pytest.raises(WatchRefused, match="Crawl the topic first"):
        services.start_watch(made_topic(owner), owner, NOW)


def test_a_topic_is_watched_once(watch: Watch) -> None:
    with pytest.raises(WatchRefused, match="watched already"):
        services.start_watch(watch.topic, watch.owner, NOW)


def test_two_machines_open_one_visit(watch: Watch) -> None:
    first, second = Watch.objects.get(), Watch.objects.get()
    assert scheduling.open_visit(first, NOW, NOW) is not None
    assert scheduling.open_visit(second, NOW, NOW) is None
    assert watch.visits_made.count() == 1


def test_no_visit_begins_while_one_is_under_way(watch: Watch) -> None:
    scheduling.tick(NOW)
    assert scheduling.tick(NOW + 3 * DAY) == []
    with pytest.raises(WatchRefused, match="under way"):
        services.visit_now(Watch.objects.get(), NOW)


def test_missed_visits_are_made_up_for_once(watch: Watch) -> None:
    later = NOW + 5 * DAY
    assert len(scheduling.tick(later)) == 1
    assert watch.visits_made.get().is_late
    WatchVisit.objects.update(ended_at=later)
    assert scheduling.tick(later + timedelta(hours=1)) == []
    assert len(scheduling.tick(later + DAY)) == 1


def test_a_paused_watch_is_not_visited(watch: Watch) -> None:
    services.pause_watch(watch)
    assert scheduling.tick(NOW + DAY) == []
    services.resume_watch(watch, NOW + DAY)
    assert watch.next_visit_at == NOW + 2 * DAY


def test_a_wrong_setting_is_named(watch: Watch) -> None:
    with pytest.raises(WatchRefused) as refused:
        services.change_watch(watch, NOW, rhythm="cron", cron="every day")
    assert refused.value.field == "cron"
    for never in ("0 0 30 2 *", "0 0 31 4,6,9,11 *"):
        with pytest.raises(Refused, match="cron expression"):
            services.change_watch(watch, NOW, rhythm="cron", cron=never)
    services.change_watch(watch, NOW, rhythm="cron", cron="0 6 * * *")
    assert selectors.coming_visits(watch, NOW, 2) == [
        datetime(2026, 11, 3, 6, tzinfo=UTC),
        datetime(2026, 11, 4, 6, tzinfo=UTC),
    ]


def test_its_cost_is_an_upper_bound_in_requests(watch: Watch) -> None:
    services.change_watch(watch, NOW, requests=40, rhythm="hours", hours=12)
    assert selectors.requests_a_month(watch, NOW) == 60 * 40 - 40


@pytest.mark.parametrize(
    "values",
    [
        {"starts_at": datetime(9999, 12, 31, tzinfo=UTC)},
        {"starts_at": datetime(1, 1, 1, tzinfo=UTC)},
        {"ends_at": datetime(2026, 12, 1)},
        {"most_bytes": 10**30},
    ],
)
def test_a_moment_beyond_the_calendar_is_refused_at_its_field(watch: Watch, values: dict) -> None:
    with pytest.raises(Refused) as refused:
        services.change_watch(watch, NOW, **values)
    assert refused.value.field in values


def test_two_people_who_change_different_settings_both_have_their_way(watch: Watch) -> None:
    first, second = Watch.objects.get(), Watch.objects.get()
    services.change_watch(first, NOW, requests=50)
    services.change_watch(second, NOW, hours=6)
    watch.refresh_from_db()
    assert (watch.requests, watch.hours, second.requests) == (50, 6, 50)
