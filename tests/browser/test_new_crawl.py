"""The form for a crawl: what it finds, what it forbids and why, what it will cost."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Analyst


def test_words_and_kinds_narrow_the_strategies(analyst: Analyst, topic: int) -> None:
    page = analyst.page
    page.goto(f"/topics/{topic}/new-crawl/")
    rows = page.locator(".strategy:visible")
    everything = rows.count()
    page.get_by_role("button", name="Needs no examples").press("Enter")
    expect(page.locator(".strategy:visible", has_text="Full page")).to_have_count(0)
    assert rows.count() < everything
    page.get_by_role("button", name="All", exact=True).press("Enter")
    page.get_by_label("Find a strategy").fill("authorities lists")
    expect(page.locator(".strategy:visible", has_text="HITS")).to_be_visible()
    assert rows.count() <= 2  # the one chosen stays in sight


def test_a_web_that_is_not_served_cannot_be_fetched_over_http_and_says_why(
    analyst: Analyst, topic: int
) -> None:
    page = analyst.page
    page.goto(f"/topics/{topic}/new-crawl/")
    page.locator("input[name=web]:not([value=live])").first.check()
    expect(page.locator("input[name=over][value=http]")).to_be_disabled()
    expect(page.locator("input[name=over][value=record]")).to_be_checked()
    expect(page.locator("[data-source-refusal]")).to_contain_text("is not served")
    page.locator("#id_pages_per_second").fill("2")
    rail = page.locator("[data-rail]")
    expect(rail).to_contain_text("at most 2 pages a second")
    expect(rail.locator(".costs")).to_contain_text("at 2 pages a second")
    page.locator("input[name=web][value=live]").check()
    expect(page.locator("[data-sources]")).to_be_hidden()
    expect(rail).not_to_contain_text("pages a second")


def test_the_steps_are_counted_by_one_counter(analyst: Analyst, topic: int) -> None:
    page = analyst.page
    page.goto(f"/topics/{topic}/new-crawl/")
    counters = page.locator("[data-step]").evaluate_all("""steps => steps.map(step => {
        while (step && !getComputedStyle(step).counterReset.startsWith("step ")) {
            step = step.parentElement;
        }
        return step && step.className;
    })""")
    assert len(counters) > 2 and counters[0] and len({*counters}) == 1
