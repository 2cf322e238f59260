"""Which code runs here, so that machines with different code refuse to work together."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from django.conf import settings

CODE = ("apps", "crawlsite")


@cache
def code_version() -> str:
    """Ten digits that differ where the release or any of its Python files does."""
    digest = sha256(settings.VERSION.encode())
    for folder in CODE:
        for file in sorted((settings.BASE_DIR / folder).rglob("*.py")):
            digest.update(file.relative_to(settings.BASE_DIR).as_posix().encode() + b"\0")
            digest.update(file.read_bytes())
    return digest.hexdigest()[:10]
