"""The taxonomy: the topic as a class among others (AFC §2.1, §3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any

from apps.engine import model
from apps.engine.model import Document
from apps.engine.parsing.document import parse_html
from apps.topics.directory_models import DirectoryPage, DirectoryTopic
from apps.topics.directory_selectors import at_or_below
from apps.topics.models import Example, Topic
from apps.topics.supplies.others import drawn, held_back, other_positives, own_training
from apps.topics.supplies.pages import FETCHED, documents, references

# AFC keeps 300 pages a class; the strategy draws them, here room is kept for its parameter.
MOST_A_CLASS = 300
MOST_PAGES = 20_000


def freeze(topic: Topic) -> dict[str, Any]:
    """The branch of the directory the topic came from; else the owner's topics as classes.

    **Choice**: an editor's title and description stand for a page of the directory that has never
    been fetched. Of the owner's topics each is a class with its positive examples; this topic's
    negatives that are none of those stand at the root, and so come under `Other`. What the crawl
    is judged by is left out.
    """
    if topic.category is not None:
        return _of_directory(topic, topic.category)
    return _of_topics(topic)


def _of_topics(topic: Topic) -> dict[str, Any]:
    held, focus = held_back(topic), _class_of(topic)
    own = list(own_training(topic))
    positives = [row for row in own if row.relevant]
    taken = {row.url for row in positives} | held
    others = [row for row in other_positives(topic).select_related("topic").order_by("pk")
              if not taken & {row.url, row.final_url}]
    elsewhere = {row.url for row in others}
    negatives = [row for row in own if not row.relevant and row.url not in elsewhere]
    pairs = [(focus, row) for row in positives]
    pairs += [(_class_of(row.topic), row) for row in others]
    pairs += [("/", row) for row in negatives]
    classes = {name for name, _ in pairs} | {focus}
    if not positives or len(classes) < 2:
        return {}
    pages = references(topic, [row for _, row in pairs])
    return _frozen("topics", "", focus, [
        {"class": name, **page} for (name, _), page in zip(pairs, pages, strict=True)
    ])


def _class_of(topic: Topic) -> str:
    """A class of its own for every topic, whatever it is called."""
    return f"/{topic.name.replace('/', ' ')} #{topic.pk}"


def _of_directory(topic: Topic, category: DirectoryTopic) -> dict[str, Any]:
    focus = f"/{category.path}"
    own = [row for row in own_training(topic) if row.relevant]
    known = held_back(topic) | {row.url for row in own}
    pages = [{"class": focus, **page} for page in references(topic, own)]
    for path, row in _branch(category, topic.random_seed):
        if row.url not in known and len(pages) < MOST_PAGES:
            known.add(row.url)
            pages.append({"class": f"/{path}", "url": row.url, "title": row.title,
                          "description": row.description})
    pages = _with_fetched(topic, pages)
    if len({page["class"] for page in pages}) < 2:
        return {}
    return _frozen("directory", category.directory.name, focus, pages)


def _branch(category: DirectoryTopic, seed: int) -> Iterator[tuple[str, DirectoryPage]]:
    """Drawn pages of the categories beside and below this one; where none of the former has a
    page, of those beside one further up."""
    rows = category.directory.topics.filter(own_pages__gt=0)
    above, beside = category.path, rows.none()
    while above and not beside.exclude(pk__in=at_or_below(rows, category.path)).exists():
        above = above.rpartition("/")[0]
        beside = at_or_below(rows, above)
    most = min(MOST_A_CLASS, max(1, MOST_PAGES // max(1, beside.count())))
    listed = DirectoryPage.objects.filter(topic__in=beside).exclude(title="", description="")
    by_class = groupby(
        listed.select_related("topic").order_by("topic__path", "pk").iterator(),
        key=lambda page: page.topic.path,
    )
    for path, pages in by_class:
        for page in drawn(list(pages), most, seed):
            yield path, page


def _with_fetched(topic: Topic, pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same with the page itself where any of the owner's topics has fetched it."""
    wanted = {page["url"] for page in pages if "file" not in page}
    rows = Example.objects.filter(topic__owner_id=topic.owner_id, fetch=FETCHED)
    fetched = {row.url: row for row in rows.order_by("pk").iterator() if row.url in wanted}
    found = dict(zip(fetched, references(topic, fetched.values()), strict=True))
    return [
        {"class": page["class"], **found[page["url"]]}
        if page["url"] in found and "file" not in page else page
        for page in pages
    ]


def _frozen(of: str, name: str, focus: str, pages: list[dict[str, Any]]) -> dict[str, Any]:
    return {"of": of, "name": name, "rows": len(pages), "focus": focus, "pages": pages}


def supplied(topic: model.Topic, topic_id: int, given: dict[str, Any]) -> dict[str, Any]:
    """The field of the engine's topic."""
    stored = documents(topic_id, (page for page in given["pages"] if "file" in page))
    pages = tuple(
        (page["class"], next(stored) if "file" in page else _described(page))
        for page in given["pages"]
    )
    return {"taxonomy": model.Taxonomy(pages, given["focus"])}


def _described(page: dict[str, Any]) -> Document:
    title, words = escape(page["title"]), escape(page["description"])
    return parse_html(f"<title>{title}</title><p>{words}</p>", page["url"])


def is_possible(topic: Topic) -> bool:
    """Whether there are two classes, one of them the topic's; no page is read for it."""
    own = own_training(topic)
    if not own.filter(relevant=True).exists():
        return False
    if topic.category is not None:
        return bool(topic.category.directory.topics.filter(own_pages__gt=0).count() > 1)
    return own.filter(relevant=False).exists() or other_positives(topic).exists()
