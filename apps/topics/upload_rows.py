"""How uploads stand, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.topics.models import Upload

WHY_LEFT_OUT = {
    "not_http": "no web address: it must begin with http:// or https://",
    "too_long": "longer than 2,000 characters",
    "twice": "listed twice in one category",
    "duplicate": "an address that came before",
    "redirect_not_http": "a redirect from or to what is no web address",
    "redirect_not_needed": "a redirect from a page that is there, or to itself",
    "not_text": "no text",
    "empty": "an empty page",
    "encoding": "packed in a way that is not known",
    "revisit": "a revisit without its page",
}


@dataclass(frozen=True, slots=True)
class UploadRow:
    """An upload as its row shows it: glyph, tone and what there is to say."""

    upload: Upload
    icon: str
    tone: str
    words: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of a file was left out for one reason, with the first places."""

    number: int
    why: str
    first: tuple[tuple[int, str], ...]


def upload_rows(uploads: Iterable[Upload]) -> list[UploadRow]:
    """Uploads that are under way or came to nothing."""
    return [_row(upload) for upload in uploads]


def _row(upload: Upload) -> UploadRow:
    if upload.state == Upload.State.BAD:
        return UploadRow(upload, "cross", "bad", f"Not taken. {upload.problem}")
    if upload.state == Upload.State.WAITING:
        return UploadRow(upload, "clock", "quiet", "Waiting for a worker.")
    return UploadRow(upload, "play", "quiet", f"Being read: {upload.share_read:.0%}.")


def left_out_rows(upload: Upload) -> list[LeftOut]:
    """What of a file that was read is not in what was made of it, by reason."""
    skipped, first = upload.report.get("skipped", {}), upload.report.get("first", ())
    return [
        LeftOut(number, why_left_out(reason),
                tuple((line, text) for line, why, text in first if why == reason)[:10])
        for reason, number in skipped.items()
    ]


def why_left_out(reason: str) -> str:
    """A reason as words; HTTP answers say their number."""
    if reason.startswith("http_"):
        return f"answered with HTTP {reason.removeprefix('http_')}"
    return WHY_LEFT_OUT.get(reason, reason)
