"""A crawl as a recipe, in the format of `schemas`."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from apps.crawls.commands.catalogue import engine_changes
from apps.crawls.commands.limits.stop_rules import STOP_RULES
from apps.crawls.inputs.frozen import frozen_inputs
from apps.crawls.models import Crawl
from apps.crawls.running.assembly import parameters_as_started, scope_as_started
from apps.crawls.selectors import visible_recipes
from apps.engine.errors import BadWebFile
from apps.engine.intelligence.strategies import strategy
from apps.jobs.installation import versions
from apps.recipes.backgrounds import background_part
from apps.recipes.classes import classes_part
from apps.recipes.schemas import Recipe
from apps.recipes.tables import tables_part
from apps.recipes.topics import topic_part
from apps.schemas.refused import Refused
from apps.topics.inputs.freezing import freeze

MOST_BYTES = 100 * 2**20
TOO_LARGE = f"The file is larger than {MOST_BYTES >> 20} MB."


def recipe_of(crawl: Crawl, by: User | None = None) -> dict[str, Any]:
    """The recipe, ready for JSON, as `by` (the owner by default) may see it.

    Parameters and scope are those at the start, the budget is the current one. `changes` lists what
    was changed while the crawl ran, with the request after which it took effect; `inputs` where
    everything it was given came from; `earlier` is the recipe of the crawl it learned from. Raises
    Refused if a table is gone.
    """
    return _recipe(crawl, by or crawl.owner).model_dump(mode="json")


def _recipe(crawl: Crawl, by: User) -> Recipe:
    same = (
        "over",
        "strategy",
        "random_seed",
        "budget",
        "request_limit",
        "politeness",
        "parent_policy",
        "pick_order",
        "judge",
        *(rule.name for rule in STOP_RULES),
    )
    return Recipe.read(
        {
            "format": 1,
            "made_by": versions(),
            "crawl": {
                "number": crawl.pk,
                "state": crawl.state,
                "reason": crawl.reason or None,
                "pages": crawl.pages,
                "requests": crawl.requests,
            },
            "topic": topic_part(crawl),
            "web": {"name": crawl.web.name, "source": crawl.web.source},
            "parameters": parameters_as_started(crawl),
            "scope": scope_as_started(crawl),
            "inputs": crawl.inputs,
            "earlier": _earlier_part(crawl, by),
            "changes": _changes(crawl),
            **{name: getattr(crawl, name) for name in same},
            **_inputs_of(crawl),
        }
    )


def _earlier_part(crawl: Crawl, by: User) -> dict[str, Any] | None:
    """The recipe of the earlier crawl, if the person may see it."""
    earlier = visible_recipes(by).filter(pk=crawl.earlier_id or 0).first()
    if earlier is None:
        return None
    return {"pages": crawl.earlier_pages or earlier.pages, "recipe": _recipe(earlier, by)}


def _inputs_of(crawl: Crawl) -> dict[str, Any]:
    """The tables, background and classes: as frozen at the start, or for a draft as now."""
    try:
        given = frozen_inputs(crawl) or freeze(
            crawl.topic, strategy(crawl.strategy).build(crawl.parameters).all_needs(), crawl.judge
        )
        tables = tables_part(crawl.topic_id, given)
        background = background_part(crawl.topic_id, given)
    except BadWebFile as error:
        raise Refused("tables", f"No recipe: {error.detail}.") from None
    except OSError as error:
        raise Refused(
            "tables", f"No recipe: an input of the crawl cannot be read ({error.strerror})."
        ) from None
    return {"tables": tables, "background": background, "classes": classes_part(given)}


def _changes(crawl: Crawl) -> list[dict[str, Any]]:
    events = crawl.events.filter(kind__in=list(engine_changes())).order_by("seq")
    return [
        {
            "request": event.request,
            "pages": event.pages,
            "kind": event.kind,
            "payload": {name: v for name, v in event.payload.items() if name != "by"},
        }
        for event in events
    ]


def recipe_file_name(crawl: Crawl) -> str:
    """`recipe-7.json`."""
    return f"recipe-{crawl.pk}.json"
