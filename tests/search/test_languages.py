"""Languages by code and English name."""

from __future__ import annotations

from apps.search.languages import language_code, language_name


def test_a_language_has_a_code_and_an_english_name() -> None:
    assert language_code(" German ") == language_code("DE") == "de"
    assert language_code("klingon") is language_code("") is language_code("zh-hans") is None
    assert (language_name("de"), language_name("xx")) == ("German", "xx")
