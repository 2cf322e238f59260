"""Rows of long lists: written with few statements, and as any other rows are."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from apps.topics.definition.rows import insert_alike
from apps.topics.definition.schemas import Definition
from apps.topics.models import Example, InputPage, Seed, Target
from apps.topics.services import create_topic
from tests.crawl_rows import made_topic
from tests.people import person

pytestmark = pytest.mark.django_db
LISTS = ("seeds", "positives", "evaluation_negatives", "targets", "corpus", "backlinks")


def values_of(row: Model) -> dict[str, Any]:
    """All that a row has but its number and its moment."""
    names = {field.attname for field in row._meta.concrete_fields} - {"id", "added_at"}
    return {name: getattr(row, name) for name in names}


@pytest.mark.parametrize(
    ("model", "given"),
    [
        (Seed, {"url": "http://a.test/é", "spelling": "a.test/é", "position": 3}),
        (Example, {"url": "http://a.test/%s", "relevant": False, "role": "evaluate"}),
        (InputPage, {"url": "http://a.test/1", "kind": "corpus"}),
        (Target, {"url": "http://a.test/1"}),
    ],
)
def test_a_row_is_as_if_it_had_been_saved(model: type[Model], given: dict[str, Any]) -> None:
    topic = made_topic(person("ada"))
    model._default_manager.all().delete()
    row = {"relevant": True} if model is Example else {}
    insert_alike(model(topic=topic, **row), tuple(given), [tuple(given.values())])
    inserted = model._default_manager.get()
    inserted_values, moment = values_of(inserted), getattr(inserted, "added_at", True)
    inserted.delete()
    saved = model(topic=topic, **given)
    saved.save()
    saved.refresh_from_db()
    assert values_of(saved) == inserted_values and moment


def test_a_long_list_is_written_with_as_many_statements_as_a_short_one() -> None:
    def statements(lines: int) -> list[str]:
        lists = {
            name: "\n".join(f"http://{name.replace('_', '-')}.test/{i}" for i in range(lines))
            for name in LISTS
        }
        with CaptureQueriesContext(connection) as asked:
            topic = create_topic(owner, Definition(name=f"Rye {lines}", lists=lists)).topic
        assert topic.seeds.count() == topic.targets.count() == lines
        assert topic.examples.count() == topic.input_pages.count() == 2 * lines
        written = (sql for sql in map(itemgetter("sql"), asked) if "INSERT" in sql)
        return [sql[sql.index("INSERT") :].split("(")[0] for sql in written]  # “3 times: INSERT …”

    owner = person("ada")
    assert statements(3) == statements(3_000)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="no other database is locked whole")
def test_a_long_list_binds_what_its_rows_share_once_and_keeps_its_order() -> None:
    topic, bound = made_topic(person("ada")), []
    topic.targets.all().delete()
    urls = [f"http://{i % 7}.test/“{i}”?a=%s" for i in range(3_000)]

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        bound.append(sum(map(len, params)) if many else len(params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        insert_alike(Target(topic=topic), ("url",), ((url,) for url in urls))
        insert_alike(Target(topic=topic), ("url",), ())
    assert bound == [5]
    assert list(topic.targets.order_by("pk").values_list("url", flat=True)) == urls
