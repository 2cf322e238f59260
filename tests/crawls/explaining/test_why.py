"""Why a URL has its priority: numbers that are the crawl's own, words, parents, the path from the
seed."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.commands.labelling import labels
from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.errors import CrawlRefused
from apps.crawls.explaining import why as module
from apps.crawls.explaining.why import Why, why
from apps.crawls.models import Crawl
from apps.crawls.packing import unpack_numbers
from apps.topics.models import Topic
from tests.crawls import run_here
from tests.crawls.run_here import new_crawl, run
from tests.made_once import made_once

pytestmark = pytest.mark.alike


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


def crawled(topic: Topic, strategy: str) -> Crawl:
    """A finished crawl of seventy pages."""
    return made_once(
        ("crawl to be explained", topic.pk, strategy),
        lambda: run(new_crawl(topic, strategy, budget=70)),
        topic.owner,
    )


def explained(crawl: Crawl, number: int) -> Why:
    explanation = why(crawl, number)
    assert explanation is not None and explanation.trouble == ""
    return explanation


@pytest.mark.parametrize(
    "strategy", ["full_page", "text_window_combo", "adaptive_utility", "best_first", "shark_search"]
)
def test_the_formula_gives_the_priority_that_the_page_was_picked_by(topic: Topic, strategy) -> None:
    crawl = crawled(topic, strategy)
    pages = list(crawl.pages_fetched.filter(seed=False))
    exact = 0
    for page in pages[::6]:
        message = explained(crawl, page.number)
        assert message.priority == page.priority and message.parent.number == page.parent
        assert message.explanation.formula and message.explanation.terms
        exact += message.differs is None
    assert exact == len(pages[::6]) > 8


def test_it_counts_parents_and_pages_waited_and_leads_back_to_the_seed(topic: Topic) -> None:
    crawl = crawled(topic, "full_page")
    page = crawl.pages_fetched.order_by("-depth", "-seq").first()
    message = explained(crawl, page.number)
    linking = [
        row.seq
        for row in crawl.outlinks.all()
        if page.number in unpack_numbers(row.targets) and row.seq < page.seq
    ]
    assert message.parents == len(linking) >= 1
    assert message.waited == page.seq - 1 - linking[0]
    assert message.path[0].seed and message.path[-1].number == page.parent
    # The best parents' way need not be the shortest.
    assert len(message.path) + message.skipped >= page.depth
    assert message.skipped == 0 or len(message.path) == 7


def test_links_are_looked_for_in_a_limited_number_of_pages_which_it_gives(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = crawled(topic, "learner")
    whole = {
        page.seq: explained(crawl, page.number)
        for page in crawl.pages_fetched.filter(seed=False)[::4]
    }
    assert all(message.unread == 0 for message in whole.values())
    monkeypatch.setattr(module, "LOOKED_THROUGH", 5)
    fewer = {seq: explained(crawl, message.fetched.number) for seq, message in whole.items()}
    assert all(1 <= message.parents <= whole[seq].parents for seq, message in fewer.items())
    assert any(message.parents < whole[seq].parents for seq, message in fewer.items())
    for message in fewer.values():
        assert message.unread == max(0, message.waited + 1 - 5)


def test_words_carry_the_classifiers_weights_and_the_link_stands_among_them(topic: Topic) -> None:
    crawl = crawled(topic, "text_window_combo")
    page = crawl.pages_fetched.filter(seed=False).last()
    message = explained(crawl, page.number)
    assert message.explanation.reads_words
    assert {word.strength for word in message.words} >= {"strong", ""}
    assert any(word.linked for word in message.words)
    assert all((word.weight < 0) is word.against for word in message.words if word.weight)
    plain = crawled(topic, "full_page")
    page = plain.pages_fetched.filter(seed=False).last()
    assert not explained(plain, page.number).explanation.reads_words


def test_a_waiting_link_a_seed_and_an_unknown_number(topic: Topic) -> None:
    crawl = crawled(topic, "adaptive_utility")
    first = crawl.queue_head[0]
    message = explained(crawl, first["number"])
    assert message.fetched is None and message.priority == first["priority"]
    assert message.parent.number == first["parent"] and message.explanation.terms["α"] >= 0
    seed = explained(crawl, crawl.pages_fetched.get(seq=1).number)
    assert seed.parent is None and seed.explanation is None and seed.path == ()
    assert why(crawl, 10**6) is None


def test_after_labels_it_names_what_the_link_would_get_now(topic: Topic) -> None:
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


def test_status_is_a_part_of_the_status_learners_priority(topic: Topic) -> None:
    crawl = crawled(topic, "status_learner")
    page = crawl.pages_fetched.filter(seed=False).last()
    message = explained(crawl, page.number)
    total = sum(part.value for part in message.parts.rows)
    assert message.parts.rows[-1].term == "status" and message.parts.rows[-1].value != 0
    assert page.priority == pytest.approx(1 / (1 + math.exp(-total)))
    assert message.sentence.endswith(f"all together give a priority of {page.priority:.2f}.")


def test_the_learners_parts_are_those_a_page_was_chosen_by_and_add_up_to_its_chance(
    topic: Topic,
) -> None:
    crawl = crawled(topic, "learner")
    page = crawl.pages_fetched.filter(seed=False).last()
    message = explained(crawl, page.number)
    assert message.parts is not None and message.parts.sum is not None
    assert {part.term: part.value for part in message.parts.rows} == {
        part.term: page.telemetry[part.term] for part in message.parts.rows
    }
    assert message.parts.sum == pytest.approx(sum(part.value for part in message.parts.rows))
    assert "all together give a chance of" in message.sentence.lower()
    parents = next(part for part in message.parts.rows if part.term == "parents")
    assert parents.text.startswith(f"{message.parents} page")
    siblings = next(part for part in message.parts.rows if part.term == "siblings")
    assert "look relevant" in siblings.text and "labelled" not in message.sentence


def test_it_states_that_a_person_labelled_a_page_that_the_link_stands_beside(topic: Topic) -> None:
    def steer(row: Crawl) -> None:
        if row.pages >= 30 and not row.events.filter(kind="paused").exists():
            Crawl.objects.filter(pk=row.pk).update(desired="pause")

    crawl = run(new_crawl(topic, "learner", budget=60), steer)
    paused = crawl.pages
    judging = set(topic.examples.filter(role="evaluate").values_list("url", flat=True))
    judging |= set(topic.targets.values_list("url", flat=True))
    page = crawl.pages_fetched.filter(seed=False).exclude(url__in=judging).first()
    assert page is not None
    labels.label(crawl, page.seq, page.topicality < 0.5, crawl.owner)
    resume(crawl)
    crawl = run(crawl)
    links = {row.seq: set(unpack_numbers(row.targets).tolist()) for row in crawl.outlinks.all()}
    beside = [
        each
        for each in crawl.pages_fetched.exclude(seq=page.seq)
        if any({page.number, each.number} <= links[seq] for seq in range(1, each.seq))
    ]
    assert {each.seq > paused for each in beside} == {False, True}
    for each in beside:
        message = explained(crawl, each.number)
        row = next(part for part in message.parts.rows if part.term == "siblings")
        counted = each.seq > paused
        assert row.text.endswith("look relevant; a person labelled 1 of them") == counted
        if counted:
            assert message.sentence.endswith("A person labelled a page it stands beside.")
        else:
            assert "labelled" not in message.sentence
