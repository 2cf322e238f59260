"""What a crawl left out, counted by reason and by host."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.crawls.left_out import rows
from apps.crawls.left_out.reasons import REASONS, reason_of
from apps.crawls.left_out.rows import ALL, AddressChoice, every_row, failed_or_excluded
from apps.crawls.left_out.summary import by_host, summarise
from apps.crawls.models import Crawl, FrontierEntry
from apps.engine.codes import SITE_LIST_ANSWERS, Exclusion, Failure
from tests.crawl_rows import grow, made_crawl
from tests.left_out_fixtures import LEFT_OUT, left  # noqa: F401


def test_it_counts_each_address_once_under_its_reason(left, django_assert_max_num_queries) -> None:
    with django_assert_max_num_queries(80):
        summary = summarise([left])
    numbers = {count.reason.id: count.number for count in summary.reasons}
    assert numbers == {
        "robots": 1,
        "noindex": 1,
        "javascript": 1,
        "not_text": 1,
        "host_out": 1,
        "pattern": 1,
        "depth": 2,
        "same_page": 1,
        "bot_wall": 1,
        "certificate": 1,
        "no_answer": 3,
    }
    # One of the addresses waits at a host that is in, two are lists; a page needs JavaScript.
    assert summary.number == len(LEFT_OUT) - 1 - 2 + 1 == len(list(every_row([left])))
    assert summary.taken == 19


def test_a_further_crawl_costs_the_list_its_own_rows_alone(
    left, django_assert_max_num_queries
) -> None:
    others = [
        grow(made_crawl(left.topic, state="finished", reason="budget_reached"), 1) for _ in range(9)
    ]
    with django_assert_max_num_queries(2 + 10 + 6):
        listed = [*every_row([left, *others])]
    assert {row.crawl for row in listed} == {left.pk}


@pytest.mark.parametrize("at_once", [1, 3, len(LEFT_OUT)])
def test_rows_come_in_the_order_of_their_numbers_however_many_are_read_at_once(
    left, monkeypatch, at_once: int
) -> None:
    whole = [*rows.every_row([left])]
    monkeypatch.setattr(rows, "AT_ONCE", at_once)
    assert [*rows.every_row([left])] == whole
    assert [row.number for row in whole] == sorted(row.number for row in whole)


def test_the_first_rows_of_many_are_read_without_the_others(left, monkeypatch) -> None:
    monkeypatch.setattr(rows, "AT_ONCE", 1)
    with CaptureQueriesContext(connection) as asked:
        next(rows.every_row([left]))
    read = [each["sql"] for each in asked if 'FROM "crawls_frontierentry"' in each["sql"]]
    assert read and all("LIMIT 1" in sql or '"number" IN' in sql for sql in read)


def test_the_best_come_first_with_what_failed(left) -> None:
    (count,) = summarise([left], AddressChoice(REASONS["no_answer"])).reasons
    assert count.best == 0.75
    assert [row.url for row in count.examples] == ["http://b.test/gone", "http://b.test/slow"]
    assert count.words == "404 not found 1, status 503 1, timed out 1"
    assert count.examples[0].linked_from == "http://a.test/1" and count.examples[0].at


def add_failures(crawl: Crawl, code: str, number: int) -> None:
    FrontierEntry.objects.bulk_create(
        FrontierEntry(
            **{"crawl": crawl, "number": 5_000 + n, "url": f"http://b.test/{n}", "parent": -1},
            **{"depth": 1, "priority": 0.1, "state": "e", "reason": code},
        )
        for n in range(number)
    )


def count_steps(crawl: Crawl) -> int:
    """SQLite's instructions for the examples of what did not answer."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    def run(execute: Any, sql: str, *rest: Any) -> Any:
        connection.connection.set_progress_handler(step if "LIMIT 2" in sql else None, 1)
        return execute(sql, *rest)

    with connection.execute_wrapper(run):
        summarise([crawl], AddressChoice(REASONS["no_answer"]))
    connection.connection.set_progress_handler(None, 1)
    return steps


def test_the_best_of_many_are_read_without_the_others(left) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("counts the instructions of SQLite")
    before = summarise([left]).reasons[-1]
    add_failures(left, "http_404", 2)
    few = count_steps(left)
    FrontierEntry.objects.filter(number__gte=5_000).delete()
    add_failures(left, "http_404", 300)
    assert count_steps(left) == few
    after = summarise([left]).reasons[-1]
    assert after.examples == before.examples
    assert after.number == before.number + 300 == sum(after.kinds.values())


def test_failures_are_counted_from_their_index(left) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL reads a small table whole")
    plan = failed_or_excluded([left], ALL).values("state", "reason").explain()
    assert "COVERING INDEX entry_left_out (crawl_id=? AND state=?)" in plan


def test_a_choice_narrows_all_reasons(left) -> None:
    summary = summarise([left], AddressChoice(part="deep", least=0.7))
    assert [(count.reason.id, count.number) for count in summary.reasons] == [("depth", 1)]


def test_hosts_are_counted(left) -> None:
    hosts = {each.host: each.number for each in by_host([left], AddressChoice(), 10)}
    assert hosts == {"a.test": 8, "b.test": 3, "c.test": 1, "d.test": 1, "e.test": 1}


@pytest.mark.parametrize("code", [*Exclusion, *Failure])
def test_every_code_but_those_of_lists_is_covered_by_one_reason(code) -> None:
    expected = [] if code in SITE_LIST_ANSWERS else [reason_of(code).id]
    assert [reason.id for reason in REASONS.values() if code in reason.codes] == expected
