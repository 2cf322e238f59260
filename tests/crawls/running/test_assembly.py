"""What a crawl costs before its first request: no training, and no import that it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model

from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.inputs.frozen import freeze_topic
from apps.crawls.running import assembly
from apps.crawls.running.assembly import topic_model
from apps.crawls.sources import shape
from apps.crawls.sources.source import Asking
from apps.engine.intelligence.classifying import trained
from apps.engine.intelligence.classifying.classifiers import TextClassifier
from apps.engine.networking.politeness import Politeness
from apps.topics import snapshots
from apps.topics.examples import page_store
from apps.topics.examples.page_store import topic_folder
from apps.topics.models import Topic
from apps.topics.stored_texts import StoredTexts, forget_texts
from apps.topics.training import train
from tests.crawls import run_here

WORKER = """
import sys, django
django.setup()
from django.core.checks import run_checks
from django.core.management import load_command_class
run_checks(tags=load_command_class("apps.crawls", "crawl").requires_system_checks)
import apps.crawls.tasks
heavy = ("apps.screens.urls", "apps.api.main", "ninja", "plotly", "scipy", "sklearn")
print([name for name in heavy if name in sys.modules])
"""


CRAWL = """
import sys, django
django.setup()
import apps.crawls.tasks
heavy = ("apps.schemas.input", "apps.demo.web", "charset_normalizer", "django.contrib.auth.admin",
         "apps.search.panels", "fsspec", "openpyxl", "pydantic", "trafilatura", "warcio")
print([name for name in heavy if name in sys.modules])
"""


@pytest.fixture
def topic(transactional_db: None, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


class Untrained(TextClassifier):
    def fit(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("a crawl of a trained topic trains nothing")


def test_a_trained_topics_crawl_trains_nothing_whatever_its_random_seed(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(topic)
    monkeypatch.setattr(trained, "TextClassifier", Untrained)
    for seed in (1, 77):
        crawl = start_here(run_here.new_crawl(topic, random_seed=seed))
        freeze_topic(crawl)
        model = topic_model(crawl)
        judges = model.committee()
        assert judges is not None and judges.judged_by == "committee"
        assert model.classifier().sigmoid_.slope > 0


def test_a_crawl_that_judges_by_main_text_has_examples_of_that(topic: Topic) -> None:
    models = []
    for main_text in (False, True):
        crawl = start_here(run_here.new_crawl(topic, scope={"main_text": main_text}))
        freeze_topic(crawl)
        models.append(topic_model(crawl).topic)
    whole, main = models
    assert not whole.main_text and all(e.document.main is None for e in whole.training)
    assert main.main_text and any(e.document.main is not None for e in main.training)
    assert run_here.run(crawl).state == "finished"


def test_the_examples_of_a_topics_next_crawl_are_neither_read_nor_encoded_again(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(topic)
    first = run_here.run(run_here.new_crawl(topic, "text_window_combo"))

    def refuse(*_: Any) -> Any:
        raise AssertionError("an example is read")

    with monkeypatch.context() as patched:
        patched.setattr(page_store, "parse_judged", refuse)
        second = run_here.run(run_here.new_crawl(topic, "text_window_combo"))
    assert run_here.order(second) == run_here.order(first)
    forget_texts(topic.pk)
    third = run_here.run(run_here.new_crawl(topic, "text_window_combo"))
    assert run_here.order(third) == run_here.order(first)


def test_texts_of_a_snapshot_that_is_erased_meanwhile_are_not_stored(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = start_here(run_here.new_crawl(topic))
    freeze_topic(crawl)
    write = StoredTexts.write

    def write_after_all(texts: StoredTexts, state: dict[str, Any]) -> None:
        topic.snapshots.update(data={**snapshots.snapshot_data(topic), "examples": []})
        write(texts, state)

    monkeypatch.setattr(StoredTexts, "write", write_after_all)
    topic_model(crawl)
    assert not list(topic_folder(topic.pk).glob("texts-*"))


@pytest.mark.parametrize("program", [WORKER, CRAWL])
def test_a_worker_imports_neither_screens_nor_schemas_nor_what_trains(program: str) -> None:
    output = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=settings.BASE_DIR,
    )
    assert output.stdout.strip() == "[]"


def test_pages_are_asked_for_in_the_language_of_the_examples_where_none_is_chosen(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    Topic.objects.filter(pk=topic.pk).update(language="", version=topic.version + 1)
    asked = []

    def asking_of(politeness: Politeness, language: str | None) -> Asking:
        asked.append(language)
        return shape.asking_of(politeness, language)

    monkeypatch.setattr(assembly, "asking_of", asking_of)
    run_here.run(run_here.new_crawl(Topic.objects.get(pk=topic.pk), budget=1))
    assert asked == ["en"]
