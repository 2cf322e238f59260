"""A file of texts that somebody uploads."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from pydantic import BaseModel, ConfigDict, ValidationError

from apps.background_sources.sources.source import (
    LARGEST,
    BackgroundSource,
    Progress,
    Text,
    upload_folder,
)
from apps.backgrounds.models import Background
from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.file_faults import fault_words
from apps.engine.networking.web_import.files import lines
from apps.engine.networking.web_import.importing import import_warc
from apps.engine.networking.web_import.opening import opened
from apps.engine.networking.webs import virtual_web
from apps.engine.networking.webs.virtual_web import VirtualWeb
from apps.engine.parsing.document import parse
from apps.engine.parsing.documents.document_reader import DocumentReader
from apps.engine.parsing.words import words
from apps.figures.quantities import number_of
from apps.schemas.input import Input, Storable
from apps.schemas.refused import Refused
from apps.stored_files.files import local

HTML = (("Content-Type", "text/html; charset=utf-8"),)
MEND = "Correct the file, then upload it again; nothing of it was kept"


class CorpusOptions(Input):
    """`file` is the name of the uploaded file."""

    file: Storable = ""


class _Line(BaseModel):
    """One line of JSON; other names on it are passed over."""

    model_config = ConfigDict(strict=True, frozen=True)

    url: str = ""
    title: str = ""
    text: str | None = None
    html: str | None = None


def _check(owner: User, options: CorpusOptions) -> None:
    if not options.file:
        raise Refused("file", "Choose a file.")


def _gather(background: Background, options: CorpusOptions, progress: Progress) -> Iterator[Text]:
    # Another file may have been uploaded under the same name.
    path = local(upload_folder(background) / options.file, anew=True)
    if not path.is_file():
        raise BadWebFile("its file is not here any more: upload it again")
    read = _archived if _is_archive(path) else _lined
    for done, text in enumerate(read(path), 1):
        if done > LARGEST:
            raise BadWebFile(f"the file has more than {LARGEST:,} texts: upload a sample of them")
        yield text
        progress(done, done)


def _is_archive(path: Path) -> bool:
    if zipfile.is_zipfile(path):
        return True
    with opened(path) as (stream, _):
        return stream.read(5) == b"WARC/"


def _archived(path: Path) -> Iterator[Text]:
    """The pages of a WARC or WACZ file, read as an upload of a web is."""
    with tempfile.TemporaryDirectory(dir=settings.DATA_DIR) as folder:
        with DocumentReader() as convert:
            import_warc(path, Path(folder) / "web", convert=convert)
        web = VirtualWeb(Path(folder) / "web")
        for url in web.urls():
            page = parse(virtual_web.read(web, url))
            yield Text(page.words[: page.visible], (url,))
        web.close()


def _lined(path: Path) -> Iterator[Text]:
    """Lines of JSON if the first one begins with a brace, else a text a line."""
    as_json: bool | None = None
    for number, line in lines(path, None):
        if not line.strip():
            continue
        if as_json is None:
            as_json = line.lstrip(b"\xef\xbb\xbf \t").startswith(b"{")
        yield _of_json(number, line) if as_json else _of_text(number, line)


def _of_json(number: int, line: bytes) -> Text:
    try:
        entry = _Line.model_validate(json.loads(line))
    except ValidationError:
        raise BadWebFile(
            f"line {number:,} is not an object with a text: url, title, text and html"
            f" are texts. {MEND}",
            line=number,
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadWebFile(
            f"line {number:,} cannot be read: {fault_words(error)}. {MEND}", line=number
        ) from None
    if entry.html is not None:
        page = parse(Answer(entry.url, entry.url, 200, HTML, entry.html.encode("utf-8", "replace")))
        return Text(page.words[: page.visible], (entry.url,))
    if entry.text is None:
        raise BadWebFile(f"line {number:,} has no text: neither text nor html. {MEND}", line=number)
    return Text(words(f"{entry.title} {entry.text}"), (entry.url,))


def _of_text(number: int, line: bytes) -> Text:
    try:
        return Text(words(line.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise BadWebFile(
            f"line {number:,} cannot be read: {fault_words(error)}. {MEND}", line=number
        ) from None


UPLOADED_CORPUS = BackgroundSource(
    id="corpus",
    title="Uploaded corpus",
    sentence="Texts of a file.",
    options=CorpusOptions,
    check=_check,
    gather=_gather,
    made_of=lambda background, options, texts: f"{number_of(texts, 'text')} of {options.file}",
    name=lambda owner, options: options.file or "Uploaded corpus",
    takes_file=True,
    accepts='JSON lines {"text": …} or {"html": …}, with "url" and "title" if you have them; a'
    " text a line; WARC or WACZ. Plain or gzipped, UTF-8, up to 50,000 texts.",
)
