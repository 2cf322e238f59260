"""Downloads have a column for each person's labels, and none that is hidden from the reader."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.contrib.auth.models import User
from openpyxl import load_workbook

from apps.accounts.sharing import share
from apps.crawls.models import Crawl, Label
from apps.engine.digests import digest
from apps.exports.formats import FORMATS
from apps.exports.labels import LabelColumns
from apps.exports.rows import Selection
from apps.topics.annotation import hide_others
from apps.topics.models import Example, Topic
from tests.crawl_rows import grow, made_crawl, made_topic
from tests.people import person, site_of

pytestmark = pytest.mark.alike
ADA = {1: True, 2: True, 3: False}
BEN = {2: False, 3: False, 4: True}
NAMES = ("page", "label", "labels", "why")


@pytest.fixture
def ada(db: None) -> User:
    return person("ada")


@pytest.fixture
def ben(ada: User) -> User:
    return person("ben")


@pytest.fixture
def topic(ada: User, ben: User) -> Topic:
    topic = made_topic(ada)
    share(topic, "ben", may_edit=True)
    return topic


@pytest.fixture
def crawl(topic: Topic) -> Crawl:
    return grow(made_crawl(topic), 5)


def give(crawl: Crawl, by: User, answers: dict[int, bool]) -> None:
    for seq, relevant in answers.items():
        url = crawl.pages_fetched.get(seq=seq).final_url
        Label.objects.create(crawl=crawl, seq=seq, address=digest(url), relevant=relevant, by=by)


@pytest.fixture
def labelled(crawl: Crawl, ada: User, ben: User) -> Crawl:
    give(crawl, ada, ADA)
    give(crawl, ben, BEN)
    for seq, relevant in {1: True, 3: False, 4: True}.items():
        url = crawl.pages_fetched.get(seq=seq).final_url
        Example.objects.create(topic=crawl.topic, url=url, relevant=relevant, source="label")
    return crawl


def selection(crawl: Crawl, reader: User | None, *columns: str) -> Selection:
    return Selection((crawl,), columns, labels=LabelColumns.of(crawl.topic, reader))


def exported(id: str, chosen: Selection) -> bytes:
    return b"".join(FORMATS[id].export(chosen))


def json_rows(crawl: Crawl, reader: User | None) -> list[dict[str, object]]:
    lines = exported("jsonl", selection(crawl, reader, *NAMES)).splitlines()
    return [json.loads(line) for line in lines]


def people_in(row: dict[str, object]) -> tuple[object, object]:
    return row["label ada"], row["label ben"]


ALL = [(True, None), (True, False), (False, False), (None, True), (None, None)]


def test_every_format_with_columns_has_one_for_each_person(labelled: Crawl) -> None:
    chosen = selection(labelled, None, *NAMES)
    names = ["page", "label", "label ada", "label ben", "why"]
    assert [people_in(row) for row in json_rows(labelled, None)] == ALL
    text = {True: "true", False: "false", None: ""}
    lines = [*csv.DictReader(io.StringIO(exported("csv", chosen).decode()))]
    assert [people_in(line) for line in lines] == [(text[a], text[b]) for a, b in ALL]
    assert [*lines[0]] == names
    book = load_workbook(io.BytesIO(exported("excel", chosen)))
    cells = [*book["Pages"].iter_rows(values_only=True)]
    assert [*cells[0]] == names and [row[2:4] for row in cells[1:]] == ALL
    meanings = {row[0]: row[2] for row in book["Columns"].iter_rows(values_only=True)}
    assert str(meanings["label ben"]).startswith("label of ben; ")
    with_columns = {id for id, format in FORMATS.items() if format.columns}
    assert with_columns == {"csv", "excel", "jsonl", "parquet"}
    assert all("labels" in FORMATS[id].columns for id in with_columns)


def test_parquet_has_them_typed_and_described(labelled: Crawl) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(io.BytesIO(exported("parquet", selection(labelled, None, *NAMES))))
    assert [people_in(row) for row in table.to_pylist()] == ALL
    assert str(table.schema.field("label ada").type) == "bool"
    assert b"label of ada" in table.schema.field("label ada").metadata[b"description"]


def test_nothing_is_shown_that_is_hidden_from_the_reader(labelled: Crawl, ada: User) -> None:
    rows = json_rows(labelled, ada)
    assert [people_in(row) for row in rows] == [*ALL[:3], (None, None), (None, None)]
    assert [row["label"] for row in rows] == [True, None, False, None, None]
    assert "Labelled" in str(rows[0]["why"]) and "Labelled" not in str(rows[3]["why"])
    hide_others(labelled.topic, ada, False)
    rows = json_rows(labelled, ada)
    assert [people_in(row) for row in rows] == ALL and rows[3]["label"] is True


def test_who_may_only_read_sees_all_and_who_may_not_none(labelled: Crawl) -> None:
    reader, outsider = person("cyn"), person("eve")
    share(labelled.topic, "cyn")
    assert [people_in(row) for row in json_rows(labelled, reader)] == ALL
    assert [*json_rows(labelled, outsider)[0]] == ["page", "label", "why"]


def test_one_person_has_no_column_beside_the_label(crawl: Crawl, ada: User) -> None:
    give(crawl, ada, ADA)
    assert [*json_rows(crawl, ada)[0]] == ["page", "label", "why"]
    only = exported("jsonl", selection(crawl, ada, "labels")).splitlines()
    assert json.loads(only[0]) == {"label": None}


def test_the_dictionary_of_a_topic_names_its_people(labelled: Crawl, ben: User) -> None:
    site, topic = site_of(ben), labelled.topic
    answer = site.get(f"/downloads/columns.csv?topic={topic.pk}")
    lines = [*csv.reader(io.StringIO(answer.content.decode()))]
    assert ["label ada", "true or false"] in [line[:2] for line in lines]
    assert "labels" not in [line[0] for line in lines]
    bare = site_of(person("eve")).get(f"/downloads/columns.csv?topic={topic.pk}")
    assert "label ada" not in bare.content.decode() and "labels" in bare.content.decode()
