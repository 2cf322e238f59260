"""Everything that changes a recorded web after it was made."""

from __future__ import annotations

import shutil

from django.db import transaction
from django.db.models import ProtectedError

from apps.crawls.importing import WebRefused
from apps.crawls.models import Web
from apps.crawls.web_links import links_path
from apps.crawls.webs import webs_folder


def share_web(web: Web, shared: bool) -> None:
    """Everybody who can sign in may crawl the web, or its owner alone may again; crawls and topics
    that others have made of it stay."""
    Web.objects.filter(pk=web.pk).update(shared=shared)
    web.shared = shared


def delete_web(web: Web) -> None:
    """Deletes the web with its pages; there is no way back.

    Raises WebRefused where crawls or topics use it.
    """
    folder, links = webs_folder() / web.folder, links_path(web)
    if web.source != Web.Source.FOLDER:
        raise WebRefused("Only a recorded web can be deleted.")
    try:
        with transaction.atomic():
            web.delete()
    except ProtectedError as error:
        raise WebRefused(_users(error)) from None
    shutil.rmtree(folder, ignore_errors=True)
    links.unlink(missing_ok=True)


def _users(error: ProtectedError) -> str:
    names = sorted(row._meta.verbose_name for row in error.protected_objects)
    counts = [f"{names.count(name)} {name}{'s' * (names.count(name) > 1)}"
              for name in dict.fromkeys(names)]
    return f"{' and '.join(counts)} on it: delete those first. The web is kept."
