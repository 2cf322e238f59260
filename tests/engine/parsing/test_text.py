"""Decoding: what decides the encoding of a page, in which order, and that nothing breaks it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.parsing.text import decode

RUSSIAN = "Привет, это обычная страница о теплицах и помидорах в саду. " * 5
JAPANESE = "これは日本語のページです。トマトの栽培について書きました。" * 5
FRENCH = "Une page ordinaire, où l'été a déjà été évoqué à Genève. " * 5


def test_a_byte_order_mark_goes_before_the_header() -> None:
    body = b"\xef\xbb\xbf" + "é".encode()
    assert decode(body, "text/html; charset=iso-8859-1") == ("é", "utf-8")
    assert decode(b"\xff\xfe" + "né".encode("utf-16-le"), None) == ("né", "utf-16le")
    assert decode(b"\xfe\xff" + "né".encode("utf-16-be"), None) == ("né", "utf-16be")


def test_the_header_goes_before_meta() -> None:
    body = b'<meta charset="utf-8">' + RUSSIAN.encode("koi8-r")
    text, encoding = decode(body, "text/html; Charset='KOI8-R'")
    assert encoding == "koi8-r"
    assert text.endswith(RUSSIAN)


@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="windows-1251">',
        "<META HTTP-EQUIV=Content-Type CONTENT='text/html; charset=cp1251'>",
        '<?xml version="1.0" encoding="windows-1251"?>',
        '<!-- <meta charset="utf-8"> --><meta charset=windows-1251>',
    ],
)
def test_meta_goes_before_a_guess(meta: str) -> None:
    text, encoding = decode((meta + RUSSIAN).encode("cp1251"), "text/html")
    assert (text, encoding) == (meta + RUSSIAN, "windows-1251")


def test_latin_1_means_windows_1252_as_browsers_have_it() -> None:
    assert decode(b"\x93a\x94", "text/html; charset=ISO-8859-1") == ("“a”", "windows-1252")


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [
        ("厑 繁體 㐀䶵", "gb18030", "gb2312"),
        ("厑 繁體 㐀䶵", "gb18030", "gbk"),
        ("①番 ㈱ 髙﨑", "cp932", "shift_jis"),
        ("邨 鰂魚涌 咗", "big5hkscs", "big5"),
    ],
)
def test_a_small_set_is_decoded_as_its_larger_successor(text: str, codec: str, label: str) -> None:
    assert decode(text.encode(codec), f"text/html; charset={label}")[0] == text


def test_euc_jp_has_the_rows_that_vendors_added() -> None:
    body = "日本".encode("euc_jp") + b"\xad\xa1\xad\xea" + "語".encode("euc_jp")
    assert decode(body, "text/html; charset=euc-jp")[0] == "日本①㈱語"
    assert decode(b"a\xfe\xfe\xffb\xad", "text/html; charset=euc-jp")[0] == "a\ufffd\ufffdb\ufffd"


@pytest.mark.parametrize(
    "head",
    [
        '<meta name=description content="charset=iso-8859-1 of old"><meta charset=utf-8>',
        '<meta property="x" content="a; charset=koi8-r"><meta charset="utf-8"/>',
        '<?xml version="1.0" encoding="iso-8859-1"?><meta charset="utf-8">',
        '<meta content="text/html; charset=utf-8" http-equiv="Content-Type"><meta charset=koi8-r>',
    ],
)
def test_only_a_declaration_declares(head: str) -> None:
    assert decode((head + "é\xff").encode("utf-8") + b"\xff")[1] == "utf-8"


def test_a_meta_in_ascii_cannot_say_utf_16() -> None:
    assert decode('<meta charset="utf-16">é'.encode())[1] == "utf-8"


@pytest.mark.parametrize("label", ["zlib_codec", "rot13", "hex", "idna", "", "é", "iso-2022-kr"])
def test_a_label_no_browser_knows_is_ignored(label: str) -> None:
    assert decode("é".encode(), f"text/html; charset={label}") == ("é", "utf-8")
    assert decode(f'<meta charset="{label}">é'.encode())[1] == "utf-8"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (JAPANESE, "shift_jis", "shift_jis"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (FRENCH, "latin-1", "windows-1252"),
        ("<p>Café", "latin-1", "windows-1252"),
        ("这是一个关于番茄种植的网页。" * 9, "gbk", "gb18030"),
        ("토마토 재배에 관한 웹 페이지입니다. " * 9, "euc-kr", "euc-kr"),
    ],
)
def test_it_guesses_where_nothing_is_declared(text: str, codec: str, name: str) -> None:
    page = "<html><body><p>" + text
    assert decode(page.encode(codec)) == (page, name)


def test_a_guess_from_a_long_page_does_not_stumble_over_the_end_of_its_sample() -> None:
    for spaces in range(4):
        page = "<p>" + " " * spaces + "这是一个关于番茄种植的网页。" * 400
        assert decode(page.encode("gbk"))[1] == "gb18030"


def test_utf_8_that_is_cut_off_is_still_utf_8() -> None:
    assert decode("été".encode()[:-1]) == ("ét\ufffd", "utf-8")


def test_it_leaves_out_nul_characters() -> None:
    assert decode(b"a\0b\0") == ("ab", "utf-8")


@given(st.binary(max_size=300), st.text(max_size=30) | st.sampled_from([None, "text/html"]))
def test_no_bytes_and_no_header_break_it(body: bytes, header: str | None) -> None:
    for content_type in (header, f"text/html; charset={header}"):
        text, encoding = decode(body, content_type)
        assert "\0" not in text
        assert encoding
        text.encode()
