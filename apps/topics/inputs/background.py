"""The background: unlabelled texts over which the rarity of terms is counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Set
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from apps.backgrounds.files import path_of, texts_of
from apps.backgrounds.models import BackgroundVersion
from apps.backgrounds.selectors import ready_version
from apps.engine import parsing, representation, topics
from apps.engine.codes import Need
from apps.engine.representation.bags import Bags, BagsMaker, read_bags
from apps.figures.quantities import number_of
from apps.stored_files.files import keep
from apps.topics.examples.fetching import fetch_all
from apps.topics.examples.loading import load_background_pages
from apps.topics.examples.other_topics import (
    FETCHED_TRAINING,
    held_back,
    judging_urls,
    other_examples,
    own_training,
)
from apps.topics.examples.page_store import topic_file, topic_folder
from apps.topics.inputs.crawl_input import CrawlInput, Frozen, Origin, StrategyNeed, topics_with
from apps.topics.inputs.page_references import FETCHED, documents, link_file, references
from apps.topics.models import BackgroundPage, Example, StoredPage, Topic
from apps.topics.sampling import sampling_key
from apps.webs.opening import open_web

SAMPLE = 300
UNLABELLED = (Example.Source.OTHER_TOPIC, Example.Source.BACKGROUND)


def freeze(topic: Topic) -> dict[str, Any]:
    """The chosen background without the pages that the topic knows; `of` is `none` if it is to have
    none.

    Without a choice it is drawn: all the other topics' examples, negatives among them, and a
    uniform sample of the recorded web. Drawn and gathered examples of the topic are part of it
    anyway. Judging examples are left out, and targets by the topic's hold-out: `counted_targets`
    counts those that are not. Empty if there is neither. Raises BadWebFile, OSError.
    """
    version = chosen_version(topic)
    if version is not None:
        return freeze_version(topic, version)
    if topic.background_use == Topic.BackgroundUse.NONE:
        return {"of": "none", "rows": 0}
    return _freeze_drawn(topic)


def chosen_version(topic: Topic) -> BackgroundVersion | None:
    """The version of the chosen background that a crawl would use, or None: nothing is chosen, or
    it is not shared with the topic's owner any more."""
    return ready_version(topic.background, topic.owner)


def freeze_version(topic: Topic, version: BackgroundVersion) -> dict[str, Any]:
    """A version as an input of a topic's crawls; its file is linked into the topic's folder.

    `left_out` are the numbers of the texts that the topic may not learn from. Raises BadWebFile,
    OSError.
    """
    texts = texts_of(version)
    left_out = held_out_of(topic, texts)
    return {
        "of": "built",
        "name": version.background.name,
        "version": version.number,
        "digest": version.digest,
        "at": version.built_at and version.built_at.isoformat(),
        "rows": len(texts) - len(left_out),
        "left_out": left_out,
        "hold_out": topic.hold_out,
        "file": link_file(topic.pk, path_of(version)),
    }


def held_out_of(topic: Topic, texts: Bags) -> list[int]:
    """The numbers of the texts that a topic may not learn from: its examples, those for judging,
    pages of its own crawls and, by its hold-out, its targets."""
    return texts.indices_at(_urls_held_out(topic), topic.pk)


def labelled_texts_of(topic: Topic, texts: Bags) -> list[int]:
    """The numbers of the texts whose label the topic has, whatever its hold-out: its examples,
    those for judging, its targets, and pages of its own crawls."""
    return texts.indices_at(_training_urls(topic) | held_back(topic), topic.pk)


def _urls_held_out(topic: Topic) -> set[str]:
    by_address = topic.hold_out == Topic.HoldOut.BY_ADDRESS
    return _training_urls(topic) | (held_back(topic) if by_address else judging_urls(topic))


def _training_urls(topic: Topic) -> set[str]:
    own = own_training(topic).values_list("url", "final_url")
    return {url for pair in own for url in pair} - {""}


def _freeze_drawn(topic: Topic) -> dict[str, Any]:
    held_out = _urls_held_out(topic)
    others: list[StoredPage] = list(
        {
            row.url: row
            for row in other_examples(topic).order_by("url", "-topic_id")
            if not held_out & {row.url, row.final_url}
        }.values()
    )
    lent = {row.url for row in others}
    sampled = [row for row in _sample(topic, held_out) if row.url not in lent]
    rows = [*others, *sampled]
    if not rows:
        return {}
    file = f"background-of-{_digest_of(rows)}.npz"
    if not topic_file(topic.pk, file).exists():
        _bags_of(topic, rows).write(topic_folder(topic.pk) / file)
        keep(topic_folder(topic.pk) / file)
    texts = read_bags(topic_file(topic.pk, file))
    of = "both" if others and sampled else "topics" if others else "web"
    frozen = {"of": of, "rows": len(texts), "digest": texts.digest(), "file": file}
    return {**frozen, "left_out": [], "hold_out": topic.hold_out}


