"""An experiment in the browser: set up, watched, read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from apps.experiments.figures import FIGURES
from tests.browser.conftest import Analyst
from tests.browser.long_web import MADE
from tests.running_site import RunningSite


@pytest.fixture(scope="module")
def topics(site: RunningSite, topic: int) -> list[str]:
    """The names of two topics of the long web."""
    definition = site.folder / "crusts.json"
    definition.write_text(
        json.dumps(
            {
                "name": "Crusts",
                "keywords": ["crust"],
                "seeds": [MADE.url(400)],
                "positives": [MADE.url(4 * i) for i in range(101, 111)],
                "negatives": [MADE.url(4 * i + 1) for i in range(101, 121)],
                "targets": [MADE.url(4 * i) for i in range(140, 160)],
            }
        )
    )
    done = site.manage("import_topic", str(definition), "--web", "long")
    assert done.returncode == 0, done.stderr
    return ["Crusts", "Loaves"]


def test_two_crawlers_are_compared_from_the_form_to_the_results(
    analyst: Analyst, topics: list[str]
) -> None:
    page = analyst.page
    set_up(page, topics)
    page.get_by_role("button", name="Start experiment").click()
    page.wait_for_url(re.compile(r"/experiments/\d+/$"))
    watch(page)
    page.get_by_role("link", name="Results").click()
    read(page)


@pytest.mark.parametrize("width", [390, 1440])
def test_every_strategy_and_whole_words_are_seen_at_any_width(
    new_page: Callable[..., Page], signed_in: Any, experiment: int, width: int
) -> None:
    page = new_page(storage_state=signed_in, viewport={"width": width, "height": 844})
    page.goto(f"/experiments/{experiment}/?part=matrix")
    cells = page.locator("[data-matrix] tbody tr").first.locator("td.cell")
    expect(cells).to_have_count(2)
    for cell in cells.all():
        box = cell.bounding_box()
        assert box["x"] >= 0 and box["width"] > 40 and box["x"] + box["width"] <= width
    names = [cell.get_attribute("data-title") for cell in cells.all()]
    assert [name.split()[0] for name in names] == ["Full", "Breadth-first"]
    page.locator("summary", has_text="Download").click()
    files = page.locator(".menu[open] .items b")
    assert {"Rows", "Recipe"} <= {*files.all_inner_texts()}
    for name in files.all():
        assert name.evaluate("(name) => name.getClientRects().length") == 1


def set_up(page: Page, topics: list[str]) -> None:
    """Fills the form; what will happen follows every change."""
    page.goto("/experiments/")
    page.get_by_role("link", name="New experiment").click()
    page.locator("#id_web").select_option(label="long, 4,000 pages")
    rail = page.locator("[data-part=rail]")
    expect(rail).to_contain_text("2 topics are crawled by 3 strategies")
    for name in topics:
        expect(page.get_by_role("checkbox", name=name)).to_be_checked()
    page.get_by_role("checkbox", name="Crusts").uncheck()
    expect(rail).to_contain_text("1 topic is crawled by 3 strategies")
    page.get_by_role("checkbox", name="Crusts").check()
    page.get_by_role("button", name="Remove Text window combo").click()
    expect(rail).to_contain_text("crawled by 2 strategies")
    page.get_by_text("Add a strategy").click()
    page.get_by_role("button", name=re.compile("Tag tree combo")).click()
    expect(page.locator("[name=strategy-3]")).to_have_value("tag_tree_combo")
    page.locator(".strategy-rows tr", has_text="Tag tree combo").locator("summary").click()
    beta = page.get_by_label(re.compile("^β"))
    beta.fill("0.25, 7")
    expect(page.locator("#value-3-beta_error")).to_contain_text("between 0 and 1")
    expect(page.get_by_role("button", name="Start experiment")).to_be_disabled()
    beta.fill("0.25, 0.5")
    expect(page.locator("[data-variants='3']")).to_have_text("2 variants")
    page.locator("#id_pages").fill("30")
    page.locator("#id_at").fill("20")
    expect(rail).to_contain_text("8 cells of up to 30 pages on long")
    expect(page.get_by_role("button", name="Start experiment")).to_be_enabled()


def watch(page: Page) -> None:
    """The cells end in their places; arrows move over them, Enter opens one."""
    expect(page.get_by_role("heading", name="Matrix")).to_be_visible()
    matrix = page.locator("[data-matrix]")
    expect(matrix.locator("[data-cell]")).to_have_count(8)
    matrix.locator("[data-cell]").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    chosen = matrix.locator("tbody tr").nth(1).locator("[data-cell]").nth(1)
    expect(chosen).to_be_focused()
    expect(page.locator("#state_badge")).to_contain_text("Finished")
    expect(matrix.locator(".cell.is-done")).to_have_count(8)
    expect(matrix.locator("#means")).to_contain_text("Mean of 2 topics")
    # The cell was drawn anew meanwhile, and has the focus still.
    expect(chosen).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    page.go_back()


def read(page: Page) -> None:
    """The table and the curves follow the choice, which stands in the address."""
    expect(page.locator(".by-strategy tbody tr")).to_have_count(4)
    expect(page.locator("#plot-course-target_recall .scatterlayer path").first).to_be_attached()
    page.get_by_label("against").select_option(label="Breadth-first")
    page.wait_for_url(re.compile("baseline=2"))
    expect(page.get_by_text("chosen after the start: baseline")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Figures")).click()
    save(page)
    page.get_by_role("link", name="Trajectories", exact=True).click()
    expect(page.locator(".large-figure .scatterlayer path").first).to_be_attached()


def save(page: Page) -> None:
    """Every figure is drawn, or says what it lacks; one is saved with its names and its numbers."""
    expect(page.locator(".paper-figures .js-plotly-plot")).to_have_count(len(FIGURES))
    expect(page.locator("[data-figure=n_and_k]")).to_contain_text("Needs HCLA with N varied")
    with page.expect_download() as saved:
        page.locator("[data-figure=overlap] [data-save=svg]").click()
    assert saved.value.suggested_filename == "overlap.svg"
    picture = Path(saved.value.path()).read_text()
    assert "Tag tree combo, β 0.25" in picture and "\u202f%" in picture
    with page.expect_download() as values:
        page.locator("[data-figure=overlap]").get_by_role("link", name="CSV").click()
    assert Path(values.value.path()).read_text().startswith("first crawler,second crawler,share")


def test_it_is_paused_and_stopped_and_its_state_changes_in_place(
    analyst: Analyst, topics: list[str]
) -> None:
    page = analyst.page
    page.goto("/experiments/new/")
    page.locator("#id_web").select_option(label="long, 4,000 pages")
    expect(page.locator("[data-part=rail]")).to_contain_text("2 topics")
    page.locator("#id_pages").fill("3000")
    page.locator("#id_repetitions").fill("20")
    expect(page.locator("[data-part=rail]")).to_contain_text("120 cells")
    page.get_by_role("button", name="Start experiment").click()
    expect(page.locator(".cell.is-running").first).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#state_badge")).to_contain_text("Paused")
    expect(page.locator(".cell.is-running")).to_have_count(0)
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".cell.is-running").first).to_be_visible()
    page.get_by_role("link", name="Stop…").click()
    page.get_by_role("button", name="Stop the experiment").click()
    expect(page.locator("#state_badge")).to_contain_text("Stopped")
