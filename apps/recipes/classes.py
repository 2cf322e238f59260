"""The classes in a recipe: the other topics that a strategy separates its topic from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from apps.directories.models import DirectoryTopic
from apps.directories.selectors import category_at, visible_directories
from apps.jobs import queue
from apps.recipes.schemas import Category, OtherTopics
from apps.schemas.refused import Refused
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic


def classes_part(given: Mapping[str, Any]) -> dict[str, Any] | None:
    """`{"topics": {name: [url]}}` or `{"directory", "path"}`, or None if the crawl has no
    classes."""
    taxonomy = given.get("taxonomy")
    if not taxonomy:
        return None
    focus = taxonomy["focus"]
    if taxonomy["of"] == "directory":
        return {"directory": taxonomy["name"], "path": focus.removeprefix("/")}
    by_topic: dict[str, list[str]] = {}
    for page in taxonomy["pages"]:
        if page["class"] not in (focus, "/"):
            name = page["class"].removeprefix("/").rpartition(" #")[0]
            by_topic.setdefault(name, []).append(page["url"])
    return {"topics": by_topic}


Classes = OtherTopics | Category | None


def category_of(owner: User, classes: Classes) -> DirectoryTopic | None:
    """The category that the recipe's topic came from, or None.

    Raises Refused, with what to upload, if the owner has no such directory.
    """
    if not isinstance(classes, Category):
        return None
    for directory in visible_directories(owner).filter(name=classes.directory):
        if (category := category_at(directory, classes.path)) is not None:
            return category
    raise Refused(
        "classes",
        f"Its classes come from the directory {classes.directory}, category {classes.path}. Upload"
        " that directory under the same name (Topics, From a directory), then import this recipe"
        " again.",
    )


def make_topics_of(owner: User, classes: Classes, web_id: int | None) -> list[Topic]:
    """The topics that do not exist here yet; their examples are fetched in the background. Raises
    TopicRefused."""
    if not isinstance(classes, OtherTopics):
        return []
    here = set(Topic.objects.filter(owner=owner, web=web_id).values_list("name", flat=True))
    made = [
        create_topic(
            owner, Definition(name=name, web_id=web_id, lists={"positives": "\n".join(urls)})
        ).topic
        for name, urls in classes.topics.items()
        if name not in here
    ]
    queue.enqueue_all(made, work_wanted=Topic.Work.FETCHING)
    return made
