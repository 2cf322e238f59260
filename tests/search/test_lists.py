"""What a list reads of the database, whatever its length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apps.crawls.models import Crawl
from apps.experiments.models import Experiment
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.crawl_rows import made_crawl, made_topic
from tests.experiment_rows import made_experiment
from tests.people import person, site_of
from tests.rows_read import rows_read

pytestmark = pytest.mark.django_db
MOST_QUERIES, MOST_ROWS = 60, 150
"""Of one page, 25 rows: the waiting cells of an experiment, the sets and hosts of a collection are
read one by one."""


def copies(row: Crawl | Topic | Experiment | Web, number: int) -> None:
    """Further rows like one."""
    model = type(row)
    values = {
        field.attname: getattr(row, field.attname)
        for field in model._meta.concrete_fields
        if not field.primary_key
    }
    present = model.objects.count()
    rows = [model(**values) for _ in range(number)]
    for i, copy in enumerate(rows):
        copy.name = f"Tea {present + i}"
    model.objects.bulk_create(rows)


def crawls(owner: User) -> Crawl:
    return made_crawl(made_topic(owner, "Tea"), tags=["thesis"])


def topics(owner: User) -> Topic:
    return made_topic(owner, "Tea")


def experiments(owner: User) -> Experiment:
    return made_experiment(owner, name="Tea")


@pytest.mark.parametrize(
    ("list_name", "make"),
    [
        ("crawls:list", crawls),
        ("topics:list", topics),
        ("experiments:list", experiments),
        ("collection:home", topics),
    ],
)
@pytest.mark.parametrize(
    "query", ["", "q=tea+OR+te*+-coffee&page=2", "state=draft", "order=oldest", "order=name"]
)
def test_a_list_reads_no_more_of_300_rows_than_of_30(
    list_name: str, make: Callable[[User], Any], query: str, monkeypatch, data_dir
) -> None:
    owner = person("ada")
    row, site, address = make(owner), site_of(owner), f"{reverse(list_name)}?{query}"
    site.get(address)

    def read() -> tuple[int, int]:
        with (
            CaptureQueriesContext(
                connection,
            ) as queries,
            rows_read(monkeypatch) as numbers,
        ):
            assert site.get(address).status_code == 200
        return len(queries), sum(numbers)

    copies(row, 59)
    few = read()
    copies(row, 540)
    many = read()
    assert many == few
    assert 0 < few[0] <= MOST_QUERIES and 0 < few[1] <= MOST_ROWS
