"""Recipes: exporting and importing them, and running a crawl again."""

from __future__ import annotations

from typing import Any, Literal

from django.shortcuts import get_object_or_404
from ninja import File, Router, Schema, Status, UploadedFile

from apps.accounts.requests import SignedInRequest
from apps.api.crawls.crawls import CrawlOut, crawl_out
from apps.api.refusals import Refusal
from apps.api.webs.webs import RecordingOut, recording_of
from apps.crawls.commands.lifecycle.start import start
from apps.crawls.selectors import editable_recipes, visible_recipes
from apps.recipes import reruns
from apps.recipes.recipe import (
    MOST_BYTES,
    TOO_LARGE,
    recipe_of,
)
from apps.recipes.schemas import Recipe
from apps.schemas.json_text import read_json
from apps.schemas.refused import Refused

router = Router(tags=["recipes"])


class RunAgain(Schema):
    """The web to run it on: the `same` as before, or the `pages` it has fetched."""

    on: Literal["same", "pages"] = "same"
    start: bool = False


@router.get(
    "/crawls/{int:crawl_id}/recipe",
    response={200: dict[str, Any], 404: Refusal, 422: Refusal},
    summary="Export a recipe",
)
def show_recipe(request: SignedInRequest, crawl_id: int) -> Any:
    """Everything needed to run the crawl again, here or elsewhere, without page bodies."""
    crawl = get_object_or_404(visible_recipes(request.user), pk=crawl_id)
    return recipe_of(crawl, request.user)


@router.post(
    "/recipes", response={201: CrawlOut, 409: Refusal, 422: Refusal}, summary="Import a recipe"
)
def take_recipe(request: SignedInRequest, sent: Recipe) -> Any:
    """Makes a draft, and its topic unless you have the same one. If a recorded web or a directory
    is missing here, or an earlier crawl must be run first, the error names it."""
    crawl = reruns.import_recipe(request.user, sent)
    return Status(201, crawl_out(crawl, request))


@router.post(
    "/recipes/file", response={201: CrawlOut, 409: Refusal, 422: Refusal}, summary="Upload a recipe"
)
def upload_recipe(request: SignedInRequest, file: File[UploadedFile]) -> Any:
    """The same from a file, for recipes whose tables make them large: up to 100 MB."""
    if (file.size or 0) > MOST_BYTES:
        raise Refused("file", TOO_LARGE)
    crawl = reruns.import_recipe(request.user, Recipe.read(read_json(file.read(), "The file")))
    return Status(201, crawl_out(crawl, request))


@router.post(
    "/crawls/{int:crawl_id}/again",
    response={
        201: CrawlOut,
        202: RecordingOut,
        404: Refusal,
        409: Refusal,
        422: Refusal,
    },
    summary="Run a crawl again",
)
def run_again(request: SignedInRequest, crawl_id: int, sent: RunAgain) -> Any:
    """A new crawl with the same recipe, a draft unless `start` is true. On more than 1,000 pages of
    its own it is made once a worker has recorded them: the answer is that recording, 202."""
    make = reruns.run_again if sent.on == "same" else reruns.run_on_its_pages
    earlier = get_object_or_404(editable_recipes(request.user), pk=crawl_id)
    if sent.on == "pages" and reruns.is_made_later(earlier):
        recording = reruns.run_once_recorded(earlier, starts=sent.start)
        return Status(202, recording_of(recording))
    crawl = make(earlier, earlier.owner)
    if sent.start:
        start(crawl)
    return Status(201, crawl_out(crawl, request))
