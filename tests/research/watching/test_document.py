"""The page of months, and the command that runs them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.months.policies import POLICIES, PolicyRun
from apps.months.result import PolicyResult
from apps.research.watching.document import policy_table, write_document
from apps.research.watching.results import WatchResult
from tests.months.made_months import GOOD


def a_month(web: str, **figures: float | None) -> WatchResult:
    result = WatchResult(
        web=web,
        command="manage.py watching --seed 2",
        pages=400,
        days=30,
        new=4.0,
        hosts=9,
        budget=60,
    )
    return result.with_policy("adaptive", GOOD.model_copy(update=figures))


def test_a_row_has_the_figures_of_a_policy() -> None:
    row = policy_table(a_month("changing-2")).splitlines()[-1]
    cells = "2,000 | 0.060 | 200 of 200 | 0.990 | 0.950 | 90 | 0 | 0 | 4 | 0"
    assert row == f"| **adaptive** | {cells} |"


def test_a_month_without_births_has_a_dash_and_changes_no_mean() -> None:
    none = a_month("changing-2", born=0, seen=0, recall=None, freshness=None)
    assert "| 0 of 0 | – | – |" in policy_table(none).splitlines()[-1]
    text = " ".join(write_document([none.with_policy("without dates", GOOD)]).split())
    assert "what is seen within a day by –, copies current by –" in text


def test_the_page_states_where_the_goals_are_reached_and_where_not() -> None:
    text = write_document([a_month("changing-2"), a_month("changing-3", false=1)])
    assert "The adaptive policy does so on\nchanging-2." in text
    assert "It does not on changing-3." in text


def test_the_page_shows_what_dates_of_sitemaps_add_where_both_ran() -> None:
    undated = GOOD.model_copy(update={"recall": 0.95, "freshness": 0.96, "changes": 88})
    both = a_month("changing-2").with_policy("without dates", undated)
    text = " ".join(write_document([both, a_month("changing-3", recall=0.5)]).split())
    assert "over 1 web, what is seen within a day by +0.040" in text
    assert "copies current by -0.010, and changes seen by +2.0." in text
    assert "dates of sitemaps change" not in write_document([a_month("changing-2")])


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[PolicyRun]:
    """The months that were run apart."""
    ran: list[PolicyRun] = []

    def run(self: PolicyRun) -> PolicyResult:
        ran.append(self)
        return GOOD

    monkeypatch.setattr(PolicyRun, "run_apart", run)
    return ran


def test_the_command_runs_every_policy_and_goes_on_where_it_was(
    ran: list[PolicyRun], tmp_path: Path
) -> None:
    out = io.StringIO()
    given = {"seed": 5, "pages": 300, "requests": 50, "save": tmp_path, "stderr": io.StringIO()}
    call_command("watching", policies=["uniform"], stdout=out, **given)
    call_command("watching", stdout=out, json=True, **given)
    others = ["adaptive", "without dates", "proportional", "full recrawl"]
    assert [run.policy for run in ran] == ["uniform", *others]
    assert {run.budget for run in ran} == {50, 20 * 300}
    assert {(run.script.seed, run.script.pages, run.requests) for run in ran} == {(5, 300, 50)}
    saved = json.loads((tmp_path / "changing-5.json").read_text("utf-8"))
    assert saved["policies"].keys() == POLICIES.keys()
    assert saved["command"] == "manage.py watching --seed 5 --pages 300 --requests 50"


def test_a_number_that_is_too_small_is_refused() -> None:
    with pytest.raises(CommandError, match="--days: give 2 or more"):
        call_command("watching", days=1)


def test_the_page_states_where_another_policy_has_more_current_copies() -> None:
    fresher = GOOD.model_copy(update={"freshness": 0.99})
    assert "more current copies" not in write_document([a_month("changing-2")])
    full = a_month("changing-2").with_policy("full recrawl", fresher)
    assert "more current copies" not in write_document([full])
    text = write_document([a_month("changing-2").with_policy("uniform", fresher)])
    assert "On\nchanging-2 another policy" in text
