"""Gathered negatives are no evidence of a classifier's quality, nor become it by labels of pages on
the topic."""

from __future__ import annotations

import re
from pathlib import Path

from django.contrib.auth import get_user_model

from apps.crawls.commands.catalogue import EVENT_KINDS
from apps.crawls.commands.labelling import labels
from apps.crawls.commands.lifecycle.resume import resume
from apps.crawls.models import Crawl, Event
from apps.jobs import queue
from apps.screens.topic.classifier import guiding_f1
from apps.topics.messages import ADVICE
from apps.topics.models import Example, Topic
from tests.background import work_on
from tests.crawls import run_here
from tests.crawls.run_here import MADE, new_crawl, run
from tests.people import site_of

SHARES = re.compile(r"\b[01]\.\d\d\b")


def gathered(data_dir: Path) -> Topic:
    """The topic of bread, with a sample of its web instead of negatives."""
    owner = get_user_model().objects.create_user("ada")
    topic = run_here.bread(owner, run_here.made_web(data_dir))
    topic.examples.exclude(role=Example.Role.TRAIN, relevant=True).delete()
    queue.enqueue(topic, work_wanted=Topic.Work.GATHERING)
    assert work_on(topic) == "done"
    return Topic.objects.get(pk=topic.pk)


def pause(crawl: Crawl) -> None:
    if crawl.pages >= 90 and not crawl.events.filter(kind="paused").exists():
        Crawl.objects.filter(pk=crawl.pk).update(desired="pause")


def crawl_with_labels(topic: Topic, off_topic: int) -> Event:
    """Twenty labels of a crawl, some of pages off the topic, and what the crawl learns of them."""
    crawl = run(new_crawl(topic, "full_page", budget=120), pause)
    held_back = {*topic.targets.values_list("url", flat=True)}
    held_back |= {*topic.examples.filter(source="named").values_list("url", flat=True)}
    pages: dict[bool, list[int]] = {True: [], False: []}
    for seq, url in crawl.pages_fetched.exclude(url__in=held_back).values_list("seq", "final_url"):
        pages["bread" in MADE.labels(url)].append(seq)
    for relevant, number in ((True, 20 - off_topic), (False, off_topic)):
        for seq in pages[relevant][:number]:
            labels.label(crawl, seq, relevant, crawl.owner)
    assert work_on(topic) == "done"
    assert topic.examples.filter(source=Example.Source.LABEL).count() == 20
    resume(crawl)
    return run(crawl).events.get(kind="labels")


def test_labels_on_the_topic_make_no_quality_of_gathered_negatives(
    transactional_db, data_dir: Path
) -> None:
    topic = gathered(data_dir)
    assert topic.quality["negatives"] > 20 and guiding_f1(topic) is None
    event = crawl_with_labels(topic, off_topic=0)
    assert event.payload["quality"] == {"before": None, "after": None}
    assert "F1" not in EVENT_KINDS["labels"].words(event.payload)
    topic.refresh_from_db()
    assert (topic.quality_version, topic.quality["positives"]) == (topic.version, 30)
    site = site_of(topic.owner)
    screen = site.get(f"/topics/{topic.pk}/").content.decode()
    section = screen.split('id="topic-classifier"')[1].split("Terms that decide")[0]
    assert ADVICE["gathered_only"][0] in section and not SHARES.search(section)
    assert not SHARES.search(screen.split('id="topic-background"')[1].split("</section>")[0])
    live = site.get(f"/crawls/{event.crawl_id}/").content.decode()
    assert "Labels retrained the classifier" in live and not re.search(r"\bF1\b", live)


def test_labels_off_the_topic_are_measured_and_gathered_negatives_are_not(
    transactional_db, data_dir: Path
) -> None:
    topic = gathered(data_dir)
    event = crawl_with_labels(topic, off_topic=8)
    assert event.payload["quality"]["before"] is None
    assert "F1" not in EVENT_KINDS["labels"].words(event.payload)
    topic.refresh_from_db()
    examples = topic.examples.filter(role=Example.Role.TRAIN, left_out=False)
    assert topic.quality["unjudged"] == examples.filter(source="background").count() > 20
    assert guiding_f1(topic) == topic.quality["models"][0]["f1"]["mean"]
    screen = site_of(topic.owner).get(f"/topics/{topic.pk}/").content.decode()
    assert f"measured without the {topic.quality['unjudged']} gathered" in screen
    assert ADVICE["gathered_only"][0] not in screen
