from __future__ import annotations

from datetime import UTC, datetime, time

from apps.watches.models import Watch
from apps.watches.visits.rhythm import next_visit, next_visits

NOON = datetime(2026, 3, 28, 12, tzinfo=UTC)


def test_it_is_visited_again_after_so_many_hours() -> None:
    watch = Watch(rhythm=Watch.Rhythm.HOURS, hours=6)
    assert next_visit(watch, NOON) == datetime(2026, 3, 28, 18, tzinfo=UTC)


def test_a_time_of_day_stays_where_clocks_go_forward() -> None:
    watch = Watch(rhythm=Watch.Rhythm.CRON, cron="30 6 * * *", time_zone="Europe/Berlin")
    assert [moment.hour for moment in next_visits(watch, NOON, 2)] == [4, 4]
    before = datetime(2026, 3, 27, 12, tzinfo=UTC)
    assert [moment.hour for moment in next_visits(watch, before, 2)] == [5, 4]


def test_a_time_that_comes_twice_where_clocks_go_back_counts_once() -> None:
    watch = Watch(rhythm=Watch.Rhythm.CRON, cron="30 2 * * *", time_zone="Europe/Berlin")
    days = [moment.day for moment in next_visits(watch, datetime(2026, 10, 24, 12, tzinfo=UTC), 3)]
    assert days == [25, 26, 27]


def test_every_hour_counts_where_clocks_go_back() -> None:
    watch = Watch(rhythm=Watch.Rhythm.CRON, cron="0 * * * *", time_zone="Europe/Berlin")
    hours = [m.hour for m in next_visits(watch, datetime(2026, 10, 24, 23, 30, tzinfo=UTC), 4)]
    assert hours == [0, 1, 2, 3]


def test_no_visit_begins_in_the_quiet_hours() -> None:
    watch = Watch(
        rhythm=Watch.Rhythm.HOURS,
        hours=1,
        quiet_from=time(13),
        quiet_until=time(19),
        time_zone="Europe/Berlin",
    )
    # It is 13:00 in Berlin: every moment until 19:00 becomes one visit at 19:00.
    moments = [moment.hour for moment in next_visits(watch, NOON, 2)]
    assert moments == [18, 19]


def test_quiet_hours_may_go_over_midnight() -> None:
    watch = Watch(rhythm=Watch.Rhythm.HOURS, hours=12, quiet_from=time(22), quiet_until=time(6, 30))
    assert next_visit(watch, NOON) == datetime(2026, 3, 29, 6, 30, tzinfo=UTC)


def test_after_its_end_there_is_no_visit() -> None:
    watch = Watch(rhythm=Watch.Rhythm.HOURS, hours=24, ends_at=datetime(2026, 3, 29, tzinfo=UTC))
    assert next_visit(watch, NOON) is None
