"""A crawl as a recipe: everything that it takes to run it once more, here or elsewhere, as JSON.

It holds the topic as it stood when the crawl began (addresses, no page bodies), the strategy with
its parameters, the random seed, the web by its name, and the versions it was run with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.crawls.assembly import parameters_as_started, scope_as_started
from apps.crawls.models import Crawl
from apps.crawls.recipe_topics import TopicPart, read_topic_part, topic_part
from apps.engine.crawl.changes import CHANGES
from apps.topics.lines import storable
from crawlsite.installation import versions

FORMAT = 1
_KEYS = {
    "web": dict, "over": str, "strategy": str, "parameters": dict, "random_seed": int,
    "budget": int, "request_limit": int, "scope": dict, "politeness": dict,
    "parent_policy": str, "judge": str,
}  # fmt: skip
_WORDS = {dict: "an object", str: "a text", int: "a whole number"}
# For the reader's information only.
_NOTES = frozenset({"format", "topic", "made_by", "crawl", "sources", "earlier", "changes"})


class RecipeRefused(Exception):
    """A recipe cannot be taken; `field` names the part, `message` says what it should be."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe as it was read: the topic, the name and source of the web, the crawl's settings
    by the keyword of `services.create_crawl`."""

    topic: TopicPart
    web_name: str
    web_source: str
    settings: Mapping[str, Any]


def recipe_of(crawl: Crawl) -> dict[str, Any]:
    """The recipe, ready for JSON.

    Parameters and scope are those at the start, the budget is the present one; `changes` tells
    what was changed while the crawl ran, by the request after which it took effect, `sources`
    where corpus, taxonomy and back-links came from, `earlier` the crawl it learned from.
    """
    return {
        "format": FORMAT,
        "made_by": versions(),
        "crawl": {"number": crawl.pk, "state": crawl.state, "reason": crawl.reason or None,
                  "pages": crawl.pages, "requests": crawl.requests},
        "topic": topic_part(crawl),
        "web": {"name": crawl.web.name, "source": crawl.web.source},
        "over": crawl.over,
        "strategy": crawl.strategy,
        "parameters": parameters_as_started(crawl),
        "random_seed": crawl.random_seed,
        "budget": crawl.budget,
        "request_limit": crawl.request_limit,
        "scope": scope_as_started(crawl),
        "politeness": crawl.politeness,
        "parent_policy": crawl.parent_policy,
        "judge": crawl.judge,
        "sources": crawl.sources,
        "earlier": crawl.earlier_id,
        "changes": _changes(crawl),
    }


def _changes(crawl: Crawl) -> list[dict[str, Any]]:
    events = crawl.events.filter(kind__in=list(CHANGES)).order_by("seq")
    return [
        {"request": event.request, "pages": event.pages, "kind": event.kind,
         "payload": {name: v for name, v in event.payload.items() if name != "by"}}
        for event in events
    ]


def recipe_file_name(crawl: Crawl) -> str:
    """`recipe-7.json`."""
    return f"recipe-{crawl.pk}.json"


def read_recipe(data: Any) -> Recipe:
    """The recipe in an object that was read from JSON. Raises RecipeRefused."""
    if not isinstance(data, dict):
        raise RecipeRefused("recipe", "A recipe is one JSON object, as a crawl's page gives it.")
    text = json.dumps(data, ensure_ascii=False)
    if storable(text) != text or r"\u0000" in text:
        raise RecipeRefused("recipe", "The recipe holds characters that no text can have.")
    if data.get("format") != FORMAT:
        raise RecipeRefused("format", f"This crawlsite reads recipes of format {FORMAT}.")
    unknown = sorted(str(name)[:50] for name in set(data) - _NOTES - set(_KEYS))
    if unknown:
        raise RecipeRefused(unknown[0], f"A recipe has no {', '.join(unknown)}.")
    settings = {name: _value(data, name, kind) for name, kind in _KEYS.items()}
    web = settings.pop("web")
    name, source = web.get("name"), web.get("source")
    if not isinstance(name, str) or not isinstance(source, str):
        raise RecipeRefused("web", "The web needs a name and a source, as texts.")
    try:
        topic = read_topic_part(data.get("topic"))
    except ValueError as error:
        raise RecipeRefused("topic", str(error)) from None
    return Recipe(topic, name, source, settings)


def _value(data: Mapping[str, Any], name: str, kind: type) -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RecipeRefused(name, f"{name} must be {_WORDS[kind]}.")
    return value
