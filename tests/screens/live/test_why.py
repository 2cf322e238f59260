"""The why panel: numbers that are the crawl's own, words, parents, the path from the seed."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from apps.crawls.commands import labels
from apps.crawls.commands.resume import resume
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.crawls.packing import unpack_numbers
from apps.screens.live.why import Why, context
from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


def explained(crawl: Crawl, number: int) -> Why:
    why = context(crawl, number)["why"]
    assert why is not None and why.trouble == ""
    return why


@pytest.mark.parametrize(
    "strategy", ["full_page", "text_window_combo", "adaptive_utility", "best_first", "shark_search"]
)
def test_the_formula_gives_the_priority_that_the_page_was_picked_by(topic: Topic, strategy) -> None:
    crawl = run(new_crawl(topic, strategy, budget=70))
    pages = list(crawl.pages_fetched.filter(seed=False))
    exact = 0
    for page in pages[::3]:
        why = explained(crawl, page.number)
        assert why.priority == page.priority and why.parent.number == page.parent
        assert why.explanation.formula and why.explanation.terms
        exact += why.differs is None
    assert exact == len(pages[::3])


def test_it_counts_parents_and_pages_waited_and_leads_back_to_the_seed(topic: Topic) -> None:
    crawl = run(new_crawl(topic, "full_page", budget=60))
    page = crawl.pages_fetched.order_by("-depth", "-seq").first()
    why = explained(crawl, page.number)
    linking = [
        row.seq for row in crawl.outlinks.all()
        if page.number in unpack_numbers(row.targets) and row.seq < page.seq
    ]
    assert why.parents == len(linking) >= 1
    assert why.waited == page.seq - 1 - linking[0]
    assert why.path[0].seed and why.path[-1].number == page.parent
    # The best parents' way need not be the shortest.
    assert len(why.path) + why.skipped >= page.depth
    assert why.skipped == 0 or len(why.path) == 7


def test_words_carry_the_classifiers_weights_and_the_link_stands_among_them(topic: Topic) -> None:
    crawl = run(new_crawl(topic, "text_window_combo", budget=40))
    page = crawl.pages_fetched.filter(seed=False).last()
    why = explained(crawl, page.number)
    assert why.explanation.reads_words
    assert {word.strength for word in why.words} >= {"strong", ""}
    assert any(word.linked for word in why.words)
    assert all((word.weight < 0) is word.against for word in why.words if word.weight)
    plain = run(new_crawl(topic, "full_page", budget=40))
    page = plain.pages_fetched.filter(seed=False).last()
    assert not explained(plain, page.number).explanation.reads_words


def test_a_waiting_link_a_seed_and_an_unknown_number(topic: Topic) -> None:
    crawl = run(new_crawl(topic, "adaptive_utility", budget=40))
    first = crawl.queue_head[0]
    why = explained(crawl, first["number"])
    assert why.fetched is None and why.priority == first["priority"]
    assert why.parent.number == first["parent"] and why.explanation.terms["α"] >= 0
    seed = explained(crawl, crawl.pages_fetched.get(seq=1).number)
    assert seed.parent is None and seed.explanation is None and seed.path == ()
    assert context(crawl, 10**6)["why"] is None


def test_after_labels_it_says_what_the_link_would_get_now(topic: Topic) -> None:
    def steer(row: Crawl) -> None:
        if row.pages >= 30:
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    crawl = run(new_crawl(topic, "full_page", budget=60), steer)
    for page in crawl.pages_fetched.order_by("seq"):
        try:
            labels.label(crawl, page.seq, False, crawl.owner)
        except CrawlRefused:
            continue
        if crawl.changes.filter(kind="labels").exists():
            break
    resume(crawl)
    crawl = run(crawl)
    learned = crawl.events.get(kind="labels").pages
    for page in crawl.pages_fetched.filter(seq__gt=learned + 1, seed=False):
        assert explained(crawl, page.number).differs is None
    early = crawl.pages_fetched.filter(seq__lte=learned, seed=False)
    assert any(explained(crawl, page.number).differs is not None for page in early)


def test_the_panel_is_for_those_who_may_see_the_crawl(topic: Topic, client: Client) -> None:
    crawl = run(new_crawl(topic, "full_page", budget=20))
    number = crawl.pages_fetched.last().number
    address = reverse("live:why", args=[crawl.pk, number])
    client.force_login(get_user_model().objects.create_user("eve"))
    assert client.get(address).status_code == 404
    client.force_login(topic.owner)
    text = client.get(address).content.decode()
    for said in ("Priority when it was picked", "P(c|u)", "Path from the seed", "Waited"):
        assert said in text
