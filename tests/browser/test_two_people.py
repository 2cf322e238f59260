"""Two people label one topic: the same pages, without seeing each other's labels; what they agree
on by figures worked out by hand; what they settle, alone or with a third; and what trains."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import sign_in
from tests.browser.long_web import MADE, finished_crawl
from tests.running_site import RunningSite

PAGES = 80
TOPIC = "Loaves of two"
YES_YES, YES_NO, NO_YES, NO_NO = 9, 3, 2, 6
"""Of 20 pages they agree on 15, 0.75. Mira says yes to 12 and Jonas to 11: by chance they would
agree on 0.6 · 0.55 + 0.4 · 0.45 = 0.51. Kappa is (0.75 − 0.51) / (1 − 0.51) = 24/49."""
KAPPA = 24 / 49
INTERVAL = (0.1058, 0.8738)
"""By the delta method with numerical derivatives: a standard error of 0.1959."""
SHARE = """
from django.contrib.auth.models import User
from apps.accounts.sharing import share
from apps.topics.models import Topic
topic = Topic.objects.get(pk={topic})
for name in ("jonas", "petra"):
    User.objects.get_or_create(username=name)
    share(topic, name, may_edit=True)
"""
EXAMPLES = """
import json
from apps.topics.models import Example
rows = Example.objects.filter(topic={topic}, source="label")
print(json.dumps(dict(rows.values_list("final_url", "relevant"))))
"""


class Two(NamedTuple):
    """The topic and its crawl, and the screens of its owner and of a second person."""

    topic: int
    mira: Page
    jonas: Page

    @property
    def address(self) -> str:
        return f"/topics/{self.topic}/labels/"


@pytest.fixture(scope="module")
def shared_topic(site: RunningSite, topic: int) -> int:
    """Another topic of the long web, whose crawl nobody has labelled, shared for editing."""
    definition = site.folder / "of-two.json"
    definition.write_text(
        json.dumps(
            {
                "name": TOPIC,
                "keywords": ["dough", "flour"],
                "seeds": [MADE.url(0)],
                "positives": [MADE.url(4 * i) for i in range(1, 11)],
                "negatives": [MADE.url(4 * i + 1) for i in range(1, 21)],
            }
        )
    )
    done = site.manage("import_topic", str(definition), "--web", "long")
    assert done.returncode == 0, done.stderr
    key = int(json.loads(done.stdout)["topic"])
    finished_crawl(site, key, PAGES)
    site.python(SHARE.format(topic=key))
    return key


def page_of(make: Callable[..., Page], site: RunningSite, name: str) -> Page:
    """A page on which that person is signed in."""
    done = site.manage("sign_in_link", name)
    assert done.returncode == 0, done.stderr
    page = make()
    sign_in(page, next(word for word in done.stdout.split() if "://" in word))
    return page


@pytest.fixture
def two(shared_topic: int, new_page: Callable[..., Page], site: RunningSite, signed_in: Any) -> Two:
    return Two(shared_topic, new_page(storage_state=signed_in), page_of(new_page, site, "jonas"))


def answer(page: Page, answers: list[str]) -> list[str]:
    """Answers the pages that all are asked for by key, in their order; the pages' addresses."""
    rows = page.locator("#same-pages [data-row]")
    addresses = []
    for left, key in zip(range(len(answers), 0, -1), answers, strict=True):
        expect(rows).to_have_count(left)
        expect(page.locator("#same-pages .given-label")).to_have_count(0)
        addresses.append(rows.first.locator(".address").get_attribute("title") or "")
        rows.first.focus()
        with page.expect_navigation():
            page.keyboard.press(key)
    expect(rows).to_have_count(0)
    return addresses


def figures(page: Page, two: Two) -> dict[str, Any]:
    read: dict[str, Any] = page.request.get(f"/api/v1/topics/{two.topic}/agreement").json()
    return read


