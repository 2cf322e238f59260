"""A site crawls and indexes while its screens are asked."""

from __future__ import annotations

import os
from subprocess import CalledProcessError

import pytest

from apps.research.bench.screens import busy
from apps.research.bench.screens.busy import busy_site
from apps.research.bench.screens.own_site import bench_screens


def test_a_work_that_ends_by_itself_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(busy, "WORKS", {"nothing": None})
    with pytest.raises(CalledProcessError), busy_site() as works:
        works[0].wait()


@pytest.mark.soak
@pytest.mark.skipif("CRAWLSITE_SOAK" not in os.environ, reason="a whole site, in `make soak`")
def test_screens_of_a_busy_site_answer() -> None:
    timed = bench_screens(1_000, 20, 1, busy=True)
    assert len(timed) > 100
    assert [each.address for each in timed if each.status >= 500] == []
