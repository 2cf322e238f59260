"""Pages in other files than archives: HTML files by their paths, and one JSON document."""

from __future__ import annotations

import base64
import binascii
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from apps.engine.answers import Headers
from apps.engine.errors import BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.networking.content import MAX_BODY
from apps.engine.networking.redirects import REDIRECT_STATUSES
from apps.engine.networking.web_import.archive_files import MOST_ENTRIES, entries
from apps.engine.networking.web_import.kinds import HTML
from apps.engine.networking.web_import.moments import unix_seconds
from apps.engine.networking.web_import.opening import opened

LARGEST_DOCUMENT = 512 * 2**20
NO_HOST = "files.invalid"
"""The host of files whose path names none; the name can never exist."""


@dataclass(frozen=True, slots=True)
class FilePage:
    """A page of a file: other addresses that lead to it, and its bytes."""

    url: str
    body: bytes
    also: tuple[str, ...] = ()


def html_pages(path: Path) -> Iterator[FilePage]:
    """The HTML files of a folder or zip. The first part of a path is the host if it looks like one;
    `/page.html` is reached as `/page` too, `/index.html` as `/`. Raises BadWebFile."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if _is_html(file.name) and file.is_file())
        if len(files) > MOST_ENTRIES:
            raise BadWebFile(f"{path.name} has more than {MOST_ENTRIES:,} files: split it")
        for file in files:
            with file.open("rb") as stream:
                yield _page(file.relative_to(path).as_posix(), stream.read(MAX_BODY))
        return
    with zipfile.ZipFile(path) as package:
        for entry in entries(package):
            if _is_html(entry.filename):
                with package.open(entry) as packed:
                    yield _page(entry.filename, packed.read(MAX_BODY))


def _is_html(name: str) -> bool:
    return name.lower().endswith(HTML) and not PurePosixPath(name).name.startswith("._")


def _page(name: str, body: bytes) -> FilePage:
    parts = [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in "/.."]
    has_host = len(parts) > 1 and "." in parts[0]
    host, rest = (parts[0].lower(), parts[1:]) if has_host else (NO_HOST, parts)
    url = f"https://{host}/{quote('/'.join(rest))}"
    stem = url.rpartition(".")[0]
    folder = (stem.removesuffix("index"),) if stem.endswith("/index") else ()
    return FilePage(url, body, (stem, *folder))


def json_document(path: Path) -> Any:
    """The value of a file with one JSON document, gzipped or not. Raises BadWebFile."""
    try:
        with opened(path) as (stream, _):
            text = stream.read(LARGEST_DOCUMENT + 1)
        if len(text) > LARGEST_DOCUMENT:
            size = LARGEST_DOCUMENT >> 20
            raise BadWebFile(f"{path.name} is larger than {size} MB: write one page a line instead")
        return json.loads(text)
    except (OSError, EOFError, ValueError, RecursionError) as error:
        raise BadWebFile(f"{path.name} cannot be read: {fault_words(error)}") from None


@dataclass(frozen=True, slots=True)
class HarAnswer:
    """An answer in a HAR file; `target` is set for a redirect."""

    url: str
    status: int
    headers: Headers
    body: bytes
    fetched_at: float
    target: str = ""


def har_answers(document: Any) -> Iterator[HarAnswer]:
    """The answers to GET requests in a HAR file, in its order; entries without one are passed
    over."""
    for entry in document.get("log", {}).get("entries") or ():
        try:
            if entry["request"].get("method", "GET") == "GET":
                yield _har_answer(entry["request"]["url"], entry["response"], entry)
        except (KeyError, TypeError, AttributeError, binascii.Error):
            continue


def _har_answer(url: str, response: Any, entry: Any) -> HarAnswer:
    content = response.get("content") or {}
    text, status = content.get("text") or "", int(response["status"])
    is_packed = content.get("encoding") == "base64"
    body = base64.b64decode(text) if is_packed else text.encode("utf-8", "replace")
    kind = str(content.get("mimeType") or "text/html")
    if not is_packed:
        kind = f"{kind.partition(';')[0]}; charset=utf-8"
    return HarAnswer(
        url=str(url),
        status=status,
        headers=(("Content-Type", kind),),
        body=body[:MAX_BODY],
        fetched_at=unix_seconds(str(entry.get("startedDateTime") or "")),
        target=str(response.get("redirectURL") or "") if status in REDIRECT_STATUSES else "",
    )
