"""The version of prepared webs: it changes with the code and the libraries that parse pages."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

from lxml import etree

LIBRARIES = ("lxml", "webencodings", "charset-normalizer", "ada-url", "w3lib", "numpy")
SOURCES = (
    "parsing",
    "replays",
    "urls.py",
    "url_spelling.py",
    "answers.py",
    "model.py",
    "frontier/page_text.py",
    "frontier/sections.py",
    "networking/content.py",
    "networking/politeness.py",
    "networking/redirects.py",
)


@cache
def code_version() -> str:
    """A digest of everything but the web itself on which the columns depend."""
    digest = hashlib.sha256()
    for path in _files():
        digest.update(path.read_bytes())
    libraries = [(name, version(name)) for name in LIBRARIES]
    digest.update(repr((libraries, etree.LIBXML_VERSION, sys.version_info[:2])).encode())
    return digest.hexdigest()


def _files() -> Iterator[Path]:
    engine = Path(__file__).parents[1]
    for name in SOURCES:
        path = engine / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else (path,)
