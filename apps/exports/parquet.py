"""A collection as Parquet, typed, with its data card inside."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from apps.exports.columns import OF_TEXT, RowColumn, ValueType
from apps.exports.format import DownloadSample, Format, Size, columns_of, size_of_package
from apps.exports.jsonl import WITH_TEXT
from apps.exports.rows import Selection, rows
from apps.exports.streaming import written_pieces

GROUP = 500
"""The rows held in memory at once."""


def export(selection: Selection) -> Iterator[bytes]:
    """Parquet (zstd), a row group for each 500 pages; numbers unrounded, moments in UTC.

    The metadata of each column has its meaning (`description`), that of the file a data card
    (`data_card`): of which topic and crawls, made when, how many rows. Needs pyarrow.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = columns_of(selection, WITH_TEXT)
    schema = pa.schema([_field(pa, column) for column in columns])
    every = rows(selection, columns)
    number = 0
    with tempfile.TemporaryFile() as file:
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            while group := list(islice(every, GROUP)):
                number += len(group)
                writer.write_table(pa.Table.from_pylist([_clean(r) for r in group], schema=schema))
            writer.add_key_value_metadata({"data_card": data_card(selection, columns, number)})
        yield from written_pieces(file)


def data_card(selection: Selection, columns: Sequence[RowColumn], number: int) -> str:
    """The data card of the file, in Markdown."""
    topics = dict.fromkeys(crawl.topic.name for crawl in selection.crawls)
    crawls = "\n".join(
        f"- crawl {crawl.pk}: {crawl.strategy}, {crawl.pages:,} pages fetched"
        for crawl in selection.crawls
    )
    meanings = "\n".join(f"- `{c.name}` ({c.kind}): {c.words}" for c in columns)
    return (
        f"# {', '.join(topics)}\n\n"
        f"{number:,} pages, written by Crawlsite on {datetime.now(UTC):%d %B %Y}, a row a page.\n\n"
        f"## Crawls\n\n{crawls}\n\n## Columns\n\n{meanings}\n\n"
        "The texts belong to those who wrote them; each page's address is in `url`.\n"
    )


def _field(pa: Any, column: RowColumn) -> Any:
    types = {
        ValueType.TEXT: pa.string(),
        ValueType.WHOLE: pa.int64(),
        ValueType.DECIMAL: pa.float64(),
        ValueType.FLAG: pa.bool_(),
        ValueType.DAY: pa.date32(),
        ValueType.MOMENT: pa.timestamp("us", tz="UTC"),
    }
    return pa.field(column.name, types[column.kind], metadata={"description": column.words})


def _clean(values: dict[str, Any]) -> dict[str, Any]:
    """The values with texts that can be written as UTF-8."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in values.items()
    }


def _size(sample: DownloadSample) -> Size:
    chosen = {*(sample.few.columns or WITH_TEXT)}
    return size_of_package(export, sample, has_words=bool(OF_TEXT & chosen))


PARQUET = Format(
    id="parquet",
    title="Parquet",
    words="typed, with the text, for pandas and DuckDB",
    sentence="Typed columns with the text as written, numbers unrounded, and a data card inside,"
    " for pandas, DuckDB and R. Needs pyarrow: pip install 'crawlsite[parquet]'.",
    content_type="application/vnd.apache.parquet",
    extension="parquet",
    export=export,
    size=_size,
    columns=WITH_TEXT,
    package="pyarrow",
)
