"""The files of backgrounds."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from apps.backgrounds.models import Background, BackgroundVersion
from apps.engine.representation.bags import Bags, read_bags
from apps.stored_files.files import forget, local


def backgrounds_folder() -> Path:
    """The folder of all backgrounds; each has its own folder in it."""
    return Path(settings.DATA_DIR) / "backgrounds"


def folder_of(background: Background) -> Path:
    """The folder of one background: its versions, and what they are built from."""
    return backgrounds_folder() / str(background.pk)


def path_of(version: BackgroundVersion) -> Path:
    """The file of a ready version, fetched to this machine if it is stored elsewhere."""
    return local(folder_of(version.background) / version.file)


def texts_of(version: BackgroundVersion) -> Bags:
    """The texts of a ready version. Raises BadWebFile if its file is gone."""
    return read_bags(path_of(version))


def remove_files(background: Background) -> None:
    """Deletes everything stored of a background; crawls keep their own links to its files."""
    forget(folder_of(background))
