from apps.engine.networking.raw_headers import decoded


def test_headers_are_utf_8_or_else_latin_1_and_without_nul():
    raw = [(b"X-A", "größe".encode()), (b"X-B", "größe".encode("latin-1")), (b"X-C", b"a\0b")]
    assert decoded(raw) == (("X-A", "größe"), ("X-B", "größe"), ("X-C", "ab"))


def test_bytes_of_a_location_that_are_no_utf_8_are_escaped():
    raw = [(b"Location", b"/\xf0\xe5"), (b"location", "/é".encode())]
    assert decoded(raw) == (("Location", "/%F0%E5"), ("location", "/é"))
