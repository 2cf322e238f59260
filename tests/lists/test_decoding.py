"""The encodings of lists."""

from __future__ import annotations

import pytest

from apps.lists.decoding import ENCODINGS, decode
from apps.lists.limits import BadList


@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [
        ("Träger", "utf-8", "utf-8"),
        ("Träger", "utf-8-sig", "utf-8"),
        ("Träger and more", "utf-16", "utf-16-le"),
        ("Träger and more", "utf-16-le", "utf-16-le"),
        ("Träger and more", "utf-16-be", "utf-16-be"),
        ("Träger and more", "cp1252", "cp1252"),
        ("Справочник термальных источников России", "cp1251", "cp1251"),
    ],
)
def test_an_encoding_is_recognised(text: str, encoding: str, named: str) -> None:
    assert decode(text.encode(encoding)) == (text, named)


def test_a_chosen_encoding_counts_more() -> None:
    assert decode("Trä".encode("cp1252"), "cp1250")[1] == "cp1250"
    assert set(ENCODINGS) >= {"utf-8", "cp1252"}
    with pytest.raises(BadList, match="not text in utf-8"):
        decode(b"\xff\xfe\xfa", "utf-8")
    with pytest.raises(BadList, match="not text in nonsense"):
        decode(b"a", "nonsense")
