"""Samples are as dense as ever in a short crawl, and few in a long one."""

from __future__ import annotations

from itertools import pairwise

from apps.engine.crawl.sampling import is_sampled


def sampled(pages: int, every: int) -> list[int]:
    return [page for page in range(1, pages + 1) if is_sampled(page, every)]


def test_short_crawls_and_experiments_have_every_sample() -> None:
    assert sampled(10_000, 10) == list(range(10, 10_001, 10))
    assert sampled(1_500, 1) == list(range(1, 1_501))
    assert sampled(400_000, 500) == list(range(500, 400_001, 500))


def test_the_steps_grow_with_the_crawl() -> None:
    sample = sampled(45_000, 10)
    steps = {page: page - before for before, page in pairwise(sample)}
    assert (steps[10_000], steps[10_040], steps[20_000]) == (10, 40, 40)
    assert (steps[20_080], steps[40_000], steps[40_160]) == (80, 80, 160)


def test_a_million_pages_have_a_few_thousand_samples() -> None:
    assert len(sampled(1_000_000, 10)) < 2_700
