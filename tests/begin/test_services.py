"""A draft: its pages are gathered, answered, and become a topic with a crawl."""

from __future__ import annotations

import pytest
from django.db import transaction

from apps.begin import drafts, selectors, services
from apps.begin.drafts import BeginRefused, Typed
from apps.begin.models import CandidatePage, Draft
from apps.begin.tasks import gather_with
from apps.engine.networking.webs.virtual_web import read
from apps.jobs import queue
from apps.topics.examples.fetching import fetch_all
from apps.topics.snapshots import snapshot_data
from apps.webs.pages.indexing import write_index
from tests.made_web import MadeWeb

MADE = MadeWeb(pages=120, hosts=6)
TYPED = Typed(
    sentence="Bread from rye flour and a starter. Not planets.",
    words=("dough",),
    addresses=f"{MADE.url(0)}\n{MADE.url(4)}\nwww,bad.example",
)


def fetcher_of(web: object) -> object:
    return lambda wanted: ((url, read(MADE, url)) for url in wanted)


@pytest.fixture
def draft(owner, data_dir) -> Draft:
    draft = drafts.write_draft(owner, TYPED)
    gather_with(draft, fetcher_of, lambda: True)
    return draft


def test_pages_of_given_sites_and_their_links_are_gathered(draft: Draft) -> None:
    pages = draft.candidates.filter(fetch="fetched")
    assert pages.filter(detail="your address").count() == 2
    assert pages.filter(detail__startswith="a link of h0.test").exists()
    assert all(page.terms and page.text for page in pages)


def test_pages_are_expected_to_be_meant_by_their_words(draft: Draft) -> None:
    rows = selectors.fitting_of(draft)
    chances = {True: [], False: []}
    for page in draft.candidates.filter(fetch="fetched"):
        number = int(page.url.rpartition("/")[2].removesuffix(".html") or 0)
        chances[number % 4 == 0].append(rows.chance(selectors._text(page)))
    assert min(chances[True]) > max(chances[False])


def test_rows_keep_their_turns_whatever_is_answered(draft: Draft) -> None:
    first = [row.page.pk for row in selectors.candidates_of(draft).rows]
    assert len(first) == selectors.SHOWN
    services.answer(CandidatePage.objects.get(pk=first[2]), "yes")
    later = [row.page.pk for row in selectors.candidates_of(draft).rows]
    assert later[:4] == [*first[:2], *first[3:]]
    services.undo_last(draft)
    assert [row.page.pk for row in selectors.candidates_of(draft).rows][:5] == first


def test_what_was_expected_is_counted_before_the_answer(draft: Draft) -> None:
    on = draft.candidates.get(url=MADE.url(0))
    services.answer(on, "no")
    answers = selectors.answers_of(draft)
    assert (answers.no, answers.expected) == (1, 0)


def test_the_start_makes_examples_of_answers_alone_and_queues_the_learner(draft: Draft) -> None:
    yes, no, skipped = (
        draft.candidates.filter(fetch="fetched", url=url).first()
        for url in (MADE.url(4), *_links(draft))
    )
    for page, value in ((yes, "yes"), (no, "no"), (skipped, "skipped")):
        services.answer(page, value)
    started = services.start_crawl(draft)
    data = snapshot_data(started.saved.topic)
    assert {row["url"]: row["relevant"] for row in data["examples"]} == {
        yes.url: True,
        no.url: False,
    }
    assert data["seeds"] == [MADE.url(0), MADE.url(4)]
    assert data["description"] == TYPED.sentence
    assert started.crawl.strategy == "learner"
    assert started.crawl.state == "queued"
    assert "seeds" in started.saved.errors
    assert selectors.drafts_of(draft.owner).count() == 0


def _links(draft: Draft) -> list[str]:
    pages = draft.candidates.filter(fetch="fetched", detail__startswith="a link")
    return list(pages.values_list("url", flat=True)[:2])


