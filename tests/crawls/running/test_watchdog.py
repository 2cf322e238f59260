"""When workers that look healthy are held for dead."""

from __future__ import annotations

from apps.crawls.running.watchdog import Backlog, Watchdog

WAITS = frozenset({(1, 4)})
NONE: frozenset[tuple[int, int]] = frozenset()


def test_a_crawl_that_waits_beside_a_free_worker_is_noticed() -> None:
    dog = Watchdog(60)
    assert not dog.is_stuck(Backlog(WAITS, 1), at=100)
    assert not dog.is_stuck(Backlog(WAITS, 1), at=159)
    assert dog.is_stuck(Backlog(WAITS, 1), at=160)


def alarms(dog: Watchdog, seconds: range) -> list[int]:
    return [at for at in seconds if dog.is_stuck(Backlog(WAITS, 1), at=at)]


def test_after_an_alarm_new_workers_get_ever_more_time_to_start() -> None:
    assert alarms(Watchdog(60), range(5000)) == [60, 181, 422, 903, 1864, 2825, 3786, 4747]


def test_what_was_taken_after_an_alarm_gives_the_next_no_more_time() -> None:
    dog = Watchdog(60)
    assert alarms(dog, range(61)) == [60]
    assert not dog.is_stuck(Backlog(NONE, 1), at=61)
    assert alarms(dog, range(62, 200)) == [122]


def test_waiting_for_a_busy_worker_is_no_reason() -> None:
    dog = Watchdog(60)
    dog.is_stuck(Backlog(WAITS, 1), at=0)
    assert not dog.is_stuck(Backlog(WAITS, 0), at=59)
    assert not dog.is_stuck(Backlog(WAITS, 1), at=100)


def test_a_claim_in_between_is_progress() -> None:
    dog = Watchdog(60)
    dog.is_stuck(Backlog(WAITS, 1), at=0)
    assert not dog.is_stuck(Backlog(frozenset({(1, 5)}), 1), at=60)
    assert not dog.is_stuck(Backlog(NONE, 2), at=61)


def test_the_progress_of_others_hides_nobody() -> None:
    dog = Watchdog(60)
    for at in range(60):
        assert not dog.is_stuck(Backlog(WAITS | {(2, at)}, 1), at=at)
    assert dog.is_stuck(Backlog(WAITS | {(2, 60)}, 1), at=60)
