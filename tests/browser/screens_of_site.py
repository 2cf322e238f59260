"""Every screen of the site by its address, with what its routes lead to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import APIResponse, Browser, Page, expect

from apps.research.bench.screens.addresses import addresses
from apps.screens.help.screens import SCREENS
from tests.browser.watched_topic import watched_topic
from tests.running_site import RunningSite

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
from tests.months.made_months import ended_months
owner = User.objects.earliest("pk")
stored = StoredDownload.objects.create(
    owner=owner, scope="topic", key={topic}, format="csv", file_name="loaves.csv", rows=60000,
    job_state="failed", job_problem="The disk is full.",
)
months = ended_months(owner, seeds=(3, 5))
print(stored.pk, Draft.objects.create(owner=owner, sentence="Bread").pk, months.pk)
"""
# The same label once more takes it back.
LABELS = """
from django.contrib.auth.models import User
from apps.crawls.commands.labelling.labels import LabelChange, give_labels
from apps.crawls.models import Crawl
mira, _ = User.objects.get_or_create(username="mira")
crawl, on, off = Crawl.objects.get(pk={crawl}), {on}, {off}
give_labels(crawl, LabelChange(on, (4, 5)), mira)
give_labels(crawl, LabelChange(off, (5,)), User.objects.earliest("pk"))
"""
PANELS = ("stop", "budget", "seeds", "pattern")
COAST = "\n".join(
    json.dumps({"url": f"http://coast.test/{corn}", "html": f"<p>Rye {corn}", "topics": ["bread"]})
    for corn in ("oats", "wheat", "spelt", "barley", "millet")
)


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def experiment(site: RunningSite, topic: int) -> int:
    """The number of an experiment that has ended."""
    design = site.folder / "design.toml"
    design.write_text(DESIGN)
    done = site.manage("experiment", str(design), "--json")
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout)["experiment"])


@pytest.fixture(scope="session")
def background(site: RunningSite, web: str) -> int:
    """The number of a background that has been built."""
    done = site.manage("background", "web", "--set", "web=coast")
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout)[0]["id"])


@pytest.fixture(scope="session")
def numbers(
    site: RunningSite, topic: int, finished: int, web: str, experiment: int, background: int
) -> Mapping[str, object]:
    """What stands in an address, by the parameter with the folder that it is in."""
    listed = site.folder / "arts.csv"
    listed.write_text("http://h0.test/p/0.html,Arts/Glass\n")
    done = site.manage("import_directory", str(listed))
    assert done.returncode == 0, done.stderr
    download, draft, months = map(int, site.python(ROWS.format(topic=topic)).split())
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
        "months/pk": months,
        "backgrounds/pk": background,
        **watched_topic(site, topic),
    }


@pytest.fixture(scope="module")
def labelled(site: RunningSite, finished: int) -> Iterator[None]:
    """Labels of two people, who disagree, while the screens are read; other tests count labels."""
    site.python(LABELS.format(crawl=finished, on=True, off=False))
    yield
    site.python(LABELS.format(crawl=finished, on=None, off=None))


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


def read_screens(page: Page, numbers: Mapping[str, object]) -> Mapping[str, str]:
    """The HTML of each screen of the URL configuration, by its address."""
    answers = {at: page.request.get(at, max_redirects=0) for at in addresses(numbers)}
    # What takes forms, or answers scripts, refuses to be read as it is; a link is used once.
    lost = {
        at: answer.status
        for at, answer in answers.items()
        if answer.status >= 400 and answer.status not in (400, 405, 410)
    }
    assert lost == {}, "what leads to these stands in `numbers`"
    return {at: answer.text() for at, answer in answers.items() if is_screen(answer)}


def screens(page: Page, numbers: Mapping[str, object]) -> list[str]:
    """Each screen, then some in other states; the live page comes last."""
    crawl = f"/crawls/{numbers['crawls/pk']}"
    return [
        *read_screens(page, numbers),
        "/nowhere/",
        "/help/?q=harvest",
        f"{crawl}/collection/?q=nothing",
        *(f"/experiments/{numbers['experiments/pk']}/?part={part}" for part in PARTS),
        *(f"{crawl}/#{panel}-panel" for panel in PANELS),
    ]
