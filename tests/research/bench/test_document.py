"""docs/scale.md says what the bench has measured, in its units."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.research.bench.articles import SCRIPTS
from apps.research.bench.document import STAGES, write_document
from apps.research.bench.result import (
    AgentsCost,
    Bench,
    OtherCost,
    ScreenCost,
    ScreensResult,
    ShortCrawlCost,
)
from apps.schemas.refused import Refused

BENCH = Bench(
    web="articles",
    command="manage.py bench --pages 600 --rounds 3",
    pages=600,
    rounds=3,
    load=0.25,
    cores=2,
    kilobytes_a_page=26.9,
    links_a_page=49.3,
    pages_per_second=152.4,
    whole=3768.0,
    floor=1945.5,
    times_floor=1.92,
    learner_of_full_page=1.37,
    with_agents=AgentsCost(agents=1, coordinator=1647.0, of_agents=3104.0, pages_per_second=211.2),
    gains_by_round={"learner": [1.5, 1.81, 1.66]},
    strategies={"breadth_first": 3500.0, "text_window_combo": 3768.0},
    others={"scrapy": OtherCost(cost=15484.0, share=0.25, share_by_round=[0.26, 0.25, 0.2])},
    scripts={script: 1.0 + number / 8 for number, script in enumerate(SCRIPTS)},
    replay={"prepare": 5019.8, "strategy": 119.1, "beside_first": 843.5, "beside_next": 578.4},
    stages=dict.fromkeys(STAGES, 1586.4),
    starts={"learner": ShortCrawlCost(start=1.234, end=0.2)},
)


def test_every_figure_of_the_bench_is_in_its_unit(tmp_path: Path) -> None:
    BENCH.save(tmp_path)
    text = " ".join(write_document(tmp_path).split())
    for words in (
        "| breadth-first | 3.50 | |",
        "| httpx and lxml alone | 1.95 | 1.92 |",
        "| Scrapy | 15.48 | 0.25 (0.20 to 0.26) |",
        "| parse | 1,586 |",
        "1.65 ms a page and the agent 3.10",
        "takes 963 µs a page, the next one of the topic 698",
        "Cyrillic 1.12",
        "1.37 times one of Full Page",
        "at a load of 0.2 on 2 cores",
        "| learner | 1.23 | 0.20 |",
        "| learner | 1.66 | 1.50, 1.81, 1.66 |",
    ):
        assert words in text


def test_the_slowest_screens_are_named_and_those_above_the_goal_counted(tmp_path: Path) -> None:
    BENCH.save(tmp_path)
    assert "## Screens" not in write_document(tmp_path)
    slow, quick = (ScreenCost(first=900.0, median=150.0, p95=p95) for p95 in (1234.5, 199.0))
    ScreensResult(
        web="postgresql",
        command="manage.py bench --screens --pages 5000 --crawls 30",
        pages=5_000,
        crawls=30,
        rounds=5,
        load=0.5,
        cores=2,
        screens={"/crawls/": quick, "/webs/2/": slow},
    ).save(tmp_path)
    text = write_document(tmp_path)
    words = " ".join(text.split())
    assert "PostgreSQL, 5000 pages in one crawl and web, 30 crawls besides" in words
    assert "1 of 2 addresses take more than 200 ms" in words
    assert text.index("| /webs/2/ | 900 | 150 | 1,234 |") < text.index("| /crawls/ |")


def test_a_busy_site_is_measured_by_the_clock(tmp_path: Path) -> None:
    BENCH.save(tmp_path)
    ScreensResult(
        web="sqlite-busy",
        command="manage.py bench --screens --busy",
        pages=5_000,
        crawls=30,
        rounds=5,
        load=0.5,
        cores=2,
        busy=True,
        screens={"/crawls/": ScreenCost(first=900.0, median=150.0, p95=399.0)},
    ).save(tmp_path)
    text = " ".join(write_document(tmp_path).split())
    assert "SQLite, 5000 pages" in text
    assert "third indexes, by the clock: 0 of 1 addresses take more than 400 ms" in text


def test_a_folder_without_the_bench_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"articles\.json is missing"):
        write_document(tmp_path)
