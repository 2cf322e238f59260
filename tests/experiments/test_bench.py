"""The bench really crawls, and times each stage; no test looks at how long it takes."""

from __future__ import annotations

from apps.experiments.bench import bench


def test_the_bench_crawls_over_http_and_times_every_stage(tmp_path):
    result = bench(20, tmp_path).as_json()
    assert result["pages"] == 20
    assert result["pages_per_second"] > 0
    assert set(result["stages"]) == {
        "parse", "encode", "contexts", "score_links", "queue", "archive", "committee"
    }
    assert set(result["replay"]) == {"prepare", "strategy", "beside_first", "beside_next"}
    assert min(result["replay"].values()) > 0
    assert (tmp_path / "crawl.warc.gz").stat().st_size > 1000
