"""Collections as Excel workbooks."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import openpyxl

from apps.exports import workbook as writer
from apps.exports.columns import COLUMNS

NAMES = ("title", "votes_for", "votes", "probability", "relevant", "captured_at")
ROW = {
    "title": "=1+1",
    "votes_for": 1,
    "votes": 1,
    "probability": 0.123456,
    "relevant": True,
    "captured_at": datetime(2024, 5, 6, 7, 8, 9, 500_000, tzinfo=UTC),
}


def opened(rows: Iterable[dict[str, Any]]) -> openpyxl.Workbook:
    data = b"".join(writer.workbook([COLUMNS[name] for name in NAMES], rows))
    return openpyxl.load_workbook(io.BytesIO(data))


def test_cells_have_the_types_of_their_values() -> None:
    heading, cells = opened([ROW])["Pages"].rows
    assert [cell.value for cell in heading] == list(NAMES)
    title, votes_for, votes, probability, relevant, captured_at = cells
    assert (title.value, title.data_type) == ("=1+1", "s")
    assert (votes_for.value, votes.value, votes.data_type) == (1, 1, "n")
    assert (probability.value, probability.number_format) == (0.123456, "0.0000")
    assert relevant.value is True
    assert captured_at.value == datetime(2024, 5, 6, 7, 8, 9) and captured_at.is_date


def test_days_that_spreadsheets_lack_or_shift_are_text() -> None:
    old = datetime(1899, 12, 31, 5, tzinfo=UTC)
    rows = [ROW | {"captured_at": old}, ROW | {"captured_at": old.replace(year=1900)}]
    cells = [row[-1] for row in opened(rows)["Pages"].rows][1:]
    assert (cells[0].value, cells[0].data_type) == ("1899-12-31T05:00:00+00:00", "s")
    assert cells[1].value == datetime(1900, 12, 31, 5) and cells[1].is_date


def test_unknown_values_are_empty_and_control_characters_no_damage() -> None:
    row = dict.fromkeys(NAMES) | {"title": "a\x0bb\ud800"}
    cells = list(opened([row])["Pages"].rows)[1]
    assert cells[0].value == "a\ufffdb?"
    assert [cell.value for cell in cells[1:]] == [None] * 5


def test_long_cells_are_cut_and_counted_beside_their_column() -> None:
    long = ROW | {"title": "😀" * 20_000}
    book = opened([long, ROW, long])
    assert len(book["Pages"]["A2"].value.encode("utf-16-le")) == 2 * 32_766
    counted = {row[0]: row[3] for row in book["Columns"].values}
    assert counted["title"] == 2 and counted["votes"] is None


def test_further_rows_go_to_a_further_sheet(monkeypatch) -> None:
    monkeypatch.setattr(writer, "MOST_ROWS", 3)
    book = opened([ROW | {"votes": n} for n in range(4)])
    assert book.sheetnames == ["Pages", "Pages 2", "Columns"]
    assert [list(sheet.values)[1][2] for sheet in book.worksheets[:2]] == [0, 2]
    assert len(list(book["Pages 2"].rows)) == 3


def test_a_file_without_rows_has_its_heading() -> None:
    assert list(opened([])["Pages"].values) == [NAMES]


def test_memory_does_not_grow_with_the_rows() -> None:
    columns = [COLUMNS[name] for name in NAMES]

    def peak(rows: int) -> int:
        tracemalloc.start()
        for _ in writer.workbook(columns, (ROW | {"title": f"T{n}"} for n in range(rows))):
            pass
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(10)
    assert peak(1_500) < 1.3 * peak(300)
