"""The process that reads pages."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from apps.engine.answers import Answer
from apps.engine.parsing import processes
from apps.engine.parsing.processes import receive, send, serve
from apps.main_text import reader as reading
from apps.main_text import reader_process
from apps.main_text.article import Article
from apps.main_text.reader import Reader

URL = "https://a.example/"


def answer(text: str) -> Answer:
    return Answer(URL, URL, 200, (("Content-Type", "text/plain"),), text.encode())


@pytest.fixture
def reader():
    reader = Reader()
    yield reader
    reader.close()


def test_it_reads_one_page_after_the_other_and_starts_again(reader) -> None:
    assert reader.read(answer("One")).text == "One"
    assert reader.read(answer("2 " * 100_000)).text.startswith("2 2")
    reader.close()
    assert reader.read(answer("Three")).text == "Three"


def test_a_page_that_takes_too_long_is_not_read(reader) -> None:
    reader.deadline = 0.0
    assert reader.read(answer("One")) is None
    reader.deadline = 60.0
    assert reader.read(answer("Two")).text == "Two"


def test_a_process_that_could_not_work_yet_is_waited_for(reader, monkeypatch) -> None:
    monkeypatch.setattr(reading, "processor_seconds", lambda _: 0.0)
    monkeypatch.setattr(processes, "PATIENCE", 10**6)
    reader.deadline = 0.01
    assert reader.read(answer("One")).text == "One"


def test_a_page_at_which_a_library_fails_is_not_read(monkeypatch) -> None:
    def fail(_: Answer) -> Article:
        raise RuntimeError("a fault")

    monkeypatch.setitem(reader_process.READS, "article", fail)
    read, write = os.pipe()
    with os.fdopen(write, "wb") as requests:
        send(requests, ("article", answer("One")))
    replies = io.BytesIO()
    with os.fdopen(read, "rb") as requests:
        serve(requests, replies, reader_process.read)
    replies.seek(0)
    assert receive(replies) is None


def test_it_ends_when_it_has_nothing_to_do() -> None:
    read, write = os.pipe()
    with os.fdopen(read, "rb") as requests:
        serve(requests, io.BytesIO(), reader_process.read, idle=0.01)
    os.close(write)


def test_nothing_that_is_imported_for_it_loads_the_libraries() -> None:
    code = (
        "import sys, apps.main_text.reader, apps.main_text.reading, apps.main_text.fast;"
        "print({'trafilatura', 'htmldate', 'py3langid', 'resiliparse'} & {*sys.modules})"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout == "set()\n"
