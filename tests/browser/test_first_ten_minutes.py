"""The guided line on the demo crawl."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite

MARK = "from apps.topics.models import Topic; Topic.objects.filter(pk={topic}).update(is_demo={on})"


@pytest.fixture
def guided(analyst: Any, site: RunningSite, topic: int, finished: int) -> Iterator[Page]:
    """The live page of a finished crawl of a topic that stands for the demo's."""
    page, base_url = analyst
    site.python(MARK.format(topic=topic, on=True))
    page.goto(f"{base_url}/crawls/{finished}/")
    yield page
    site.python(MARK.format(topic=topic, on=False))


def test_steps_tick_themselves_in_any_order_and_the_line_can_be_hidden(guided: Page) -> None:
    guide = guided.locator("[data-guide]")
    expect(guide).to_contain_text("1 of 5 done")
    expect(guide.locator("[data-step=settle]")).to_have_attribute("data-done", "")
    expect(guide.locator("[aria-current=step]")).to_contain_text("Ask why")
    guide.get_by_role("button", name="Show me").click()
    expect(guided.locator("[data-feed] [data-why]").first).to_be_focused()
    guided.keyboard.press("Enter")
    expect(guide).to_contain_text("2 of 5 done")
    guided.reload()
    expect(guide).to_contain_text("2 of 5 done")
    guide.get_by_role("button", name="Hide").click()
    expect(guide).to_be_hidden()
    guided.reload()
    expect(guided.locator("[data-feed] tr").first).to_be_visible()
    expect(guide).to_be_hidden()
    guided.evaluate("location.hash = 'first-ten-minutes'")
    expect(guide).to_be_visible()
    expect(guided.get_by_role("button", name="Start the demo again")).to_be_visible()


def test_on_a_phone_the_present_step_stands_alone_under_its_own_number(guided: Page) -> None:
    guided.set_viewport_size({"width": 390, "height": 844})
    expect(guided.locator("[data-guide] li:visible")).to_have_count(1)
    number, position = guided.locator("[data-guide] [aria-current]").evaluate(
        "li => [getComputedStyle(li.querySelector('b'), '::before').content,"
        " 1 + [...li.parentElement.children].indexOf(li)]"
    )
    assert position > 1 and number.startswith(f'"{position}')
