"""Changes of recorded webs."""

from __future__ import annotations

import re

from django.db import transaction
from django.db.models import ProtectedError

from apps.demo.web import DemoWeb
from apps.schemas.input import Refused
from apps.stored_files.files import forget
from apps.webs.importing import WebRefused
from apps.webs.links import remove_links
from apps.webs.models import Web
from apps.webs.opening import remove_added_labels, webs_folder
from apps.webs.pages.indexing import remove_index, storable
from apps.webs.replays import remove_replays

LONGEST_NOTE = 200


def delete_web(web: Web) -> None:
    """Deletes the web with its pages; this cannot be undone.

    Raises WebRefused if crawls or topics use it.
    """
    folder, number = webs_folder() / web.folder, web.pk
    if web.source != Web.Source.FOLDER:
        raise WebRefused("Only a recorded web can be deleted.")
    try:
        with transaction.atomic():
            web.delete()
    except ProtectedError as error:
        raise WebRefused(_users(error)) from None
    forget(folder)
    remove_links(number)
    remove_index(number)
    remove_added_labels(number)
    remove_replays(number)


def set_note(web: Web, text: str) -> None:
    """Writes the note on one line. Raises Refused if it is too long."""
    note = " ".join(storable(text).split())
    if len(note) > LONGEST_NOTE:
        raise Refused("note", f"At most {LONGEST_NOTE} characters; this note has {len(note)}.")
    web.note = note
    web.save(update_fields=["note"])


def demo_web_named(name: str) -> Web | None:
    """The demo web of seed N if it is called for as `demo-N`, made at the first call; else None."""
    found = re.fullmatch(r"demo-([1-9][0-9]{0,8})", name)
    if found is None or Web.objects.filter(name=name, source=Web.Source.FOLDER).exists():
        return None
    seed = int(found[1])
    made = DemoWeb(seed)
    sizes = {"pages": made.count, "hosts": len(made.hosts)}
    web, _ = Web.objects.get_or_create(name=name, source=Web.Source.DEMO, seed=seed, defaults=sizes)
    return web


def _users(error: ProtectedError) -> str:
    names = sorted(row._meta.verbose_name for row in error.protected_objects)
    counts = [f"{names.count(name)} {name}{'s' * (names.count(name) > 1)}"
              for name in dict.fromkeys(names)]
    return f"{' and '.join(counts)} on it: delete those first. The web is kept."
