"""The live page is up to date, or shows how old its figures are."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.long_web import start
from tests.running_site import RunningSite, kill

LONG = 60_000


@pytest.fixture
def moving(analyst: Any, topic: int) -> Iterator[Page]:
    """The live page of a crawl that will run for long: two pages a second."""
    page, base_url = analyst
    start(page, base_url, topic, "breadth_first", 4000)
    crawl = page.locator("[data-live]").get_attribute("data-crawl")
    page.request.post(
        f"{base_url}/crawls/{crawl}/action/",
        form={
            "action": "pace",
            "value": "2",
            "csrfmiddlewaretoken": page.locator("[name=csrfmiddlewaretoken]").first.input_value(),
        },
    )
    expect(page.locator("#events")).to_contain_text("2 pages/s", timeout=LONG)
    expect(page.locator("#figure-speed [data-speed]")).to_be_visible(timeout=LONG)
    expect(live(page)).to_have_attribute("data-liveness", "current", timeout=LONG)
    yield page
    page.get_by_role("link", name="Stop…").click()
    page.get_by_role("button", name="Stop the crawl").click()
    expect(page.locator("#state-badge .pill")).to_have_text("Finished", timeout=LONG)


def live(page: Page) -> Any:
    return page.locator("[data-live]")


@contextmanager
def frozen(pids: list[int]) -> Iterator[None]:
    """Processes that neither work nor answer."""
    assert pids
    for pid in pids:
        kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            kill(pid, signal.SIGCONT)


def test_without_a_network_nothing_looks_as_if_it_were_of_now(moving: Page) -> None:
    moving.context.set_offline(True)
    expect(live(moving)).to_have_attribute("data-liveness", "offline")
    notice = moving.locator("[data-connection]")
    expect(notice).to_contain_text("Connection lost; the crawl goes on.")
    expect(moving.locator("#figure-speed [data-speed]")).to_have_text("–")
    expect(moving.locator("#figure-speed")).to_contain_text("was ")
    expect(moving.locator("#figure-left .when-known")).to_be_hidden()
    expect(moving.locator("#figure-left .when-unknown")).to_be_visible()
    moving.context.set_offline(False)
    expect(live(moving)).to_have_attribute("data-liveness", "current", timeout=LONG)
    expect(notice).to_be_hidden()
    expect(moving.locator("#figure-left .when-known")).to_be_visible()


def test_a_site_that_does_not_answer_is_distinguished_from_a_lost_network(
    moving: Page, site: RunningSite
) -> None:
    with frozen(site.processes("crawlsite.web_server")):
        expect(live(moving)).to_have_attribute("data-liveness", "silent", timeout=LONG)
        notice = moving.locator("[data-connection]")
        expect(notice).to_contain_text("The site does not answer")
        expect(notice).to_contain_text("No answer for")
        expect(moving.locator("#figure-speed [data-speed]")).to_have_text("–")
    expect(live(moving)).to_have_attribute("data-liveness", "current", timeout=LONG)


def test_a_crawl_that_writes_nothing_is_distinguished_from_one_that_runs(
    moving: Page, site: RunningSite
) -> None:
    speed = moving.locator("#figure-speed [data-speed]")
    with frozen(site.processes("crawlsite.workers", "crawl")):
        expect(live(moving)).to_have_attribute("data-liveness", "stalled", timeout=LONG)
        expect(moving.locator(".liveness")).to_contain_text("nothing is written for")
        expect(moving.locator("[data-connection]")).to_be_hidden()
        expect(moving.locator("#figure-left .when-known")).to_be_hidden()
        expect(moving.locator("#figure-speed")).to_contain_text("was ", timeout=LONG)
        assert float(speed.inner_text()) < float(speed.get_attribute("data-speed") or 0)
    expect(live(moving)).to_have_attribute("data-liveness", "current", timeout=LONG)


def test_a_crawl_that_finds_no_page_is_distinguished_from_one_that_writes_nothing(
    moving: Page,
) -> None:
    # What the server says goes through here: commits of now, the newest page an hour ago.
    late = [True]

    def carry(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(aged(text) if late else text))

    moving.route_web_socket("**/ws/crawls/**", carry)
    moving.reload()
    expect(live(moving)).to_have_attribute("data-liveness", "slow", timeout=LONG)
    expect(moving.locator(".liveness")).to_have_text("no new page for 1 h", timeout=LONG)
    warned = moving.locator("#state-badge .pill")
    expect(warned).to_have_css("color", "rgb(138, 90, 0)", timeout=LONG)
    expect(moving.locator("[data-connection]")).to_be_hidden()
    expect(moving.locator("#figure-left .when-known")).to_be_hidden()
    speed = moving.locator("#figure-speed [data-speed]")
    expect(speed).to_have_text("0.00", timeout=LONG)
    expect(moving.locator("#figure-speed")).to_contain_text("was ", timeout=LONG)
    late.clear()
    expect(live(moving)).to_have_attribute("data-liveness", "current", timeout=LONG)
    expect(speed).not_to_have_text("0.00", timeout=LONG)


def aged(text: str | bytes) -> str:
    """A message of the live page, its ages those of a crawl that commits and finds no page."""
    return json.dumps({**json.loads(text), "ages": {"commit": 0.0, "page": 3600.0}})
