"""Imports a web from JSON, web archives or HTML files."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from apps.engine.errors import BadLine, BadURL, BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.networking.content import is_text
from apps.engine.networking.redirects import REDIRECT_STATUSES
from apps.engine.networking.web_import.archive_records import (
    PLAIN,
    Convert,
    add_page,
    redirect_of,
    status_of,
    target,
)
from apps.engine.networking.web_import.documents import (
    HarAnswer,
    har_answers,
    html_pages,
    json_document,
)
from apps.engine.networking.web_import.files import lines, records
from apps.engine.networking.web_import.lines import PageLine, page_line, page_of
from apps.engine.networking.web_import.opening import opened
from apps.engine.networking.webs.writer import VirtualWebWriter
from apps.engine.urls import join

Progress = Callable[[int, int, int], object]
"""Called with the bytes read, the total, and the pages so far."""

SHOWN = 100
MOST_REDIRECTS = 100 * 2**20
_REDIRECTS = TypeAdapter(dict[str, str])


@dataclass(frozen=True, slots=True)
class Skipped:
    """A skipped line or record: its number from 1, the reason, and the URL or text."""

    line: int
    reason: str
    what: str


@dataclass(slots=True)
class SkippedLines:
    """Skipped lines, counted by reason; `examples` are the first hundred."""

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
    paths: Path | str | Sequence[Path],
    directory: Path | str,
    progress: Progress | None = None,
    leave_out_bad: bool = False,
    convert: Convert | None = None,
) -> ImportSummary:
    """Imports the records of web archives as one web: WARC and ARC, plain or packed, WACZ and zips.

    Text answers with status 2xx, files (`resource`) and texts (`conversion`) are pages, answers
    with 3xx and revisits of another address are redirects; with `convert` documents are pages too,
    by the text that it reads in them. All others are skipped and counted by status or type. Raises
    BadLine with the record's number if a file breaks off, unless `leave_out_bad`, which takes what
    was before; BadWebFile if a file cannot be read.
    """
    files, summary = [Path(paths)] if isinstance(paths, Path | str) else [*paths], ImportSummary()
    with VirtualWebWriter(directory) as writer:
        for path in files:
            try:
                for number, record in records(path, _with_pages(progress, summary)):
                    _add_record(writer, summary, number, record, convert)
            except BadLine as error:
                if not leave_out_bad:
                    raise
                summary.skip(int(str(error.details["line"])), "broken_off", error.detail)
        _require_pages(files[0], summary)
        summary.hosts = writer.hosts
    return summary


def import_html_files(path: Path, directory: Path | str) -> ImportSummary:
    """Imports the HTML files of a folder or zip (`documents.html_pages`). Raises BadWebFile."""
    summary = ImportSummary()
    with VirtualWebWriter(directory) as writer:
        others: list[tuple[str, str]] = []
        for number, page in enumerate(html_pages(path), 1):
            headers = (("Content-Type", "text/html"),)
            _count(summary, number, page.url, writer.add(page.url, page.body, headers=headers))
            others += [(other, page.url) for other in page.also]
        summary.redirects = sum(writer.redirect(*pair) for pair in others)
        _require_pages(path, summary)
        summary.hosts = writer.hosts
    return summary


def import_json_document(
    path: Path, directory: Path | str, leave_out_bad: bool = False
) -> ImportSummary:
    """Imports a JSON array of pages as `lines` reads them, or a HAR file. Raises BadWebFile."""
    document, summary = json_document(path), ImportSummary()
    with VirtualWebWriter(directory) as writer:
        if isinstance(document, dict):
            for number, answer in enumerate(har_answers(document), 1):
                _add_har_answer(writer, summary, number, answer)
        else:
            for number, value in enumerate(document, 1):
                try:
                    _add_page_line(writer, summary, number, page_of(number, value))
                except BadLine as error:
                    if not leave_out_bad:
                        raise
                    summary.skip(number, "bad_line", error.detail)
        _require_pages(path, summary)
        summary.hosts = writer.hosts
    return summary


def _with_pages(
    progress: Progress | None, summary: ImportSummary
) -> Callable[[int, int], object] | None:
    return progress and (lambda read, of: progress(read, of, summary.pages))


def _require_pages(path: Path, summary: ImportSummary) -> None:
    if not summary.pages:
        reasons = ", ".join(f"{n} {reason}" for reason, n in summary.skipped.most_common(5))
        skipped = f" (skipped: {reasons})" if reasons else ""
        raise BadWebFile(f"{path.name} has no pages{skipped}")


def _add_line(writer: VirtualWebWriter, summary: ImportSummary, line: int, text: bytes) -> None:
    if not text.strip():
        return
    _add_page_line(writer, summary, line, page_line(line, text))


def _add_page_line(
    writer: VirtualWebWriter, summary: ImportSummary, line: int, page: PageLine
) -> None:
    try:
        added = writer.add(
            page.url,
            page.html,
            topics=page.topics or (),
            split=page.split,
            headers=page.headers or {},
            fetched_at=page.fetched_at,
        )
    except BadURL:
        summary.skip(line, "not_http", page.url)
        return
    _count(summary, line, page.url, added)
    if added and page.asked:
        with suppress(BadURL):
            summary.redirects += writer.redirect(page.asked, page.url)


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
    for number, (source, other) in enumerate(redirects.items(), 1):
        try:
            added = writer.redirect(source, other)
        except BadURL:
            summary.skip(number, "redirect_not_http", source)
            continue
        if added:
            summary.redirects += 1
        else:
            summary.skip(number, "redirect_not_needed", source)


def _count(summary: ImportSummary, number: int, url: str, added: bool) -> None:
    if added:
        summary.pages += 1
    else:
        summary.skip(number, "duplicate", url)


def _add_har_answer(
    writer: VirtualWebWriter, summary: ImportSummary, number: int, answer: HarAnswer
) -> None:
    try:
        if answer.target:
            summary.redirects += writer.redirect(answer.url, join(answer.url, answer.target) or "")
        elif not 200 <= answer.status < 300:
            summary.skip(number, f"http_{answer.status}", answer.url)
        elif is_text(answer.headers[0][1], answer.body) and answer.body:
            added = writer.add(
                answer.url, answer.body, headers=answer.headers, fetched_at=answer.fetched_at
            )
            _count(summary, number, answer.url, added)
        else:
            summary.skip(number, "not_text", answer.url)
    except BadURL:
        summary.skip(number, "not_http", answer.url)


def _add_record(
    writer: VirtualWebWriter,
    summary: ImportSummary,
    number: int,
    record: Any,
    convert: Convert | None,
) -> None:
    if record.rec_type not in ("response", "revisit", *PLAIN):
        return
    url, is_revisit = target(record), record.rec_type == "revisit"
    try:
        if is_revisit or status_of(record) in REDIRECT_STATUSES:
            other = redirect_of(record)
            if is_revisit and other == url and _is_not_modified(record):
                return  # the page was as it had been read
            if other is None or not writer.redirect(url, other):
                summary.skip(number, "revisit" if is_revisit else "redirect_not_needed", url)
            else:
                summary.redirects += 1
            return
        reason = add_page(writer, number, record, convert)
    except BadURL:
        reason = "not_http"
    if reason == "duplicate" and record.rec_headers.get_header("Crawl-Kind"):
        return  # the text of the document before it, which was read
    if reason:
        summary.skip(number, reason, url)
        return
    summary.pages += 1
    summary.redirects += sum(writer.redirect(source, url) for source in _requested_urls(record))


def _is_not_modified(record: Any) -> bool:
    """Whether a revisit record says that its server answered that the page had not changed."""
    profile: str = record.rec_headers.get_header("WARC-Profile") or ""
    return profile.endswith("/server-not-modified")


def _requested_urls(record: Any) -> Iterator[str]:
    """The requested URL and the redirects of a page that the page store wrote."""
    for name in ("Crawl-Asked", "Crawl-Hops"):
        yield from (record.rec_headers.get_header(name) or "").split()