def test_the_draft_keeps_what_its_topic_was_made_of_whatever_was_typed_meanwhile(
    owner, draft: Draft
) -> None:
    other = Typed(sentence="Old barns", addresses=MADE.url(0))
    drafts.write_draft(owner, other, Draft.objects.get(pk=draft.pk))
    made = services.start_crawl(draft).saved.topic
    with transaction.atomic():
        assert drafts.lock_draft(owner, draft.pk, "token", TYPED).topic == made
        assert drafts.lock_draft(owner, draft.pk, "token", other).topic is None
    with pytest.raises(services.AlreadyMade):
        services.start_crawl(draft)


def test_a_second_topic_of_the_same_sentence_gets_a_number(owner, draft: Draft) -> None:
    first = services.save_topic(draft).topic
    second = services.save_topic(drafts.write_draft(owner, TYPED)).topic
    assert second.name == f"{first.name} (2)"


def test_a_sentence_alone_names_what_is_needed_where_nothing_can_be_searched(
    owner, data_dir
) -> None:
    draft = drafts.write_draft(owner, Typed(sentence="Bread from rye"))
    assert not services.seek_first_pages(draft, has_waited=False)
    with pytest.raises(
        BeginRefused, match=r"no search engine is set up\. Give one address"
    ) as refused:
        services.start_crawl(draft)
    assert refused.value.field == "seeds"
    assert not owner.topics.exists()


def test_a_sentence_alone_starts_with_pages_of_a_recorded_web(owner, web, data_dir) -> None:
    write_index(web)
    draft = drafts.write_draft(owner, Typed(sentence="dough and flour"))
    assert services.seek_first_pages(draft, has_waited=False)
    assert draft.is_under_way
    assert services.seek_first_pages(draft, has_waited=True)
    gather_with(draft, fetch_all, lambda: True)
    assert not services.seek_first_pages(draft, has_waited=True)
    seeds = services.start_crawl(draft).saved.topic.seeds.all()
    assert {seed.url for seed in seeds} <= {page.url for page in draft.candidates.all()}
    assert 0 < len(seeds) <= services.SEEDS_WITHOUT_ADDRESS


def test_words_that_no_page_has_end_the_wait_with_what_is_needed(owner, web, data_dir) -> None:
    write_index(web)
    draft = drafts.write_draft(owner, Typed(sentence="quasars"))
    assert services.seek_first_pages(draft, has_waited=False)
    queue.cancel(draft)
    assert not services.seek_first_pages(draft, has_waited=True)
    with pytest.raises(BeginRefused, match="none that was read has your words"):
        services.start_crawl(draft)


def test_nothing_typed_is_refused_with_what_to_do(owner, data_dir) -> None:
    with pytest.raises(BeginRefused, match="Write a sentence"):
        services.save_topic(drafts.write_draft(owner, Typed()))


def test_a_bare_domain_is_tried_over_http_and_becomes_the_seed(owner, data_dir) -> None:
    draft = drafts.write_draft(owner, Typed(sentence="Bread", addresses="h0.test/p/0.html"))

    def only_http(web: object) -> object:
        def fetch(wanted):
            for url in wanted:
                over_http = url.startswith("http://")
                yield url, read(MADE, url if over_http else url.replace("h0", "none"))

        return fetch

    gather_with(draft, only_http, lambda: True)
    started = services.save_topic(draft)
    assert MADE.url(0) in [seed.url for seed in started.topic.seeds.all()]


def test_the_recorded_web_of_a_draft_is_searched_and_read(owner, web, data_dir) -> None:
    write_index(web)
    draft = drafts.write_draft(owner, Typed(sentence="dough and flour", web=web))
    gather_with(draft, fetch_all, lambda: True)
    assert draft.candidates.filter(source="recorded_webs", fetch="fetched").exists()
    assert [query.address for query in draft.queries.all()] == [web.name]
