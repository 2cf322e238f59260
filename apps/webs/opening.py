"""The folders of webs, and opening the webs that rows name."""

from __future__ import annotations

import secrets
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from apps.engine.errors import BadWebFile
from apps.engine.networking.webs.added_labels import AddedLabels
from apps.engine.networking.webs.virtual_web import VirtualWeb
from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.stored_files.files import forget, is_elsewhere, local, names
from apps.webs.models import Web


def webs_folder() -> Path:
    """The folder of imported webs; each has its own folder in it."""
    return Path(settings.DATA_DIR) / "webs"


def new_folder(name: str) -> Path:
    """The folder for a new web of that name. In a store no name is used again, since another
    machine may still have what it had fetched of it."""
    return webs_folder() / (f"{name}.{secrets.token_hex(4)}" if is_elsewhere() else name)


def web_folder(web: Web) -> Path:
    """The folder of an imported web, fetched to this machine if it is stored elsewhere."""
    return local(webs_folder() / web.folder)


def bytes_on_disk(web: Web) -> int:
    """The size of an imported web's files; 0 for others, and if its folder is gone."""
    if web.source != Web.Source.FOLDER or not web_folder(web).is_dir():
        return 0
    return sum(file.stat().st_size for file in web_folder(web).iterdir() if file.is_file())


def labels_folder() -> Path:
    """The folder of the files of added labels."""
    return Path(settings.DATA_DIR) / "web_labels"


def added_labels_path(web: Web) -> Path | None:
    """The path of the labels added to a web, fetched if they are stored elsewhere; None without
    any. A file is never changed, and stays as long as the web: a crawl may have it open."""
    return labels_path(web, web.added_labels)


def labels_path(web: Web, name: str) -> Path | None:
    """The path of one of the files of labels that the web has had; None without a name."""
    return local(labels_folder() / f"web-{web.pk}-{name}.sqlite") if name else None


def remove_added_labels(web_pk: int) -> None:
    """Deletes all labels ever added to a web."""
    for name in names(labels_folder()):
        if name.startswith(f"web-{web_pk}-"):
            forget(labels_folder() / name)


def open_recorded(folder: Path, added: Path | None) -> VirtualWeb:
    """The web in a folder, with the labels added to it. Raises BadWebFile."""
    try:
        return VirtualWeb(folder, AddedLabels(added) if added else None)
    except FileNotFoundError:
        raise BadWebFile(f"the labels added to {folder.name} are gone") from None


def open_web(web: Web) -> EngineWeb:
    """The web of a row.

    Raises BadWebFile if its folder holds none, ValueError for the live Web, which cannot be opened.
    """
    if web.source == Web.Source.FOLDER:
        return open_recorded(web_folder(web), added_labels_path(web))
    if web.source == Web.Source.DEMO:
        return _demo_web(web.seed, web.pages)
    raise ValueError("the live Web cannot be opened, only fetched")


@lru_cache(maxsize=2)
def _demo_web(seed: int, pages: int | None) -> EngineWeb:
    # Few crawls are of the demo's web.
    from apps.demo.web import USUAL_PAGES, DemoWeb

    return DemoWeb(seed, pages or USUAL_PAGES)
