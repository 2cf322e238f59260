"""Chromium on the real process tree.

`analyst` gives a page that is signed in and the site's address. A test fails when the page logs an
error, throws, is answered with a 5xx or asks any other host for anything; screenshots of failed
tests are in test-output/.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.browser.long_web import finished_crawl, topic_of_long_web
from tests.browser.screens_of_site import (  # noqa: F401
    background,
    experiment,
    labelled,
    numbers,
    web,
)
from tests.running_site import RunningSite, running_site

OUTPUT = Path(__file__).resolve().parents[2] / "test-output"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# How long a state is waited for; on a busy machine it takes long to come.
MILLISECONDS = 120_000
expect.set_options(timeout=MILLISECONDS)
OWN_SCHEMES = ("data", "blob", "about")


class Analyst(NamedTuple):
    """A signed-in page, about to look at the site."""

    page: Page
    base_url: str


@dataclass
class Watch:
    """What went wrong while pages were open. `expect(404)` lets answers of that status pass."""

    base_url: str
    complaints: list[str] = field(default_factory=list)
    expected: set[int] = field(default_factory=set)

    def expect(self, *statuses: int) -> None:
        self.expected.update(statuses)

    def follow(self, context: BrowserContext) -> None:
        context.on("request", self._on_request)
        context.on("response", self._on_response)
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self.complaints.append(f"threw {error.error}"))

    def _on_request(self, request: Request) -> None:
        asked, own = urlsplit(request.url), urlsplit(self.base_url)
        if asked.scheme not in OWN_SCHEMES and asked.netloc != own.netloc:
            self.complaints.append(f"asked another host: {request.url}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 500 and response.status not in self.expected:
            self.complaints.append(f"{response.status} from {response.url}")

    def _on_console(self, message: Any) -> None:
        waited_for = any(f"status of {status} " in message.text for status in self.expected)
        if message.type == "error" and not waited_for:
            self.complaints.append(f"console: {message.text} ({message.location})")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a browser does on a page is alike on every database; live feed and workers are not."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")
            item.add_marker("tree")
            if not item.get_closest_marker("stored"):
                item.add_marker("alike")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """One process tree for all browser tests."""
    with running_site(tmp_path_factory.mktemp("site"), "--no-demo") as site:
        yield site


@pytest.fixture(scope="session")
def topic(site: RunningSite) -> int:
    """A topic of a recorded web of some thousand pages; its number."""
    return topic_of_long_web(site)


@pytest.fixture(scope="session")
def finished(site: RunningSite, topic: int) -> int:
    """A crawl of that web that has ended, with a fixed random seed; its number."""
    return finished_crawl(site, topic)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        pytest.skip("Chromium is not installed: apt-get install -y chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def watch(site: RunningSite) -> Watch:
    return Watch(site.address)


@pytest.fixture
def new_page(
    site: RunningSite, chromium: Browser, watch: Watch, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Page]]:
    """Makes pages that nobody has signed in on; options go to playwright's `new_context`."""
    pages: list[Page] = []

    def make(**options: Any) -> Page:
        context = chromium.new_context(base_url=site.address, **options)
        context.set_default_timeout(MILLISECONDS)
        watch.follow(context)
        pages.append(context.new_page())
        return pages[-1]

    yield make
    _keep_pictures(request, pages)
    for page in pages:
        page.context.close()
    assert watch.complaints == [], "\n".join(watch.complaints)


@pytest.fixture(scope="session")
def signed_in(site: RunningSite, chromium: Browser) -> Any:
    """What the browser stores after the printed link was used, for contexts of every test."""
    page = chromium.new_context(base_url=site.address).new_page()
    sign_in(page, site.link)
    state = page.context.storage_state()
    page.context.close()
    return state


@pytest.fixture
def analyst(new_page: Callable[..., Page], site: RunningSite, signed_in: Any) -> Analyst:
    """The owner, signed in, on a blank page."""
    return Analyst(new_page(storage_state=signed_in), site.address)


@pytest.fixture
def person(new_page: Callable[..., Page], site: RunningSite) -> Page:
    """A page of somebody whose session may end, unlike the one that all tests share."""
    page = new_page()
    sign_in_again(page, site)
    return page


def sign_in_again(page: Page, site: RunningSite) -> None:
    sign_in(page, site.manage("sign_in_link").stdout.strip())


def end_session(page: Page) -> None:
    page.context.clear_cookies(name="sessionid")


def sign_in(page: Page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Sign out").wait_for(state="attached")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Any:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


def _keep_pictures(request: pytest.FixtureRequest, pages: list[Page]) -> None:
    if not request.node.stash.get(FAILED, False):
        return
    OUTPUT.mkdir(exist_ok=True)
    for number, page in enumerate(pages):
        page.screenshot(path=OUTPUT / f"{request.node.name}-{number}.png", full_page=True)