def examples(site: RunningSite, topic: int) -> dict[str, bool]:
    """The pages that train the topic's classifier since people have labelled them."""
    read: dict[str, bool] = json.loads(site.python(EXAMPLES.format(topic=topic)))
    return read


def row_of(page: Page, part: str, url: str) -> Any:
    return page.locator(f"#{part} [data-row]").filter(has=page.locator(f'[title="{url}"]'))


def test_two_label_the_same_pages_and_settle_what_they_differ_on(
    two: Two, site: RunningSite, new_page: Callable[..., Page]
) -> None:
    mira, jonas = two.mira, two.jonas
    mira.goto(two.address)
    mira.get_by_label("drawn at random").check()
    mira.get_by_role("button", name="Ask all for 20 pages").click()
    expect(mira.locator("#same-pages [data-row]")).to_have_count(20)
    jonas.goto(two.address)
    first = [*["y"] * (YES_YES + YES_NO), *["n"] * (NO_YES + NO_NO)]
    second = [*["y"] * YES_YES, *["n"] * YES_NO, *["y"] * NO_YES, *["n"] * NO_NO]
    urls = answer(mira, first)
    # What the first has said is hidden from the second wherever they meet the page.
    assert answer(jonas, second) == urls and len({*urls}) == len(urls)

    mira.reload()
    claim = mira.locator(".claim")
    expect(claim).to_contain_text("You agree on 15 of 20 pages")
    expect(claim).to_contain_text(f"Kappa is {KAPPA:.2f}")
    expect(claim).to_contain_text(f"{INTERVAL[0]:.2f}–{INTERVAL[1]:.2f}")
    cells = mira.locator(".cells td[class]").all_inner_texts()
    # The people are in the order of their names.
    assert sorted(map(int, cells)) == sorted((YES_YES, YES_NO, NO_YES, NO_NO))
    whole = figures(mira, two)["parts"][0]
    assert (whole["pages"], whole["differ"]) == (20, YES_NO + NO_YES)
    assert whole["value"] == pytest.approx(KAPPA)
    assert whole["interval"] == pytest.approx(INTERVAL, abs=1e-4)
    assert figures(mira, two)["trained"] == YES_YES + NO_NO

    differ = urls[YES_YES : YES_YES + YES_NO + NO_YES]
    agreed = dict.fromkeys(urls[:YES_YES], True) | dict.fromkeys(urls[-NO_NO:], False)
    assert examples(site, two.topic) == agreed
    expect(mira.locator("#to-settle > [data-row]")).to_have_count(len(differ))
    settled, left_open, third, *_ = differ
    row = row_of(mira, "to-settle", settled)
    row.get_by_placeholder("reason, if you like").fill("it is about bread")
    row.get_by_role("button", name="no").click()
    expect(row_of(mira, "to-settle", settled)).to_contain_text("settled: no")
    row_of(mira, "to-settle", left_open).get_by_role("button", name="leave open").click()
    expect(row_of(mira, "to-settle", left_open)).to_contain_text("left open")
    jonas.reload()
    expect(row_of(jonas, "to-settle", settled)).to_contain_text("it is about bread")
    expect(row_of(jonas, "to-settle", settled).get_by_role("button")).to_have_text("Object")
    assert examples(site, two.topic) == {**agreed, settled: False}

    petra = page_of(new_page, site, "petra")
    petra.goto(two.address)
    expect(petra.locator(".given-label")).to_have_count(0)
    petra_row = row_of(petra, "same-pages", third)
    petra_row.get_by_role("button", name="yes").click()
    expect(petra_row).to_have_count(0)
    assert examples(site, two.topic) == {**agreed, settled: False, third: True}
    mira.reload()
    expect(claim).to_contain_text("Krippendorff’s alpha is")
    assert figures(mira, two)["left_out"] == len(differ) - 2
    row_of(mira, "to-settle", settled).get_by_role("button", name="Undo").click()
    expect(row_of(mira, "to-settle", settled).get_by_role("button", name="no")).to_be_visible()
    assert examples(site, two.topic) == {**agreed, third: True}
