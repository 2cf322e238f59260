"""The addresses of watched pages: their keys, and the start pages of their sites."""

from __future__ import annotations

from hashlib import blake2b
from urllib.parse import urlsplit

KEY_BYTES = 16


def key_of(url: str) -> str:
    """The digest of a URL, for database indexes, which take no long texts."""
    return blake2b(url.encode("utf-8", "replace"), digest_size=KEY_BYTES).hexdigest()


def text_digest(text: str) -> str:
    """The digest of a main text."""
    return key_of(text)


def start_page(url: str) -> str:
    """The start page of the site of a URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"


def is_start_page(url: str) -> bool:
    """Whether a URL is that of a start page."""
    parts = urlsplit(url)
    return parts.path in ("", "/", "/index.html", "/index.htm", "/index.php") and not parts.query
