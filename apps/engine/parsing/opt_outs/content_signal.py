"""Content-Signal (`search=yes, ai-train=no`) as a header."""

from __future__ import annotations

from collections.abc import Iterator

from apps.engine.parsing.opt_outs.form import OptOutForm, PageHead, SignParts


def _read(head: PageHead) -> Iterator[SignParts]:
    for value in head.header_values("content-signal"):
        yield "header", f"Content-Signal: {value}", refuses(value, "no")


def refuses(value: str, word: str) -> bool:
    """Whether one of the uses in `use=word, use=word` has this word."""
    parts = (part.partition("=") for part in value.lower().split(","))
    return any(said.partition(";")[0].strip() == word for _, _, said in parts)


CONTENT_SIGNAL = OptOutForm(
    "content_signal", "Content-Signal", "search, ai-input and ai-train, as a header", _read
)
