"""Similar pages of a recorded web in the browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.urls import reverse

from apps.webs.importing import import_web
from apps.webs.models import Web
from apps.webs.pages.indexing import write_index
from tests.people import site_of

pytestmark = pytest.mark.django_db
LONG = " ".join(f"heron{n}" for n in range(80))
ROWS = [
    ("http://a.test/0", "Herons", LONG, ["Birds"]),
    ("http://a.test/1", "Herons again", f"{LONG} once", ["Birds"]),
    ("http://a.test/2", "Marsh", "heron1 heron2 stand in a marsh", []),
    ("http://a.test/3", "Marshes", "a marsh has reeds", []),
    ("http://a.test/4", "Ships", "ships cross the ocean", []),
]


@pytest.fixture
def web(owner, data_dir: Path) -> Web:
    """The owner's web of these pages, indexed."""
    file = data_dir / "marshes.jsonl"
    file.write_text(
        "\n".join(
            json.dumps({"url": url, "html": f"<title>{title}</title><p>{text}", "topics": labels})
            for url, title, text, labels in ROWS
        )
    )
    web = import_web("marshes", file, owner=owner)[0]
    assert write_index(web)
    return web


def test_they_are_listed_with_shared_words_and_near_duplicates_are_marked(owner, web: Web) -> None:
    site = site_of(owner)
    assert (
        reverse("webs:similar", args=[web.pk, 0])
        in site.get(reverse("webs:web", args=[web.pk])).content.decode()
    )
    page = site.get(reverse("webs:similar", args=[web.pk, 0])).content.decode()
    assert page.count("nearly the same text") == 1 and page.index("Herons again</a>") > 0
    page = site.get(reverse("webs:similar", args=[web.pk, 2])).content.decode()
    assert "Marshes</a>" in page and "Ships</a>" not in page and "nearly the same" not in page
    assert f'href="{reverse("webs:web", args=[web.pk])}?label=Birds"' in page
    page = site.get(reverse("webs:similar", args=[web.pk, 4])).content.decode()
    assert "No other page shares words with this one" in page


def test_they_are_shown_only_to_those_who_see_the_web(owner, stranger, web: Web) -> None:
    address = reverse("webs:similar", args=[web.pk, 0])
    assert site_of(stranger).get(address).status_code == 404
    assert site_of(owner).get(reverse("webs:similar", args=[web.pk, 99])).status_code == 404
