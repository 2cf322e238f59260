"""Changes of recorded webs."""

from __future__ import annotations

import re

from django.db import transaction

from apps.demo.web import LEAST_PAGES, USUAL_PAGES, DemoWeb
from apps.jobs import queue
from apps.jobs.deletion import delete_later, held_by
from apps.schemas.refused import Refused
from apps.stored_files.files import forget
from apps.webs.importing import WebRefused
from apps.webs.links import remove_links
from apps.webs.models import PageIndexing, Web
from apps.webs.opening import remove_added_labels, webs_folder
from apps.webs.pages.indexing import remove_index, storable
from apps.webs.replays import remove_replays

LONGEST_NOTE = 200


def delete_web(web: Web) -> None:
    """Hides the web; its pages are deleted in the background. This cannot be undone.

    Raises WebRefused if crawls or topics use it.
    """
    if web.source != Web.Source.FOLDER:
        raise WebRefused("Only a recorded web can be deleted.")
    with transaction.atomic():
        if users := held_by(web):
            raise WebRefused(f"{users} on it: delete those first. The web is kept.")
        for indexing in PageIndexing.objects.filter(web=web):
            queue.cancel(indexing)
        delete_later(web, web.owner)


def forget_web(web: Web) -> None:
    """Deletes the files of a web."""
    forget(webs_folder() / web.folder)
    remove_links(web.pk)
    remove_index(web.pk)
    remove_added_labels(web.pk)
    remove_replays(web.pk)


def set_note(web: Web, text: str) -> None:
    """Writes the note on one line. Raises Refused if it is too long."""
    note = " ".join(storable(text).split())
    if len(note) > LONGEST_NOTE:
        raise Refused("note", f"At most {LONGEST_NOTE} characters; this note has {len(note)}.")
    web.note = note
    web.save(update_fields=["note"])


MOST_DEMO_PAGES = 200_000


def demo_web_named(name: str) -> Web | None:
    """The demo web of seed N if it is called for as `demo-N`, or as `demo-N-PAGES` one of another
    size, made at the first call; else None. Raises Refused for a size that no demo web has."""
    match = re.fullmatch(r"demo-([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?", name)
    if match is None or Web.objects.filter(name=name, source=Web.Source.FOLDER).exists():
        return None
    seed, pages = int(match[1]), int(match[2] or USUAL_PAGES)
    if not LEAST_PAGES <= pages <= MOST_DEMO_PAGES:
        allowed = f"{LEAST_PAGES:,} to {MOST_DEMO_PAGES:,}"
        raise Refused("web", f"A demo web has {allowed} pages, not {pages:,}.")
    made = DemoWeb(seed, pages)
    sizes = {"pages": made.count, "hosts": len(made.hosts)}
    web, _ = Web.objects.get_or_create(name=name, source=Web.Source.DEMO, seed=seed, defaults=sizes)
    return web
