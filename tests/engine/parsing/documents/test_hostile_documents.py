"""Documents made to harm: each ends by a limit, and the process that reads it dies alone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.parsing.documents import archive, pdf
from apps.engine.parsing.documents.converters import MOST_KILLED, Converters
from apps.engine.parsing.documents.converting import convert
from apps.engine.parsing.documents.limits import DocumentFailed
from tests import made_documents as made

ADDRESS = "http://h.test/a.bin"
ENTITIES = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;</x>'


def answer(body: bytes) -> Answer:
    return Answer(ADDRESS, ADDRESS, 200, (("Content-Type", "application/pdf"),), body)


def failure(body: bytes) -> DocumentFailed:
    with pytest.raises(DocumentFailed) as failed:
        convert(body, ADDRESS)
    return failed.value


def test_a_zip_bomb_is_unpacked_no_further_than_the_limit():
    failed = failure(made.bomb(archive.MOST_OF_A_PART + 1_000))
    assert failed.failure == Failure.TOO_COMPLEX
    assert "unpacks to too many bytes" in failed.detail


def test_an_archive_of_many_parts_is_not_read():
    parts = {f"word/{i}": b"" for i in range(archive.MOST_ENTRIES + 1)}
    failed = failure(made.packed({"[Content_Types].xml": b"", **parts}))
    assert failed.failure == Failure.TOO_COMPLEX


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_an_entity_bomb_is_refused_before_it_is_parsed(encoding):
    body = made.packed({"[Content_Types].xml": "", "word/document.xml": ENTITIES.encode(encoding)})
    failed = failure(body)
    assert failed.failure == Failure.BROKEN_DOCUMENT
    assert "entities" in failed.detail


def test_an_external_entity_is_never_opened():
    text = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]><x>&a;</x>'
    body = made.packed({"[Content_Types].xml": "", "word/document.xml": text})
    assert "entities" in failure(body).detail


def test_xml_nested_without_end_is_refused():
    deep = "<w:sdt>" * 5_000 + made.paragraph("in") + "</w:sdt>" * 5_000
    assert failure(made.word(deep)).failure == Failure.BROKEN_DOCUMENT


def test_rich_text_nested_without_end_is_read():
    page = convert(b"{\\rtf1 " + b"{\\b " * 100_000 + b"deep" + b"}" * 100_000 + b"}", ADDRESS)
    assert b"<p>deep</p>" in page.html


def test_a_pdf_that_claims_a_billion_pages_ends():
    body = made.pdf([["only one"]], root="<< /Type /Pages /Kids [5 0 R] /Count 1000000000 >>")
    assert b"only one" in convert(body, ADDRESS).html


def test_a_page_tree_that_contains_itself_ends():
    body = made.pdf([["text"]], root="<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 100000 >>")
    try:
        convert(body, ADDRESS)
    except DocumentFailed as failed:
        assert failed.failure == Failure.BROKEN_DOCUMENT


def test_of_too_many_pages_the_first_are_read(monkeypatch):
    monkeypatch.setattr(pdf, "MOST_PAGES", 2)
    converted = convert(made.pdf([["one"], ["two"], ["three"]]), ADDRESS)
    assert converted.is_cut
    assert converted.pages == 3
    assert b"two" in converted.html
    assert b"three" not in converted.html


def test_markup_in_a_document_is_text():
    page = convert(made.pdf([["<script>alert(1)</script>"]], title="<b>x</b>"), ADDRESS)
    assert b"&lt;script&gt;" in page.html
    assert b"<script>" not in page.html


@pytest.fixture
async def converters() -> AsyncIterator[Converters]:
    converters = Converters(processes=1, deadline=600.0)
    yield converters
    await converters.close()


async def test_a_document_is_read_in_another_process(converters):
    read = await converters.read(answer(made.pdf([["Hello there"]])))
    assert read.failure is None
    assert read.document.words[-2:] == ["hello", "there"]
    assert read.body == b""
    assert read.packed.digest.startswith("sha1:")
    broken = await converters.read(answer(b"%PDF-1.4 and no more"))
    assert broken.failure == Failure.BROKEN_DOCUMENT
    assert len(converters.idle) == 1, "the process went on"


async def test_a_process_that_is_killed_costs_nothing(converters):
    await converters.read(answer(made.pdf([["one"]])))
    [child] = converters.idle
    os.kill(child.pid, signal.SIGSTOP)
    reading = asyncio.create_task(converters.read(answer(made.pdf([["two"]]))))
    while converters.idle:
        await asyncio.sleep(0)
    os.kill(child.pid, signal.SIGKILL)
    assert (await reading).document.words[-1] == "two"
    assert converters.idle[0].pid != child.pid


async def test_processes_that_somebody_kills_one_after_the_other_cost_nothing(
    converters, monkeypatch
):
    start, started = converters._start, []

    async def start_and_kill() -> asyncio.subprocess.Process:
        started.append(await start())
        if len(started) <= MOST_KILLED:
            started[-1].kill()
        return started[-1]

    monkeypatch.setattr(converters, "_start", start_and_kill)
    assert (await converters.read(answer(made.pdf([["one"]])))).document.words[-1] == "one"
    assert len(started) == MOST_KILLED + 1


async def test_a_document_that_kills_each_process_is_given_up(converters, monkeypatch):
    """It is read by a program that ends as soon as a document comes."""
    monkeypatch.setattr(converters, "_module", "this")
    assert (await converters.read(answer(made.pdf([["one"]])))).failure == Failure.TOO_COMPLEX
    monkeypatch.undo()
    assert (await converters.read(answer(made.pdf([["two"]])))).failure is None


async def test_a_document_that_takes_too_long_is_given_up(converters):
    await converters.read(answer(made.pdf([["one"]])))
    converters.deadline = 0.0
    assert (await converters.read(answer(made.pdf([["two"]])))).failure == Failure.TOO_COMPLEX


def test_the_process_may_have_a_gigabyte_and_no_more():
    taken = "bytearray(2**30)"
    module = "apps.engine.parsing.documents.process"
    code = f"from {module} import limit_memory; limit_memory(); {taken}"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert b"MemoryError" in ended.stderr
