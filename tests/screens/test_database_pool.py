"""Requests of a web server that share their connections to PostgreSQL."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from apps.screens.database_pool import POOL, share_connections
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)
AtExit = list[Callable[[], object]]


@pytest.fixture
def at_exit(monkeypatch: pytest.MonkeyPatch) -> Iterator[AtExit]:
    """Connections are shared; what is to be called at the end of the process."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no processes to share")
    before, called = deepcopy(connection.settings_dict), []
    monkeypatch.setattr(atexit, "register", called.append)
    share_connections()
    yield called
    connection.close()
    for each in called:
        each()
    connection.settings_dict.update(before)


def in_requests(*answers: Callable[[], Any]) -> list[Any]:
    """What is answered at once, each in a thread that gives its connection back at the end."""

    def answer(each: Callable[[], Any]) -> Any:
        try:
            return each()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(answers)) as threads:
        return list(threads.map(answer, answers))


def read(sql: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()


def process() -> int:
    return int(read("SELECT pg_backend_pid()")[0])


@pytest.mark.usefixtures("at_exit")
def test_a_request_takes_the_connection_that_another_has_given_back() -> None:
    assert in_requests(process) == in_requests(process)


@pytest.mark.usefixtures("at_exit")
def test_a_connection_taken_again_has_the_settings_of_a_session() -> None:
    settings = "random_page_cost", "jit", "TimeZone"
    asked = "SELECT " + ", ".join(f"current_setting('{name}')" for name in settings)
    in_requests(lambda: read("SELECT set_config('random_page_cost', '4', false)"))
    assert in_requests(lambda: read(asked)) == [("1.1", "off", "UTC")]


@pytest.mark.usefixtures("at_exit")
def test_two_requests_at_once_have_two_connections() -> None:
    both_have_one = Barrier(2, timeout=20)

    def answer() -> int:
        number = process()
        both_have_one.wait()
        return number

    assert len(set(in_requests(answer, answer))) == 2


@pytest.mark.usefixtures("at_exit")
def test_a_connection_that_the_server_has_ended_is_replaced() -> None:
    process()  # of this thread, which keeps its own
    (ended,) = in_requests(process)
    assert read(f"SELECT pg_terminate_backend({ended}, 20000)") == (True,)
    assert in_requests(process) != [ended]


@pytest.mark.usefixtures("at_exit")
def test_a_request_that_breaks_in_a_transaction_leaves_none_behind() -> None:
    def breaks() -> None:
        connection.set_autocommit(False)
        person("half-made")

    before = in_requests(process)
    in_requests(breaks)
    assert in_requests(process, User.objects.count) == [*before, 0]


@pytest.mark.usefixtures("at_exit")
def test_a_cursor_left_behind_is_not_in_the_way_of_the_next_of_its_name() -> None:
    person("one")
    connection.close()
    left, taken_again = connection.copy(), connection.copy()
    for each in (left, taken_again):
        cursor: Any = each.chunked_cursor()  # type: ignore[attr-defined]
        cursor.execute("SELECT username FROM auth_user")
        assert cursor.fetchone() == ("one",)
        each.close()


def test_the_pool_is_closed_when_the_process_ends(at_exit: AtExit) -> None:
    shared: Any = connection
    connection.ensure_connection()
    pool = shared.pool
    connection.close()
    (close,) = at_exit
    close()
    assert pool.closed


def test_connections_to_sqlite_are_opened_as_before() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("not on SQLite")
    share_connections()
    assert POOL not in connection.settings_dict["OPTIONS"].values()
