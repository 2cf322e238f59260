"""Every screen, light on a desk and dark on a phone: no fault that axe finds, and it fits."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import APIResponse, Browser, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from apps.screens.help.screens import SCREENS
from tests.addresses import addresses
from tests.browser.watched_topic import watched_topic
from tests.running_site import RunningSite

TOUCH = 44
# The last one is a phone.
LOOKS = [("light", 1440), ("dark", 390)]
PARTS = ("matrix", "topics", "figures", "recipe")
DESIGN = """
name = "Two crawlers"
web = "long"
topics = ["Loaves"]
pages = 30
crawlers = [{strategy = "full_page"}, {strategy = "breadth_first"}]
"""
ROWS = """
from django.contrib.auth.models import User
from apps.begin.models import Draft
from apps.exports.models import StoredDownload
owner = User.objects.earliest("pk")
stored = StoredDownload.objects.create(
    owner=owner, scope="topic", key={topic}, format="csv", file_name="loaves.csv", rows=60000,
    job_state="failed", job_problem="The disk is full.",
)
print(stored.pk, Draft.objects.create(owner=owner, sentence="Bread").pk)
"""
PANELS = ("stop", "budget", "seeds", "pattern")
# The API's operations look all alike: one of them stands for the rest.
ALIKE = {"exclude": [[".operation ~ .operation"]]}
COAST = "\n".join(
    json.dumps({"url": f"http://coast.test/{corn}", "html": f"<p>Rye {corn}", "topics": ["bread"]})
    for corn in ("oats", "wheat", "spelt", "barley", "millet")
)
RULES = {"iframes": False, "resultTypes": ["violations"]}


@pytest.fixture(scope="module")
def web(site: RunningSite, chromium: Browser, signed_in: Any) -> str:
    """The number of a web that was uploaded, its pages indexed, and given a list of labels."""
    page = chromium.new_context(base_url=site.address, storage_state=signed_in).new_page()
    page.goto("/webs/")
    page.locator("#id_file").set_input_files(
        {"name": "coast.jsonl", "mimeType": "text/plain", "buffer": COAST.encode()}
    )
    page.get_by_role("button", name="Upload", exact=True).click()
    page.get_by_role("link", name="coast", exact=True).click()
    expect(page.locator(".hit").first).to_be_visible()
    number = urlsplit(page.url).path.split("/")[2]
    page.goto(f"/webs/?labels_of={number}")
    page.locator("#id_file").set_input_files(
        {"name": "rye.csv", "mimeType": "text/csv", "buffer": b"http://coast.test/oats,rye"}
    )
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_text("1 label added to 1 page.")).to_be_visible()
    page.context.close()
    return number


@pytest.fixture(scope="module")
def experiment(site: RunningSite, topic: int) -> int:
    """The number of an experiment that has ended."""
    design = site.folder / "design.toml"
    design.write_text(DESIGN)
    done = site.manage("experiment", str(design), "--json")
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout)["experiment"])


@pytest.fixture(scope="module")
def background(site: RunningSite, web: str) -> int:
    """The number of a background that has been built."""
    done = site.manage("background", "web", "--set", "web=coast")
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout)[0]["id"])


@pytest.fixture(scope="module")
def numbers(
    site: RunningSite, topic: int, finished: int, web: str, experiment: int, background: int
) -> Mapping[str, object]:
    """What stands in an address, by the parameter with the folder that it is in."""
    listed = site.folder / "arts.csv"
    listed.write_text("http://h0.test/p/0.html,Arts/Glass\n")
    done = site.manage("import_directory", str(listed))
    assert done.returncode == 0, done.stderr
    download, draft = map(int, site.python(ROWS.format(topic=topic)).split())
    return {
        "crawls/pk": finished,
        "new/pk": draft,
        "topics/pk": topic,
        "webs/pk": web,
        "hosts/host": "h0.test",
        "directories/pk": json.loads(done.stdout)["directory"],
        "pages/seq": 3,
        "pages/number": 3,
        "why/number": 3,
        "people/pk": 1,
        "groups/pk": 1,
        "tokens/pk": 1,
        "uploads/pk": 1,
        "downloads/pk": download,
        "lists/upload": 2,
        "searches/pk": 1,
        "recordings/pk": 1,
        "deletions/pk": 1,
        "link/token": "used",
        "inputs/kind": "traffic",
        "sharing/kind": "topic",
        "topic/pk": topic,
        "strategies/id": "hcla",
        "measures/id": "target_recall",
        "help/slug": SCREENS[0].slug,
        "experiments/pk": experiment,
        "cells/cell": 1,
        "figures/figure": "trajectories",
        "backgrounds/pk": background,
        **watched_topic(site, topic),
    }


def is_screen(answer: APIResponse) -> bool:
    """Whether it is a whole page of ours, no part of one, no file, no stored page."""
    policy = answer.headers.get("content-security-policy", "")
    return (
        answer.status == 200
        and answer.headers["content-type"].startswith("text/html")
        and "content-disposition" not in answer.headers
        and "sandbox" not in policy
        and "<html" in answer.text()
    )


def screens(page: Page, numbers: Mapping[str, object]) -> list[str]:
    """Each screen of the URL configuration, then some in other states; the live page comes last."""
    answers = {at: page.request.get(at, max_redirects=0) for at in addresses(numbers)}
    # What takes forms, or answers scripts, refuses to be read as it is; a link is used once.
    lost = {
        at: answer.status
        for at, answer in answers.items()
        if answer.status >= 400 and answer.status not in (400, 405, 410)
    }
    assert lost == {}, "what leads to these stands in `numbers`"
    crawl = f"/crawls/{numbers['crawls/pk']}"
    return [
        *(at for at, answer in answers.items() if is_screen(answer)),
        "/nowhere/",
        "/help/?q=harvest",
        f"{crawl}/collection/?q=nothing",
        *(f"/experiments/{numbers['experiments/pk']}/?part={part}" for part in PARTS),
        *(f"{crawl}/#{panel}-panel" for panel in PANELS),
    ]


def faults(page: Page, width: int) -> list[str]:
    """What axe finds on the page as it is, and whether one must scroll sideways."""
    looked_at = ".panel:target" if page.url.endswith("-panel") else ALIKE
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(
        "([context, options]) => axe.run(context, options).then((result) => result.violations)",
        [looked_at, RULES],
    )
    said = [f"{fault['id']}: {fault['nodes'][0]['html'][:200]}" for fault in found]
    return said if fits(page, width) else [*said, "one must scroll sideways"]


def fits(page: Page, width: int) -> bool:
    """Whether nothing is wider than the window; charts need a moment after it has changed."""
    try:
        page.wait_for_function(
            "(width) => document.scrollingElement.scrollWidth <= width", arg=width, timeout=60_000
        )
    except PlaywrightTimeout:
        return False
    return True


def look(page: Page, scheme: str, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 844})


def faults_in_each_look(page: Page) -> list[str]:
    """The faults of the page that is open, which is loaded again only if its script asks for the
    width when it starts."""
    said = []
    for scheme, width in LOOKS:
        look(page, scheme, width)
        if (scheme, width) != LOOKS[0] and page.locator("[data-facets]").count():
            page.reload()
        said += [f"{scheme}, {width} px: {fault}" for fault in faults(page, width)]
    return said


def test_every_screen_is_usable_by_all_and_fits(
    new_page: Callable[..., Page],
    signed_in: Any,
    watch: Any,
    numbers: Mapping[str, object],
    finished: int,
) -> None:
    watch.expect(404)
    stranger, page = new_page(), new_page(storage_state=signed_in)
    look(stranger, *LOOKS[0])
    stranger.goto("/sign-in/")
    wrong = {"/sign-in/": faults_in_each_look(stranger)}
    for address in screens(page, numbers):
        look(page, *LOOKS[0])
        page.goto(address)
        wrong[address] = faults_in_each_look(page)
    assert len(wrong) > 40
    look(page, *LOOKS[0])
    page.goto(f"/crawls/{finished}/")
    fit = page.locator("[data-fit]:visible").first
    fit.click()
    page.locator("[data-feed] [data-why]").first.click()
    page.locator("#frontier [data-why]").first.click()
    expect(page.locator(".why-row h3", has_text="Path from the seed")).to_have_count(2)
    page.get_by_text("More", exact=True).click()
    wrong["why"] = faults_in_each_look(page)
    assert {address: said for address, said in wrong.items() if said} == {}
    for button in (fit, *page.locator("[data-feed] [data-label]").all()[:4]):
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= TOUCH, box
