from __future__ import annotations

import pytest

from apps.engine.frontier.scope import not_text


@pytest.mark.parametrize(("path", "expected"), [
    ("/paper.pdf", True), ("/a/PHOTO.JPG", True), ("/tools.tar.gz", True), ("/a.pdf?page=2", True),
    ("/", False), ("/index.html", False), ("/a.pdf/", False), ("/a.pdf/notes", False),
    ("/show?file=a.pdf", False), ("/pdf", False), ("/v1.2", False),
])
def test_files_are_told_by_the_extension_of_their_name(path, expected):
    assert not_text(f"http://h.test{path}") is expected


def test_the_end_of_a_host_is_no_extension():
    assert not not_text("http://archive.zip") and not not_text("http://archive.zip/")
