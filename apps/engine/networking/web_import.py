"""Imports a web from JSON lines, WARC or WACZ files."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from apps.engine.errors import BadLine, BadURL, BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.networking.content import MAX_BODY, is_text, is_text_type
from apps.engine.networking.redirects import REDIRECT_STATUSES
from apps.engine.networking.virtual_web_writer import VirtualWebWriter
from apps.engine.networking.web_files import lines, opened, records
from apps.engine.urls import join

Progress = Callable[[int, int, int], None]
"""Called with the bytes read, the total, and the pages so far."""

SHOWN = 100
MOST_REDIRECTS = 100 * 2**20
_REDIRECTS = TypeAdapter(dict[str, str])
_ENCODINGS = frozenset({"", "identity", "gzip", "x-gzip", "deflate"})


class PageLine(BaseModel):
    """One line of a web as JSON lines; other names on it are passed over."""

    model_config = ConfigDict(strict=True, frozen=True)

    url: str = Field(description="a text")
    html: str = Field(description="a text")
    topics: list[str] | None = Field(None, description="a list of texts")
    split: str | None = Field(None, description="a text")
    headers: dict[str, str] | None = Field(None, description="an object of texts")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A skipped line or record: its number from 1, the reason, and the URL or text."""

    line: int
    reason: str
    what: str


@dataclass(slots=True)
class SkippedLines:
    """What was skipped, counted by reason; `examples` are the first hundred."""

    skipped: Counter[str] = field(default_factory=Counter)
    examples: list[Skipped] = field(default_factory=list)

    def skip(self, line: int, reason: str, what: str) -> None:
        self.skipped[reason] += 1
        if len(self.examples) < SHOWN:
            self.examples.append(Skipped(line, reason, what[:200]))


@dataclass(slots=True)
class ImportSummary(SkippedLines):
    """The result of an import."""

    pages: int = 0
    redirects: int = 0
    hosts: int = 0


def import_json_lines(
    path: Path | str,
    directory: Path | str,
    redirects_path: Path | str | None = None,
    progress: Progress | None = None,
    leave_out_bad: bool = False,
) -> ImportSummary:
    """Imports lines `{"url", "html", "topics", "split"?, "headers"?}`, plain or gzipped.

    `redirects_path` is a file with one JSON object `{"from": "to"}`. URLs that are not http(s) and
    duplicates (the first stays) are skipped and counted, and with `leave_out_bad` also lines that
    are not pages. Otherwise raises BadLine for such a line, and BadWebFile for other errors;
    nothing is left on disk then.
    """
    path, summary = Path(path), ImportSummary()
    with VirtualWebWriter(directory) as writer:
        for line, text in lines(path, _with_pages(progress, summary)):
            try:
                _add_line(writer, summary, line, text)
            except BadLine as error:
                if not leave_out_bad:
                    raise
                summary.skip(line, "bad_line", error.detail)
        if redirects_path is not None:
            _add_redirects(writer, summary, Path(redirects_path))
        _require_pages(path, summary)
        summary.hosts = writer.hosts
    return summary


def import_warc(
    path: Path | str, directory: Path | str, progress: Progress | None = None
) -> ImportSummary:
    """Imports the responses of a WARC file (plain or gzipped) or a WACZ package.

    Text answers with status 2xx are pages, 3xx are redirects; all others are skipped and counted by
    status or type. Raises BadWebFile with the record's number if the file cannot be read.
    """
    path, summary = Path(path), ImportSummary()
    with VirtualWebWriter(directory) as writer:
        for number, record in records(path, _with_pages(progress, summary)):
            if record.rec_type == "response":
                _add_record(writer, summary, number, record)
            elif record.rec_type == "revisit":
                summary.skip(number, "revisit", _target(record))
        _require_pages(path, summary)
        summary.hosts = writer.hosts
    return summary


def _with_pages(
    progress: Progress | None, summary: ImportSummary
) -> Callable[[int, int], None] | None:
    return progress and (lambda read, of: progress(read, of, summary.pages))


def _require_pages(path: Path, summary: ImportSummary) -> None:
    if not summary.pages:
        reasons = ", ".join(f"{n} {reason}" for reason, n in summary.skipped.most_common(5))
        skipped = f" (skipped: {reasons})" if reasons else ""
        raise BadWebFile(f"{path.name} has no pages{skipped}")