def _digest_of(rows: Iterable[StoredPage]) -> str:
    """A name of the texts of stored pages, as long as they are read by the same code: the next
    crawl of the topic need not read them again."""
    digest = sha256(_reading_code())
    for row in rows:
        digest.update(json.dumps([row.url, row.final_url, row.digest]).encode())
    return digest.hexdigest()[:40]


@cache
def _reading_code() -> bytes:
    digest = sha256()
    for package in (parsing, representation):
        for path in sorted(Path(package.__path__[0]).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def _bags_of(topic: Topic, rows: list[StoredPage]) -> Bags:
    made = BagsMaker()
    for row, page in zip(rows, documents(topic.pk, references(topic, rows)), strict=True):
        made.add(page.words[: page.visible], (row.url, row.final_url))
    return made.bags()


def urls_inside(topic: Topic, frozen: Frozen) -> set[str]:
    """The addresses of a frozen background's texts. Raises BadWebFile if its file is gone."""
    if not frozen.get("file"):
        return set()
    left_out = set(frozen["left_out"])
    texts = read_bags(topic_file(topic.pk, frozen["file"]))
    return {url for i, urls in enumerate(texts.urls) if i not in left_out for url in urls}


def possible_for(topics: Iterable[Topic]) -> Set[Topic]:
    """The topics of which a crawl would have any background."""
    topics = list(topics)
    built = {topic for topic in topics if chosen_version(topic) is not None}
    drawing = {topic for topic in topics if topic.background_use != Topic.BackgroundUse.NONE}
    drawing -= built
    unlabelled = Example.objects.filter(FETCHED_TRAINING, source__in=UNLABELLED)
    possible = built | topics_with(unlabelled, drawing)
    return possible | {
        topic
        for topic in drawing - possible
        if topic.recorded_web or other_examples(topic).exists()
    }


def expected(topic: Topic) -> Frozen:
    """The origin if a crawl were started now, with the size of a background that has been built."""
    if (version := chosen_version(topic)) is not None:
        return {
            "of": "built",
            "name": version.background.name,
            "version": version.number,
            "rows": version.texts,
        }
    return {}


def supply(topic: topics.Topic, topic_id: int, frozen: dict[str, Any]) -> dict[str, Any]:
    """The fields of the engine's topic, whose own unlabelled examples come first, unless it is to
    have none. Raises BadWebFile if the file is gone."""
    if frozen["of"] == "none":
        return {"background": ()}
    texts = read_bags(topic_file(topic_id, frozen["file"]))
    return {"background_texts": texts.texts(without=frozen["left_out"])}


def _sample(topic: Topic, held_out: set[str]) -> list[StoredPage]:
    """The same pages at every start, read once."""
    if topic.recorded_web is None:
        return []
    drawn = sorted(
        (url for url in open_web(topic.recorded_web).urls() if url not in held_out),
        key=lambda url: sampling_key(topic.random_seed, url),
    )[:SAMPLE]
    here = set(topic.background_pages.values_list("url", flat=True))
    BackgroundPage.objects.bulk_create(
        BackgroundPage(topic=topic, url=url) for url in drawn if url not in here
    )
    load_background_pages(topic, fetch_all(topic.web), lambda: True)
    wanted = set(drawn)
    return [row for row in topic.background_pages.filter(fetch=FETCHED) if row.url in wanted]


_KINDS = {
    "topics": "your other topics’ examples",
    "web": "a sample of the recorded web",
    "both": "your other topics’ examples and a sample of the recorded web",
}


def _origin(origin: Origin) -> str:
    if origin["of"] == "none":
        return "no background"
    size = number_of(origin["rows"], "text")
    if origin["of"] == "built":
        return f"background: {origin['name']}, version {origin['version']}, {size}"
    return f"background: {_KINDS[origin['of']]}, {size}"


BACKGROUND = CrawlInput(
    id="background",
    title="Background",
    sentence="Unlabelled texts over which the rarity of terms is counted.",
    freeze=freeze,
    supply=supply,
    origin=_origin,
    expected=expected,
    need=StrategyNeed(
        Need.BACKGROUND,
        "background texts",
        "background texts",
        "Unlabelled texts over which the rarity of terms is counted: a background that has been "
        "built, or drawn when a crawl starts from the examples of other topics of the same web and "
        "from a recorded web; or gathered pages. Topic, Background chooses it.",
        met_by=possible_for,
        anchor=lambda topic: "topic-background",
    ),
)
