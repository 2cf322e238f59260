"""A small web whose pages are known one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from apps.webs.importing import import_web
from apps.webs.models import Web
from apps.webs.pages.indexing import write_index

FILLER = "the and of to in is that it was for on are as with they at be this have from " * 4
PAGES = [
    ("http://wings.test/owl.html", "Barn owl", "nests in barns and hunts at night", ["Birds"]),
    ("http://wings.test/auk.html", "Great auk", "bred on rocky islands", ["Birds", "Extinct"]),
    ("http://fields.test/oak/", "Oak", "a tree whose acorns feed nesting jays", ["Plants"]),
    ("http://fields.test/fern/", "Fern", "grows in the shade " + "of old trees " * 60, ["Plants"]),
    ("http://fields.test/map/", "", "", []),
]


@pytest.fixture
def make_web(db: None, data_dir: Path) -> Callable[..., Web]:
    """Makes a web of (url, title, text, labels) rows, indexed."""

    def make(rows: list[tuple[str, str, str, list[str]]] = PAGES, name: str = "nature") -> Web:
        file = data_dir / f"{name}.jsonl"
        file.write_text(
            "\n".join(
                json.dumps(
                    {
                        "url": url,
                        "topics": labels,
                        "html": f"<title>{title}</title><p>{text} {FILLER if text else ''}",
                    }
                )
                for url, title, text, labels in rows
            )
        )
        web = import_web(name, file)[0]
        assert write_index(web)
        return web

    return make


@pytest.fixture
def web(make_web: Callable[..., Web]) -> Web:
    return make_web()
