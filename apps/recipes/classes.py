"""The classes in a recipe: the other topics that a classifying strategy tells its topic from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractUser

from apps.directories.models import DirectoryTopic
from apps.directories.selectors import category_at, directories_of
from apps.jobs import queue
from apps.topics.definition.lines import storable
from apps.topics.definition.reading import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic

MOST_CLASSES = 1_000


@dataclass(frozen=True, slots=True)
class Classes:
    """The other topics, by name with their positive examples, or a category by directory and
    path."""

    topics: tuple[tuple[str, tuple[str, ...]], ...] = ()
    directory: str = ""
    path: str = ""


def classes_part(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """`{"topics": {name: [url]}}` or `{"directory", "path"}`, or None if the crawl has no
    classes."""
    taxonomy = given.get("taxonomy")
    if not taxonomy:
        return None
    focus = taxonomy["focus"]
    if taxonomy["of"] == "directory":
        return {"directory": taxonomy["name"], "path": focus.removeprefix("/")}
    found: dict[str, list[str]] = {}
    for page in taxonomy["pages"]:
        if page["class"] not in (focus, "/"):
            name = page["class"].removeprefix("/").rpartition(" #")[0]
            found.setdefault(name, []).append(page["url"])
    return {"topics": found}


def read_classes(data: Any) -> Classes:
    """The classes of a recipe. Raises ValueError with a sentence."""
    if data is None:
        return Classes()
    if isinstance(data, dict) and set(data) == {"directory", "path"}:
        directory, path = data["directory"], data["path"]
        if isinstance(directory, str) and isinstance(path, str):
            return Classes(directory=directory, path=path)
    topics = data.get("topics") if isinstance(data, dict) else None
    if not isinstance(topics, dict) or len(topics) > MOST_CLASSES:
        raise ValueError("classes must name topics with their pages, or a directory and a path.")
    for name, urls in topics.items():
        if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
            raise ValueError(f"classes: {name[:50]} must be a list of addresses.")
    return Classes(tuple((name, tuple(urls)) for name, urls in topics.items()))


def category_of(owner: AbstractUser, classes: Classes) -> DirectoryTopic | None:
    """The category that the recipe's topic came from, or None.

    Raises ValueError, saying what to upload, if the owner has no such directory.
    """
    if not classes.directory:
        return None
    for directory in directories_of(owner).filter(name=classes.directory):
        if (found := category_at(directory, classes.path)) is not None:
            return found
    raise ValueError(
        f"Its classes come from the directory {classes.directory}, category {classes.path}. Upload"
        " that directory under the same name (Topics, From a directory), then import this recipe"
        " again."
    )


def make_topics_of(owner: AbstractUser, classes: Classes, web_id: int | None) -> list[Topic]:
    """The topics that do not exist here yet; their examples are fetched in the background. Raises
    TopicRefused."""
    here = set(Topic.objects.filter(owner=owner, web_id=web_id).values_list("name", flat=True))
    made = []
    for name, urls in classes.topics:
        name = " ".join(storable(name).split())
        if name not in here:
            lists = {"positives": "\n".join(" ".join(url.split()) for url in urls)}
            made.append(create_topic(owner, Definition(name, web_id=web_id, lists=lists)).topic)
    queue.enqueue_all(made, work_wanted=Topic.Work.FETCHING)
    return made
