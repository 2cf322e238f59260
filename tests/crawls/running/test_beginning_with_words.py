"""A topic of a sentence and seeds is imported, crawled and explained, without a single example."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.accounts.services import ensure_owner
from apps.crawls.explaining.why import why
from apps.crawls.messages import state_words
from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.topics.exporting import topic_file_of
from apps.topics.models import Topic
from apps.topics.snapshots import engine_topic, snapshot
from apps.webs.importing import import_web
from tests.made_once import made_once
from tests.made_web import MadeWeb

pytestmark = [pytest.mark.django_db(transaction=True)]

MADE = MadeWeb(pages=240, hosts=6)
SENTENCE = "Dough of flour that rises by yeast in the oven."


def imported(folder: Path) -> Topic:
    web_file, topic_file = folder / "made.jsonl", folder / "bread.json"
    web_file.write_text(MADE.json_lines())
    seeds = [MADE.url(i) for i in range(3)]
    topic_file.write_text(json.dumps({"name": "B", "description": SENTENCE, "seeds": seeds}))
    import_web("made", web_file)
    call_command("import_topic", str(topic_file), "--web", "made", stdout=StringIO())
    return Topic.objects.get()


@pytest.fixture
def topic(data_dir: Path) -> Topic:
    return made_once("a sentence", lambda: imported(data_dir), ensure_owner())


def crawl(strategy: str) -> Crawl:
    options = ("--pages", "60", "--web", "made", "--seed-value", "1")
    call_command("crawl", "B", "--strategy", strategy, *options)
    return Crawl.objects.latest("pk")


def test_it_is_crawled_by_its_words_and_nothing_claims_to_have_judged(topic: Topic) -> None:
    done = crawl("learner")
    assert done.state == State.FINISHED and done.pages == 60
    pages = [*done.pages_fetched.all()]
    bread = sum("bread" in MADE.labels(page.final_url) for page in pages)
    assert bread > 30  # of the web a quarter
    assert done.judged_by == "none"
    assert {page.relevant for page in pages} == {None}
    assert all(page.topicality is not None for page in pages)
    assert done.metrics.get("harvest_rate") is None


def test_a_priority_is_explained_by_the_words_until_it_has_learned(topic: Topic) -> None:
    done = crawl("learner")
    early, late = (done.pages_fetched.get(seq=seq) for seq in (20, 58))
    assert why(done, early.number).sentence.startswith("By your words: the crawl has no examples")
    assert why(done, late.number).sentence.startswith("By your words and what the crawl has taught")


def test_a_strategy_that_needs_examples_names_what_the_topic_lacks(topic: Topic) -> None:
    with pytest.raises(SystemExit):
        crawl("full_page")
    failed = Crawl.objects.latest("pk")
    assert failed.reason == StopReason.NEEDS_MISSING
    assert "needs positive examples and either negative ones or a" in state_words(failed).in_full


def test_the_snapshot_and_the_topics_file_have_the_sentence(topic: Topic) -> None:
    assert engine_topic(snapshot(topic)).description == SENTENCE
    assert topic_file_of(topic)["description"] == SENTENCE


def test_crawls_that_began_before_sentences_counted_go_on_without(topic: Topic) -> None:
    stored = snapshot(topic)
    stored.format = 1
    del stored.data["description"]
    assert engine_topic(stored).description == ""


def test_with_word_vectors_a_priority_is_explained_by_words_used_alike(
    topic: Topic, tmp_path: Path, settings
) -> None:
    (tmp_path / "small.txt").write_text("dough 1 0\nflour 1 0\ncrust 1 0\nstar 0 1\n")
    settings.WORD_VECTORS = str(tmp_path / "small.txt")
    done = crawl("learner")
    assert done.state == State.FINISHED and done.pages == 60
    assert done.inputs["word_vectors"]["rows"] == 4
    early, late = (done.pages_fetched.get(seq=seq) for seq in (20, 58))
    assert why(done, early.number).sentence.startswith("By your words and words used like them: ")
    assert why(done, late.number).sentence.startswith(
        "By your words, words used like them and what the crawl has taught"
    )
