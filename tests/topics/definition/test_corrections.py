"""One correction for each line that is not taken."""

from __future__ import annotations

import pytest

from apps.topics.definition.corrections import Correction, correction
from apps.topics.definition.lines import read_urls

REMOVE = Correction("Remove the line", None)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            "www,seagrass-trust.example",
            Correction("Use a dot", "https://www.seagrass-trust.example"),
        ),
        ("http//a.example/x", Correction("Correct https://", "http://a.example/x")),
        ("https://http://a.test/", Correction("Write https:// once", "http://a.test/")),
        ("hxxp://a[.]test/", Correction("Write it plainly", "http://a.test/")),
        ("tbd", REMOVE),
        ("<b>nonsense</b>", REMOVE),
        ("http://127.0.0.1/", REMOVE),
    ],
)
def test_a_line_that_is_not_taken_has_one_correction(line: str, wanted: Correction) -> None:
    (error,) = read_urls(line).errors
    assert correction(error) == wanted
    assert wanted.text is None or not read_urls(wanted.text).errors
