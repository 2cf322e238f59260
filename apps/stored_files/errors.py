"""The errors of a store."""

from __future__ import annotations

from apps.engine.errors import BadWebFile


class StoreDown(BadWebFile, OSError):
    """The store does not answer, or refuses; `detail` names which and why.

    Shown wherever a file cannot be read or written.
    """

    code = "store_down"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.strerror = detail


def in_a_line(error: Exception) -> str:
    """The message of another library's error, as part of a sentence."""
    return " ".join(str(error).split()).rstrip(".")
