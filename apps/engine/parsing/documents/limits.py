"""The limits of reading documents, and the errors of those that cannot be read."""

from __future__ import annotations

from apps.engine.codes import Failure

MOST_PAGES = 1_000
MOST_CHARACTERS = 2_000_000
MOST_LINKS = 10_000
CPU_SECONDS = 15
"""The limits of a document; at one of them its process stops and returns the text so far."""
DEADLINE_SECONDS = 25.0
"""After so long the process is killed."""
MEMORY_BYTES = 2**30


class DocumentFailed(Exception):
    """A document that cannot be read; `failure` says why."""

    def __init__(self, failure: Failure, detail: str = "") -> None:
        super().__init__(detail or failure)
        self.failure = failure
        self.detail = detail

    def __reduce__(self) -> tuple[type[DocumentFailed], tuple[Failure, str]]:
        return DocumentFailed, (self.failure, self.detail)
