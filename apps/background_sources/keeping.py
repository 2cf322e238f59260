"""Keeping the texts of a background: their file, and the row's values."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.background_sources.sources.catalogue import SOURCES, options_of
from apps.background_sources.sources.recipe import RECIPE
from apps.backgrounds.files import folder_of
from apps.backgrounds.models import Background, BackgroundVersion
from apps.backgrounds.names import free_name
from apps.engine.representation.background import BackgroundStatistics
from apps.engine.representation.bags import Bags
from apps.engine.representation.language_detection import detect_language
from apps.engine.representation.tokens import Vocabulary
from apps.jobs import queue
from apps.stored_files import files

LANGUAGE_TEXTS = 200


def keep(version: BackgroundVersion, texts: Bags) -> dict[str, Any]:
    """Writes the texts; returns the row's values. Words and directions are those in the texts' own
    language. Raises OSError if the disk refuses."""
    background = version.background
    language = detect_language(texts.texts()[:LANGUAGE_TEXTS])
    model = BackgroundStatistics().fit(texts.rows(Vocabulary(language)))
    file = f"{version.number}-{version.job_attempt}.npz"
    texts.write(folder_of(background) / file)
    files.keep(folder_of(background) / file)
    made_of = SOURCES[background.source].made_of(background, options_of(background), len(texts))
    return {
        "made_of": made_of,
        "texts": len(texts),
        "words": len(model.terms_),
        "directions": len(model),
        "language": language or "",
        "digest": texts.digest(),
        "file": file,
        "built_at": timezone.now(),
    }


def keep_of_recipe(owner: User, name: str, texts: Bags) -> Background:
    """A background of the texts of a recipe, ready at once. Raises OSError."""
    with transaction.atomic():
        made = Background.objects.create(
            owner=owner, name=free_name(owner, name or RECIPE.title), source=RECIPE.id
        )
        version = BackgroundVersion.objects.create(background=made, number=1)
        queue.claim_here(version)
        queue.finish(version, **keep(version, texts))
    return made
