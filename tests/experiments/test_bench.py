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
    assert result["floor"] > 0 and result["times_floor"] > 0
    with_agents = result["with_agents"]
    assert with_agents["pages"] == 20 and with_agents["agents"] > 0
    assert min(with_agents["coordinator"], with_agents["of_agents"]) > 0
    for agents in (0, with_agents["agents"]):
        assert (tmp_path / f"{agents}.warc.gz").stat().st_size > 1000
