"""The address of the static files, which changes with them: browsers keep them for good.

The digest stands in the path instead of in each name: scripts import one another and styles name
fonts without rewriting, and nothing is built.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import django

CHARACTERS = 12


def static_address(folder: Path) -> str:
    """`/static/3f9c…/`: a digest of all files of the folder, and of Django, which brings those of
    its admin site."""
    digest = hashlib.blake2b(django.__version__.encode())
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(str(file.relative_to(folder)).encode())
        digest.update(file.read_bytes())
    return f"/static/{digest.hexdigest()[:CHARACTERS]}/"
