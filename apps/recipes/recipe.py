"""A crawl as a recipe: JSON with everything it takes to run it again, here or elsewhere.

It holds the topic as it was when the crawl began (addresses, no page bodies), the tables and
classes the crawl was given, the recipe of the crawl it learned from, the strategy with its
parameters, the random seed, the name of the web, and the versions it was run with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractUser

from apps.crawls.commands.catalogue import engine_changes
from apps.crawls.inputs.frozen import frozen_inputs
from apps.crawls.models import Crawl
from apps.crawls.running.assembly import parameters_as_started, scope_as_started
from apps.crawls.selectors import visible_recipes
from apps.engine.errors import BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.intelligence.strategies import strategy
from apps.jobs.installation import versions
from apps.recipes.classes import Classes, classes_part, read_classes
from apps.recipes.tables import RecipeTable, read_tables, tables_part
from apps.recipes.topics import TopicPart, read_topic_part, topic_part
from apps.schemas.input import Refused
from apps.topics.definition.lines import storable
from apps.topics.inputs.freezing import freeze

FORMAT = 1
_KEYS = {
    "web": dict, "over": str, "strategy": str, "parameters": dict, "random_seed": int,
    "budget": int, "request_limit": int, "scope": dict, "politeness": dict,
    "parent_policy": str, "judge": str,
}  # fmt: skip
Part = TypeVar("Part")
_WORDS = {dict: "an object", str: "a text", int: "a whole number"}
# For information only.
_NOTES = frozenset({"made_by", "crawl", "sources", "changes"})
_PARTS = frozenset({"format", "topic", "tables", "classes", "earlier"})
MOST_EARLIER = 10
MOST_BYTES = 100 * 2**20
TOO_LARGE = f"The file is larger than {MOST_BYTES >> 20} MB."


class RecipeRefused(Refused):
    """A recipe cannot be imported; `field` names the part, `message` says what it should be."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe as it was read: the topic, the name and source of the web, the crawl's settings as
    keywords of `services.create_crawl`, and what else the crawl was given.

    `earlier` is the recipe of the crawl it learns from, by its first `earlier_pages` pages;
    `scanned` says that its in-links or back-links were found by scanning the recorded web.
    """

    topic: TopicPart
    web_name: str
    web_source: str
    settings: Mapping[str, Any]
    tables: tuple[RecipeTable, ...] = ()
    classes: Classes = field(default_factory=Classes)
    earlier: Recipe | None = None
    earlier_pages: int = 0
    scanned: bool = False


def recipe_of(crawl: Crawl, by: AbstractUser | None = None) -> dict[str, Any]:
    """The recipe, ready for JSON, as `by` (the owner by default) may see it.

    Parameters and scope are those at the start, the budget is the current one. `changes` lists what
    was changed while the crawl ran, with the request after which it took effect; `sources` where
    everything it was given came from; `earlier` is the recipe of the crawl it learned from. Raises
    RecipeRefused if a table is gone.
    """
    given = _given(crawl)
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
        "sources": crawl.inputs,
        **given,
        "earlier": _earlier_part(crawl, by or crawl.owner),
        "changes": _changes(crawl),
    }


def _earlier_part(crawl: Crawl, by: AbstractUser) -> dict[str, Any] | None:
    """The recipe of the earlier crawl, if the person may see it."""
    earlier = visible_recipes(by).filter(pk=crawl.earlier_id).first()
    if earlier is None:
        return None
    return {"pages": crawl.earlier_pages or earlier.pages, "recipe": recipe_of(earlier, by)}


def _given(crawl: Crawl) -> dict[str, Any]:
    """The tables and classes: as frozen at the start, or for a draft as they are now."""
    try:
        given = frozen_inputs(crawl) or freeze(
            crawl.topic, strategy(crawl.strategy).build(crawl.parameters).needed(), crawl.judge
        )
        tables = tables_part(crawl.topic_id, given)
    except BadWebFile as error:
        raise RecipeRefused("tables", f"No recipe: {error.detail}.") from None
    except OSError as error:
        raise RecipeRefused(
            "tables", f"No recipe: the tables of the crawl cannot be read ({error.strerror})."
        ) from None
    return {"tables": tables, "classes": classes_part(given)}


def _changes(crawl: Crawl) -> list[dict[str, Any]]:
    events = crawl.events.filter(kind__in=list(engine_changes())).order_by("seq")
    return [
        {"request": event.request, "pages": event.pages, "kind": event.kind,
         "payload": {name: v for name, v in event.payload.items() if name != "by"}}
        for event in events
    ]


def recipe_file_name(crawl: Crawl) -> str:
    """`recipe-7.json`."""
    return f"recipe-{crawl.pk}.json"


def recipe_in(text: bytes | str) -> Any:
    """The JSON value in a recipe's file or text. Raises RecipeRefused."""
    try:
        return json.loads(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
    except (ValueError, RecursionError) as error:
        raise RecipeRefused(
            "file" if isinstance(text, bytes) else "",
            f"This is not JSON: {fault_words(error)}. Give the file as it was downloaded.",
        ) from None


def read_recipe(data: Any, depth: int = 0) -> Recipe:
    """The recipe in a JSON value. Raises RecipeRefused.

    `depth` counts the crawls between it and the recipe that was asked for.
    """
    if not isinstance(data, dict):
        raise RecipeRefused("recipe", "A recipe is one JSON object, as downloaded from a crawl's"
            " page.")
    text = json.dumps(data, ensure_ascii=False)
    if storable(text) != text or r"\u0000" in text:
        raise RecipeRefused("recipe", "The recipe holds characters that cannot be stored.")
    if data.get("format") != FORMAT:
        raise RecipeRefused("format", f"This crawlsite reads recipes of format {FORMAT}.")
    unknown = sorted(str(name)[:50] for name in set(data) - _NOTES - _PARTS - set(_KEYS))
    if unknown:
        raise RecipeRefused(unknown[0], f"A recipe has no {', '.join(unknown)}.")
    settings = {name: _value(data, name, kind) for name, kind in _KEYS.items()}
    web = settings.pop("web")
    name, source = web.get("name"), web.get("source")
    if not isinstance(name, str) or not isinstance(source, str):
        raise RecipeRefused("web", "The web needs a name and a source, as texts.")
    earlier, pages = _earlier(data.get("earlier"), depth)
    return Recipe(
        _part("topic", read_topic_part, data.get("topic")), name, source, settings,
        _part("tables", read_tables, data.get("tables", {})),
        _part("classes", read_classes, data.get("classes")),
        earlier, pages, _was_scanned(data.get("sources")),
    )


def _part(name: str, read: Callable[[Any], Part], data: Any) -> Part:
    try:
        return read(data)
    except ValueError as error:
        raise RecipeRefused(name, str(error)) from None


def _earlier(data: Any, depth: int) -> tuple[Recipe | None, int]:
    if not isinstance(data, dict):
        return None, 0
    pages = data.get("pages")
    if type(pages) is not int or pages < 1 or depth >= MOST_EARLIER:
        raise RecipeRefused("earlier", "earlier needs its recipe and the number of its pages.")
    return read_recipe(data.get("recipe"), depth + 1), pages


def _was_scanned(sources: Any) -> bool:
    """Whether the crawl's in-links or back-links were found by scanning its recorded web."""
    of = {str(part.get("of")) for part in sources.values() if isinstance(part, dict)} if (
        isinstance(sources, dict)) else set()
    return not of.isdisjoint({"counted", "found", "both"})


def _value(data: Mapping[str, Any], name: str, kind: type) -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RecipeRefused(name, f"{name} must be {_WORDS[kind]}.")
    return value
