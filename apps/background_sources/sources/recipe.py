"""Texts that came with a recipe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from django.contrib.auth.models import User

from apps.background_sources.sources.source import BackgroundSource, Progress, Text
from apps.backgrounds.models import Background
from apps.schemas.input import Input
from apps.schemas.refused import Refused


class NoOptions(Input):
    """Nothing: the texts are there."""


def _check(owner: User, options: NoOptions) -> NoReturn:
    raise Refused("source", "It came with a recipe and can only be had by importing one.")


def _gather(background: Background, options: NoOptions, progress: Progress) -> Iterator[Text]:
    _check(background.owner, options)


RECIPE = BackgroundSource(
    id="recipe",
    title="Of a recipe",
    sentence="The texts that a crawl was given elsewhere, with its recipe.",
    options=NoOptions,
    check=_check,
    gather=_gather,
    made_of=lambda background, options, texts: "the texts of a recipe",
    name=lambda owner, options: "Of a recipe",
    can_be_built=False,
)
