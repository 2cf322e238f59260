"""Results of protocols are saved and read again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from apps.papers.result import as_json, read_results, result_of, save
from apps.papers.tables.observed import Observed
from apps.schemas.refused import Refused
from tests.papers.made_protocols import PAIR, protocol

TABLE = np.array([[0.1, 0.2, np.nan], [0.2, 0.4, np.nan], [1 / 3, 0.5, np.nan]])
SEEN = Observed(
    "topic", 3, ("Full Page", "Breadth-first", "Best-first"), {"target_recall": TABLE}, fewest=3
)


def result(web: str = "meadow"):
    return result_of("lc-contexts", protocol(PAIR), web, SEEN, {"pages": 20, "command": "run"})


def test_it_has_means_with_half_of_their_intervals_and_no_page():
    means = result().means["target_recall"]
    assert [mean.crawler for mean in means] == ["Full Page", "Breadth-first"]
    assert means[0].mean == pytest.approx(TABLE[:, 0].mean(), abs=1e-6)
    # t with two degrees of freedom: 4.303 standard errors.
    half = 4.302653 * TABLE[:, 0].std(ddof=1) / np.sqrt(3)
    assert means[0].half == pytest.approx(half, rel=1e-5)
    assert "http" not in as_json(result())


def test_what_was_saved_is_read_again(tmp_path: Path):
    path = save(result("a web.jsonl.gz"), tmp_path / "new")
    assert path.name == "lc-contexts.a-web-jsonl-gz.json"
    assert read_results([path.parent]) == [result("a web.jsonl.gz")]


def test_damaged_results_are_refused_with_their_file(tmp_path: Path):
    with pytest.raises(Refused, match="no saved result"):
        read_results([tmp_path])
    plain = json.loads(as_json(result()))
    (tmp_path / "a.json").write_text(json.dumps({**plain, "cases": "three"}))
    with pytest.raises(Refused) as refused:
        read_results([tmp_path])
    assert refused.value.field == "a.json: cases"
    (tmp_path / "a.json").write_text("{")
    with pytest.raises(Refused, match="not JSON"):
        read_results([tmp_path])
