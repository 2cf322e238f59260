from __future__ import annotations

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.crawler_views import NOBODY, crawler_of, crawler_views
from tests.experiments.made_outcomes import made

VALUES = {(0, crawler): {"diversity": [1.0]} for crawler in (0, 2)}
ASKED = asked_of(made(("full_page", "breadth_first", "best_first"), values=VALUES, baseline=3))


def test_the_baseline_is_first_and_who_has_finished_nothing_is_not_shown() -> None:
    views = crawler_views(ASKED)
    assert [crawler_of(view) for view in views] == [2, 0]
    assert [view.id for view in views] == ["3", "1"]


def test_without_any_crawler_there_is_a_view_of_none() -> None:
    assert crawler_views(ASKED, lambda crawler: crawler.strategy == "hcla") == (NOBODY,)
    assert crawler_of(NOBODY) is None
