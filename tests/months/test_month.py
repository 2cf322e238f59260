from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from apps.months.changing_web import DAY, ChangingWeb, WebScript
from apps.months.month import Month
from apps.months.policies import PolicyRun
from apps.months.serving import serve
from apps.watches.models import Observation, PageState, PageVersion, WatchedPage
from tests.crawls.kill_site import seed_of_the_day

SHORT = WebScript(
    hosts=4, pages=120, on_topic=0.4, new=3.0, days=6, lively=0.3, deleted=0.2, moved=0.1
)


@pytest.mark.alike
def test_a_watch_sees_what_is_new_changed_and_gone(
    transactional_db: None, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(READER, "read", read_article)
    web = ChangingWeb(SHORT, datetime.now(UTC) - SHORT.days * DAY)
    with serve(web) as port:
        month = Month(web, port, User.objects.create_user("owner"), tmp_path)
        watch = month.watch(requests=60)
        outcome = month.run(watch, "estimated")
    assert outcome.born > 5 and outcome.recall >= 0.9
    assert outcome.changes > 5 and outcome.false == [] and outcome.missed == []
    assert outcome.gone > 2 and outcome.false_gone == []
    assert outcome.requests < outcome.full
    # A front page or an archive that lists another page has not changed by that.
    lists = Observation.objects.filter(page__url__endswith="/") | Observation.objects.filter(
        page__url__contains="/archive/"
    )
    assert not lists.filter(state=PageState.CHANGED).exists()
    assert lists.filter(new_links__gt=0).exists()
    # A page that has not changed costs one small row a visit.
    assert watch.visits_made.first().observations.filter(code="not_modified").exists()
    changed = WatchedPage.objects.filter(is_watched=True, state=PageState.CHANGED)
    assert changed.exists()
    for page in changed:
        before, after = page.versions.order_by("-number")[:2][::-1]
        assert before.text_digest != after.text_digest and after.share > 0
    assert not PageVersion.objects.filter(page__is_watched=False).exists()
    # Of the sitemaps, those of even hosts date all pages today, and the other dates edits.
    dated = WatchedPage.objects.exclude(listed_date="")
    assert set(dated.values_list("host", flat=True)) == {"h3.test"}


@pytest.mark.soak
def test_a_month_of_a_web_that_nothing_was_tuned_on_reaches_the_goals(tmp_path: Path) -> None:
    if not os.environ.get("CRAWLSITE_SOAK"):
        pytest.skip("a month takes many minutes")
    seed = seed_of_the_day()
    run = PolicyRun("adaptive", WebScript(seed=seed, hosts=9, pages=900, new=6.0), 90)
    outcome = run.run_apart()
    assert outcome.reaches_goals, outcome
