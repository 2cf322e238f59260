"""Texts of an uploaded file: what is read, and what is refused in which words."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.backgrounds.files import texts_of
from apps.backgrounds.models import Background
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.schemas.refused import Refused
from tests.background import work_on
from tests.topic_fixtures import MADE


def uploaded(owner, name: str, data: bytes) -> Background:
    file = SimpleUploadedFile(name, data)
    made = services.make_background(owner, BackgroundSent(source="corpus"), file)
    work_on(made.newest)
    return made


def read(made: Background) -> list[list[str]]:
    return [sorted(text) for text in texts_of(made.ready).texts()]


LINES = [
    {"text": "Rye bread", "title": "Loaf", "url": "http://a.test/"},
    {"html": "<title>No</title><p>Wheat <b>flour</b>", "other": 1},
]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_json_lines_have_a_text_or_a_page_each(owner, data_dir, pack) -> None:
    text = "\n\n".join(map(json.dumps, LINES)).encode()
    made = uploaded(owner, "corpus.jsonl", pack(text))
    assert read(made) == [["bread", "loaf", "rye"], ["flour", "no", "wheat"]]
    assert made.name == "corpus.jsonl" and made.ready.made_of == "2 texts of corpus.jsonl"
    assert texts_of(made.ready).urls[0] == ("http://a.test/",)


def test_other_text_is_a_text_a_line(owner, data_dir) -> None:
    made = uploaded(owner, "texts.txt", "Rye bread\n\nŻytni chleb\n".encode())
    assert read(made) == [["bread", "rye"], ["chleb", "żytni"]]


def test_an_archive_has_its_pages(owner, data_dir, tmp_path: Path) -> None:
    writer = PageStoreWriter(tmp_path / "pages.warc.gz")
    for number in range(3):
        writer.append(MADE.get(MADE.url(number)))
    writer.close()
    made = uploaded(owner, "pages.warc.gz", (tmp_path / "pages.warc.gz").read_bytes())
    assert made.ready.texts == 3
    assert texts_of(made.ready).urls[0] == (MADE.url(0),)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"text": "rye"}\n{"text": "oat"}\n{"url": "http://a.test/"}', "Line 3 has no text"),
        (b'{"text": "rye"}\n{"text": 7}', "Line 2 is not an object with a text"),
        (
            b'{"text": "rye"}\nrye',
            "Line 2 cannot be read: it is not JSON, which begins with { or [",
        ),
        (b"rye\n\xff\xfe", "Line 2 cannot be read: it is not UTF-8"),
        (b"rye\n", "Its source has 1 text with words; a background needs 2 or more."),
        (b"rye\nrye\nrye\n", "Its source has 1 text"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(owner, data_dir, data: bytes, words: str) -> None:
    made = uploaded(owner, "corpus", data)
    assert words in made.newest.job_problem and made.ready is None


def test_another_file_makes_another_version(owner, data_dir) -> None:
    made = uploaded(owner, "old.txt", b"rye bread\noat bread")
    again = services.build_again(made, SimpleUploadedFile("new.txt", b"stars\nmoons\nsuns"))
    work_on(again)
    assert made.ready.number == 2 and made.ready.texts == 3
    assert made.ready.made_of == "3 texts of new.txt"


def test_no_file_and_an_empty_one_are_refused(owner, data_dir) -> None:
    for file in (None, SimpleUploadedFile("empty", b"")):
        with pytest.raises(Refused) as refused:
            services.make_background(owner, BackgroundSent(source="corpus"), file)
        assert refused.value.field == "file"
    assert not Background.objects.exists()


def test_a_name_of_a_file_outside_is_no_way_out(owner, data_dir) -> None:
    options = {"file": "../../secret_key"}
    with pytest.raises(Refused, match="Choose a file"):
        services.make_background(owner, BackgroundSent(source="corpus", options=options))
    made = services.make_background(
        owner, BackgroundSent(source="corpus", options=options), SimpleUploadedFile("a", b"x y\nz")
    )
    assert made.options == {"file": "a"}
