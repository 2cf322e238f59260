"""Saved results on status."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.research.effectiveness.status.result import (
    CrawlerStatus,
    StatusResult,
)
from apps.schemas.refused import Refused

BARE = StatusResult(
    web="dune", command="x", pages=300, topics=("a", "b"), locality=0.3, mean_status=1.25
)


def test_what_is_saved_is_read_again_rounded(tmp_path: Path) -> None:
    made = BARE.with_crawler(
        "Full page",
        CrawlerStatus(strategy="full_page", harvest=(0.123456, 1.0), status=(2.0, 1.23456)),
    )
    made.save(tmp_path)
    assert StatusResult.read_all(tmp_path) == [made]
    assert made.crawlers["Full page"].harvest == (0.1235, 1.0)
    assert made.crawlers["Full page"].status == (2.0, 1.2346)


def test_a_file_that_is_no_result_is_named(tmp_path: Path) -> None:
    assert StatusResult.read_all(tmp_path) == []
    BARE.save(tmp_path)
    StatusResult.path(tmp_path, "heath").write_text('{"web": 3}')
    with pytest.raises(Refused, match=r"heath\.json"):
        StatusResult.read_all(tmp_path)
