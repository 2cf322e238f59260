"""The static files are listed once for all test clients, each of which would list them anew."""

from __future__ import annotations

from typing import Any

from whitenoise.middleware import WhiteNoiseMiddleware

_FILES: dict[str, Any] = {}


def list_once() -> None:
    """Has every `WhiteNoiseMiddleware` take over what the first one found."""
    find = WhiteNoiseMiddleware.add_files_from_finders

    def take_over(self: WhiteNoiseMiddleware) -> None:
        if not _FILES:
            find(self)
            _FILES.update(self.files)
        self.files.update(_FILES)

    WhiteNoiseMiddleware.add_files_from_finders = take_over
