"""The bench really crawls, and times each stage; no test looks at how long it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.research.bench.runs import bench


def test_the_bench_crawls_over_http_and_times_every_stage(tmp_path):
    result = bench(20, tmp_path).as_json()
    assert result["pages"] == 20
    assert result["pages_per_second"] > 0
    assert set(result["stages"]) == {
        "parse",
        "encode",
        "contexts",
        "score_links",
        "queue",
        "archive",
        "committee",
    }
    assert set(result["replay"]) == {"prepare", "strategy", "beside_first", "beside_next"}
    assert min(result["replay"].values()) > 0
    assert result["floor"] > 0 and result["times_floor"] > 0
    assert result["scrapy"] is result["of_scrapy"] is None
    with_agents = result["with_agents"]
    assert with_agents["pages"] == 20 and with_agents["agents"] > 0
    assert min(with_agents["coordinator"], with_agents["of_agents"]) > 0
    for agents in (0, with_agents["agents"]):
        assert (tmp_path / "round-1" / f"{agents}.warc.gz").stat().st_size > 1000


def test_scrapy_crawls_the_same_web_and_the_share_is_of_what_it_takes(tmp_path):
    # An interpreter that stands for Scrapy's: it notes what it is given and answers likewise.
    python = tmp_path / "python"
    python.write_text(
        '#!/bin/sh\necho "$@" >> "$(dirname "$0")/given"\necho \'{"pages": 9, "cpu": 5e4}\'\n'
    )
    python.chmod(0o755)
    result = bench(20, tmp_path, scrapy=str(python), rounds=3)
    asked = (tmp_path / "given").read_text().splitlines()
    assert len(asked) == 3
    isolated, script, port, pages, _, *seeds = asked[0].split()
    assert isolated == "-I" and Path(script).exists()
    assert int(port) > 0 and pages == "20"
    assert seeds and all(seed.startswith("http") for seed in seeds)
    assert result.scrapy == 5e4 and result.of_scrapy == result.whole / 5e4
    assert sorted(result.of_scrapy_by_round)[1] == result.of_scrapy


def test_a_scrapy_that_fails_ends_the_bench_with_what_it_said(tmp_path):
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho no such module >&2\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(CommandError, match="no such module"):
        call_command("bench", "--pages", "20", "--scrapy", str(python))
