"""Collections as Parquet."""

from __future__ import annotations

import io

import pyarrow.parquet as pq

from apps.crawls.models import Crawl
from apps.exports import parquet
from apps.exports.rows import Selection
from tests.exports.test_exports import HOSTILE, MOMENT, crawl, owner  # noqa: F401


def test_rows_are_typed_and_the_file_describes_itself(crawl: Crawl, monkeypatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 3)
    data = b"".join(parquet.export(Selection.of_crawl(crawl)))
    file = pq.ParquetFile(io.BytesIO(data))
    table = file.read()
    assert file.num_row_groups == 3
    assert table.column("title").to_pylist() == HOSTILE
    assert table.column("votes").to_pylist() == [3] * 8
    assert table.column("captured_at").to_pylist() == [MOMENT] * 8
    assert table.column("text").to_pylist()[2] == "Rye number 3"
    assert table.schema.field("votes_for").metadata[b"description"]
    card = file.metadata.metadata[b"data_card"].decode()
    assert card.startswith("# Rye: =bread!") and "8 pages" in card
    assert "`votes` (whole number): how many judges voted" in card


def test_without_pyarrow_it_names_what_is_missing(monkeypatch) -> None:
    assert parquet.PARQUET.missing == ""
    monkeypatch.setattr("apps.exports.format.find_spec", lambda name: None)
    assert parquet.PARQUET.missing == (
        "Parquet needs pyarrow, which is not installed on this machine"
    )
