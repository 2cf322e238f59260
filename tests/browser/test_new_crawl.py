"""The form for a crawl: what it finds, what it forbids and why, what it will cost."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Analyst


def test_words_and_kinds_narrow_the_strategies(analyst: Analyst, topic: int) -> None:
    page = analyst.page
    page.goto(f"/topics/{topic}/new-crawl/")
    page.locator("[data-fold=strategies] summary").click()
    rows = page.locator(".strategy:visible")
    everything = rows.count()
    page.get_by_role("button", name="Needs no examples").press("Enter")
    expect(page.locator(".strategy:visible", has_text="Full page")).to_have_count(0)
    assert rows.count() < everything
    page.get_by_role("button", name="All", exact=True).press("Enter")
    page.get_by_label("Find a strategy").fill("authorities lists")
    expect(page.locator(".strategy:visible", has_text="HITS")).to_be_visible()
    assert rows.count() <= 2  # the one chosen stays in sight


def test_a_web_that_is_not_served_cannot_be_fetched_over_http_with_a_reason(
    analyst: Analyst, topic: int
) -> None:
    page = analyst.page
    page.goto(f"/topics/{topic}/new-crawl/")
    page.locator("input[name=web]:not([value=live])").first.check()
    expect(page.locator("input[name=over][value=http]")).to_be_disabled()
    expect(page.locator("input[name=over][value=record]")).to_be_checked()
    expect(page.locator("[data-source-refusal]")).to_contain_text("is not served")
    page.locator("[data-fold=limits] summary").click()
    page.locator("#id_pages_per_second").fill("2")
    rail = page.locator("[data-rail]")
    expect(rail).to_contain_text("at most 2 pages a second")
    expect(rail.locator(".costs")).to_contain_text("at 2 pages a second")
    page.locator("input[name=web][value=live]").check()
    expect(page.locator("[data-sources]")).to_be_hidden()
    expect(rail).not_to_contain_text("pages a second")


def test_folds_stay_as_they_were_left_and_the_choice_is_one(analyst: Analyst, topic: int) -> None:
    page = analyst.page
    page.goto(f"/topics/{topic}/new-crawl/")
    fold = page.locator("[data-fold=strategies]")
    expect(fold).not_to_have_attribute("open", "")
    fold.locator("summary").click()
    page.reload()
    expect(fold).to_have_attribute("open", "")
    page.locator(".strategy", has_text="Full page").first.click()
    expect(page.locator("[data-rail]")).to_contain_text("Full page")
    expect(page.locator("input[name=strategy]:checked")).to_have_count(1)
    further = page.locator(".strategy", has=page.locator("input[name=strategy]")).first
    title = further.locator("b").inner_text()
    further.locator("input").check()
    expect(fold.locator("[data-further]")).to_have_text(title)
    page.locator(".strategy", has_text="Breadth-first").click()
    expect(fold.locator("[data-further]")).to_be_hidden()
    expect(page.locator("#short-breadth_first")).to_be_checked()
    expect(page.locator("[data-fold-words]")).to_contain_text("Random seed")


def test_a_phone_has_the_start_in_sight(analyst: Analyst, topic: int) -> None:
    page = analyst.page
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"/topics/{topic}/new-crawl/")
    expect(page.locator(".dock").get_by_role("button", name="Start crawl")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