def _add_line(writer: VirtualWebWriter, summary: ImportSummary, line: int, text: bytes) -> None:
    if not text.strip():
        return
    page = _page(line, text)
    try:
        added = writer.add(
            page.url, page.html, topics=page.topics or (), split=page.split,
            headers=page.headers or {},
        )
    except BadURL:
        summary.skip(line, "not_http", page.url)
        return
    if added:
        summary.pages += 1
    else:
        summary.skip(line, "duplicate", page.url)


def _page(line: int, text: bytes) -> PageLine:
    """The validated object of one line. Raises BadLine."""
    try:
        return PageLine.model_validate(json.loads(text))
    except ValidationError as error:
        raise BadLine(f"line {line:,} is not a page: {_fault(error)}", line=line) from None
    except (ValueError, RecursionError) as error:
        raise BadLine(f"line {line:,} is not a page: {fault_words(error)}", line=line) from None


def _fault(error: ValidationError) -> str:
    place = error.errors(include_url=False, include_context=False, include_input=False)[0]["loc"]
    if not place:
        return 'it is not an object {"url": …}'
    return f'"{place[0]}" must be {PageLine.model_fields[str(place[0])].description}'


def _add_redirects(writer: VirtualWebWriter, summary: ImportSummary, path: Path) -> None:
    try:
        with opened(path) as (stream, _):
            text = stream.read(MOST_REDIRECTS + 1)
        if len(text) > MOST_REDIRECTS:
            raise BadWebFile(f"{path.name} is larger than {MOST_REDIRECTS >> 20} MB")
        redirects = _REDIRECTS.validate_python(json.loads(text))
    except ValidationError:
        raise BadWebFile(f'{path.name} must be one JSON object {{"from": "to"}}') from None
    except (OSError, EOFError, ValueError, RecursionError, zlib.error) as error:
        raise BadWebFile(f"{path.name} cannot be read: {fault_words(error)}") from None
    for number, (source, target) in enumerate(redirects.items(), 1):
        try:
            added = writer.redirect(source, target)
        except BadURL:
            summary.skip(number, "redirect_not_http", source)
            continue
        if added:
            summary.redirects += 1
        else:
            summary.skip(number, "redirect_not_needed", source)


def _add_record(
    writer: VirtualWebWriter, summary: ImportSummary, number: int, record: Any
) -> None:
    url = _target(record)
    http = record.http_headers
    status = int(http.get_statuscode()) if http and http.get_statuscode().isdigit() else 0
    try:
        if status in REDIRECT_STATUSES:
            target = join(url, http.get_header("Location") or "")
            if target is None or not writer.redirect(url, target):
                summary.skip(number, "redirect_not_needed", url)
            else:
                summary.redirects += 1
            return
        reason = _add_response(writer, number, record, url, status)
    except BadURL:
        reason = "not_http"
    if reason:
        summary.skip(number, reason, url)
        return
    summary.pages += 1
    summary.redirects += sum(writer.redirect(asked, url) for asked in _asked(record))


def _asked(record: Any) -> Iterator[str]:
    """The requested URL and the redirects of a page that the page store wrote."""
    for name in ("Crawl-Asked", "Crawl-Hops"):
        yield from (record.rec_headers.get_header(name) or "").split()


def _add_response(
    writer: VirtualWebWriter, number: int, record: Any, url: str, status: int
) -> str | None:
    """Adds a response as a page, or returns the reason why it is not one."""
    if not 200 <= status < 300:
        return f"http_{status}"
    kind = record.http_headers.get_header("Content-Type")
    if is_text_type(kind) is False:
        return "not_text"
    if (record.http_headers.get_header("Content-Encoding") or "").lower() not in _ENCODINGS:
        return "encoding"
    body = record.content_stream().read(MAX_BODY)
    if len(body) < MAX_BODY and record.raw_stream.limit > 0:
        raise BadWebFile(f"record {number} breaks off before its end", line=number)
    if not body:
        return "empty"
    if not is_text(kind, body):
        return "not_text"
    added = writer.add(
        url, body, headers=tuple(record.http_headers.headers), fetched_at=_moment(record)
    )
    return None if added else "duplicate"


def _target(record: Any) -> str:
    """The URL of a record, without the angle brackets that some writers add."""
    return (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")


def _moment(record: Any) -> float:
    date = record.rec_headers.get_header("WARC-Date") or ""
    try:
        return datetime.fromisoformat(date).timestamp()
    except ValueError:
        return 0.0
