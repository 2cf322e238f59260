"""Changes of recorded webs."""

from __future__ import annotations

from django.db import transaction
from django.db.models import ProtectedError

from apps.stored_files.files import forget
from apps.webs.importing import WebRefused
from apps.webs.links import remove_links
from apps.webs.models import Web
from apps.webs.opening import webs_folder
from apps.webs.pages.indexing import remove_index
from apps.webs.replays import remove_replays


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
    remove_replays(number)


def _users(error: ProtectedError) -> str:
    names = sorted(row._meta.verbose_name for row in error.protected_objects)
    counts = [f"{names.count(name)} {name}{'s' * (names.count(name) > 1)}"
              for name in dict.fromkeys(names)]
    return f"{' and '.join(counts)} on it: delete those first. The web is kept."
