"""Content-Usage of the IETF's AI preferences (`train-ai=n`) as a header."""

from __future__ import annotations

from collections.abc import Iterator

from apps.engine.parsing.opt_outs.content_signal import refuses
from apps.engine.parsing.opt_outs.form import OptOutForm, PageHead, SignParts


def _read(head: PageHead) -> Iterator[SignParts]:
    for value in head.header_values("content-usage"):
        yield "header", f"Content-Usage: {value}", refuses(value, "n")


CONTENT_USAGE = OptOutForm(
    "content_usage", "Content-Usage", "preferences of the IETF’s AIPREF, as a header", _read
)
