"""Repeat a paper in the browser: one press, watched to its verdicts."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Analyst
from tests.experiments.made_labelled import write_labelled
from tests.running_site import RunningSite

PROTOCOL = "#lc-classifiers"


@pytest.fixture(scope="module")
def labelled(site: RunningSite) -> str:
    """A web with labels of some fifty pages each; its name."""
    done = site.manage("import_web", "labels", str(write_labelled(site.folder, pages=70)))
    assert done.returncode == 0, done.stderr
    return "labels"


def test_a_protocol_is_repeated_by_one_press_and_its_verdicts_appear(
    analyst: Analyst, labelled: str
) -> None:
    page = analyst.page
    page.goto("/experiments/")
    page.get_by_role("link", name="Repeat a paper").click()
    page.get_by_label("Run on").select_option(label=f"{labelled}: 218 pages")
    page.get_by_label("Topics").fill("2")
    page.get_by_label("Pages a crawl").fill("30")
    page.get_by_role("button", name="Choose").click()
    row = page.locator(PROTOCOL)
    expect(row).to_contain_text("2 topics × 3 crawlers × 30 pages")
    row.get_by_role("button", name="Run").click()
    expect(row.locator(".run-state")).to_have_text(re.compile("preparing|running|ended"))
    expect(row.locator(".run-state")).to_have_text("ended")
    expect(row.locator(".verdict-bar")).to_have_count(1)
    page.reload()
    row.get_by_text("Filled in").click()
    expect(row).to_contain_text(f"on {labelled}")
    picture(analyst)
    row.get_by_role("link", name=re.compile("^Open (?!as experiment)")).click()
    page.wait_for_url(re.compile(r"/experiments/\d+/$"))


def picture(analyst: Analyst) -> None:
    if folder := os.environ.get("PICTURES"):
        page = analyst.page
        for scheme, width, height in (
            ("light", 1280, 900),
            ("dark", 1280, 900),
            ("light", 390, 800),
            ("light", 640, 800),
        ):
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=Path(folder) / f"{scheme}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 900})
