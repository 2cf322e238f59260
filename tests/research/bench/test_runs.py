"""The bench really crawls, and times each stage; no test looks at how long it takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.research.bench import runs
from apps.research.bench.articles import SCRIPTS
from apps.research.bench.crawl import STRATEGY, CrawlCost
from apps.research.bench.others import CRAWLERS
from apps.research.bench.result import Bench, OtherCost
from apps.research.bench.runs import STRATEGIES, bench


def test_the_bench_crawls_over_http_and_times_every_stage(tmp_path):
    bench(20, tmp_path).save(tmp_path / "saved")
    [saved] = Bench.read_all(tmp_path / "saved")
    result = saved.model_dump()
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
        "main_text",
        "trafilatura",
    }
    assert set(result["strategies"]) == {*STRATEGIES} and result["learner_of_full_page"] > 0
    assert result["strategies"]["text_window_combo"] == result["whole"]
    assert set(result["scripts"]) == {*SCRIPTS} and result["scripts"]["latin"] == 1
    assert set(result["replay"]) == {"prepare", "strategy", "beside_first", "beside_next"}
    assert min(result["replay"].values()) > 0
    assert result["floor"] > 0 and result["times_floor"] > 0
    assert result["others"] == {}
    with_agents = result["with_agents"]
    assert with_agents["agents"] > 0
    assert min(with_agents["coordinator"], with_agents["of_agents"]) > 0
    assert {*result["gains_by_round"]} == {*STRATEGIES}
    for agents in (0, with_agents["agents"]):
        assert (tmp_path / "round-1" / f"text_window_combo-{agents}.warc.gz").stat().st_size > 1000


def test_other_crawlers_take_the_same_web_and_the_share_is_of_what_they_take(tmp_path, monkeypatch):
    ours = iter([1e4, 4e4, 2e4])

    def crawl_cost(model, web, pages, folder, agents, strategy_id):
        cost = next(ours) if strategy_id == STRATEGY and not agents else 3e4
        # With agents a page takes 7 ms instead of 10; of both cores 4 ms are for the web.
        return CrawlCost(20, agents, cost, 0.0, 4e3, 1e3 / 7 if agents else 100.0)

    monkeypatch.setattr(runs, "crawl_cost", crawl_cost)
    monkeypatch.setattr(runs, "floor_cost", lambda *given: 5e3)
    monkeypatch.setattr(runs.os, "cpu_count", lambda: 2)
    for part in ("stage_costs", "script_costs", "replay_costs"):
        monkeypatch.setattr(runs, part, lambda *given: {})
    # An interpreter that stands for theirs: it notes what it is given and answers likewise.
    python = tmp_path / "python"
    python.write_text(
        '#!/bin/sh\necho "$@" >> "$(dirname "$0")/given"\necho \'{"pages": 9, "cpu": 5e4}\'\n'
    )
    python.chmod(0o755)
    result = bench(20, tmp_path, others=CRAWLERS[:2], python=str(python), rounds=3)
    asked = [line.split() for line in (tmp_path / "given").read_text().splitlines()]
    assert [given[5] for given in asked] == ["scrapy", "scrapy_tuned"] * 3
    isolated, program, port, pages, folder, _, *seeds = asked[0]
    assert isolated == "-I" and Path(program).exists() and Path(folder).is_dir()
    assert int(port) > 0 and pages == "20"
    assert seeds and all(seed.startswith("http") for seed in seeds)
    assert result.others["scrapy"] == OtherCost(cost=5e4, share=0.4, share_by_round=[0.2, 0.8, 0.4])
    assert result.gains_by_round == {id: [2.0, 2.0, 2.0] for id in STRATEGIES}
    assert (result.whole, result.times_floor, result.learner_of_full_page) == (2e4, 4.0, 1.0)


def test_a_crawler_that_fails_ends_the_bench_with_its_output(tmp_path):
    python = tmp_path / "python"
    python.write_text(
        '#!/bin/sh\n[ "$2" = -c ] && echo scrapy && exit\necho the reactor broke >&2\nexit 1\n'
    )
    python.chmod(0o755)
    with pytest.raises(CommandError, match="the reactor broke"):
        call_command("bench", "--pages", "20", "--others", str(python))


@pytest.mark.parametrize("options", [(), ("--screens",)])
def test_no_rounds_are_refused(options):
    with pytest.raises(CommandError, match="rounds from 1 to 99"):
        call_command("bench", "--rounds", "0", *options)


def test_an_interpreter_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"no interpreter .*nowhere"):
        call_command("bench", "--pages", "20", "--others", str(tmp_path / "nowhere"))
