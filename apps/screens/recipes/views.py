"""Recipes: the download, running a crawl again, importing one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from apps.accounts.requests import SignedInRequest
from apps.crawls.commands.lifecycle.start import start
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl
from apps.crawls.selectors import editable_recipes, visible_recipes
from apps.recipes import reruns
from apps.recipes.recipe import (
    MOST_BYTES,
    TOO_LARGE,
    recipe_file_name,
    recipe_of,
)
from apps.recipes.schemas import Recipe
from apps.schemas.json_text import read_json
from apps.schemas.refused import Refused
from apps.screens.answers import json_file
from apps.screens.form_tokens import form_token, new_form_token

AGAIN: Mapping[str, Callable[..., Crawl]] = {
    "same": reruns.run_again,
    "pages": reruns.run_on_its_pages,
}

RECORDING = "The pages are being recorded in the background; you may leave."
STARTS = "The new crawl starts by itself after that."
DRAFTED = "The draft is made after that."


def recipe(request: SignedInRequest, pk: int) -> HttpResponse:
    """The recipe as a file, if the crawl's topic is visible too."""
    crawl = get_object_or_404(visible_recipes(request.user), pk=pk)
    try:
        data = recipe_of(crawl, request.user)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("live:crawl", crawl.pk)
    return json_file(data, recipe_file_name(crawl))


def again(request: SignedInRequest, pk: int) -> HttpResponse:
    """Asks how; the POST makes the crawl and starts it unless a draft is wanted."""
    crawl = get_object_or_404(editable_recipes(request.user), pk=pk)
    refusal = ""
    if request.method == "POST":
        token = form_token(request.POST)
        make = AGAIN.get(request.POST.get("on", ""))
        try:
            if make is None:
                raise CrawlRefused("on", "Choose what to run it on.")
            topic_now = request.POST.get("topic") == "now"
            starts = request.POST.get("do") != "draft"
            if make is reruns.run_on_its_pages and reruns.is_made_later(crawl):
                reruns.run_once_recorded(
                    crawl, topic_now=topic_now, starts=starts, form_token=token
                )
                messages.success(request, f"{RECORDING} {STARTS if starts else DRAFTED}")
                return redirect("webs:list")
            made = make(crawl, crawl.owner, topic_now=topic_now, form_token=token)
            if starts:
                start(made)
            return redirect("live:crawl", made.pk)
        except CrawlRefused as refused:
            refusal = refused.message
        except IntegrityError:
            sent_before = Crawl.objects.get(owner=crawl.owner, form_token=token)
            return redirect("live:crawl", sent_before.pk)
    context = {
        "crawl": crawl,
        "refusal": refusal,
        "form_token": request.POST.get("form_token") or new_form_token(),
    }
    return render(request, "recipes/again.html", context)


def from_recipe(request: SignedInRequest) -> HttpResponse:
    """Imports a recipe from a file or pasted text; shows the draft."""
    refusal, text = "", request.POST.get("text", "")
    if request.method == "POST":
        try:
            made = reruns.import_recipe(request.user, Recipe.read(_read_upload(request)))
            messages.success(
                request,
                "The recipe is imported as a draft. Start it once the topic's examples"
                " are fetched.",
            )
            return redirect("live:crawl", made.pk)
        except Refused as refused:
            refusal = str(refused)
    return render(request, "recipes/from_recipe.html", {"refusal": refusal, "text": text})


def _read_upload(request: SignedInRequest) -> object:
    file = request.FILES.get("file")
    if file is None:
        return read_json(request.POST.get("text", ""))
    if (file.size or 0) > MOST_BYTES:
        raise Refused("file", TOO_LARGE)
    return read_json(file.read(), file.name or "")
