"""Why a watch cannot be made or changed."""

from __future__ import annotations

from apps.schemas.refused import Refused


class WatchRefused(Refused):
    """A watch cannot be made or changed like this."""
