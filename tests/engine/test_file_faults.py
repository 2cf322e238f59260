"""What is wrong with a file is said in people's words, with the place."""

from __future__ import annotations

import gzip
import json
import zipfile
import zlib

import pytest

from apps.engine.file_faults import AROUND, fault_words

LINE = '{"url": "http://a.test/", "html": "<p>Rye bread is baked from rye flour and sourdough"'


def fault(text: str | bytes) -> str:
    with pytest.raises((ValueError, RecursionError)) as caught:
        json.loads(text)
    return fault_words(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINE + ' "topics": []}', "a comma is missing near “"),
        (LINE + ", topics: []}", "a name in double quotes is missing near “"),
        (LINE + ', "topics" []}', "a colon is missing near “"),
        (LINE + ', "topics": }', "a value is missing near “"),
        (LINE[:-1] + "}", "the closing quotation mark of a text is missing near “"),
        ('{"html": "a\tb"}', "there is a line break or tab inside a text"),
        ('{"html": "\\d"}', "there is a single backslash (write two)"),
        ('{"html": "\\u12"}', "four hexadecimal digits are missing"),
        ("{} {}", "more follows after the closing bracket near “{} {}”"),
        ("url,html", "it is not JSON, which begins with { or [ near “url,html”"),
        ("", "it is not JSON, which begins with { or [ (it is empty)"),
        (b'{"html": "caf\xe9 by the sea"}', "it is not UTF-8 text near “"),
        ("[" * 90_000, "its brackets are nested too deeply"),
        ('{"n": ' + "9" * 5_000 + "}", "a number has more digits than can be read"),
    ],
)
def test_a_fault_of_json_is_reported_in_words(text: str | bytes, message: str) -> None:
    assert fault(text).startswith(message)
    assert not any(word in fault(text) for word in ("Expecting", "codec", "char ", "delimiter"))


def test_the_place_is_shown_with_forty_characters_around_it() -> None:
    shown = fault(LINE + ' "topics": []}').partition("“")[2].strip("”…")
    assert len(shown) <= AROUND == 40
    assert 'sourdough" "topics' in shown
    assert "caf\ufffd by" in fault(b'{"html": "caf\xe9 by the sea"}')


@pytest.mark.parametrize(
    "error",
    [
        EOFError("Compressed file ended"),
        zlib.error("Error -3"),
        gzip.BadGzipFile("CRC"),
        zipfile.BadZipFile("File is not a zip file"),
    ],
)
def test_a_damaged_package_is_called_so(error: Exception) -> None:
    assert fault_words(error) in ("the packed file is damaged or breaks off", "it is damaged")


def test_errors_of_the_disk_keep_their_words_and_all_else_is_damage() -> None:
    assert fault_words(OSError(28, "No space left on device")) == "no space left on device"
    assert fault_words(AttributeError("NoneType")) == "it is damaged"
