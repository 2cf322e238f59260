from __future__ import annotations

import pytest

from apps.engine.codes import Exclusion
from apps.engine.frontier.scope import Scope, not_text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/paper.pdf", True),
        ("/a/PHOTO.JPG", True),
        ("/tools.tar.gz", True),
        ("/a.pdf?page=2", True),
        ("/", False),
        ("/index.html", False),
        ("/a.pdf/", False),
        ("/a.pdf/notes", False),
        ("/show?file=a.pdf", False),
        ("/pdf", False),
        ("/v1.2", False),
    ],
)
def test_files_are_recognised_by_the_extension_of_their_name(path, expected):
    assert not_text(f"http://h.test{path}") is expected


def test_the_end_of_a_host_is_no_extension():
    assert not not_text("http://archive.zip") and not not_text("http://archive.zip/")


def test_where_patterns_are_allowed_an_address_has_to_match_one():
    scope = Scope(allow_patterns=("*/wiki/*", "*?article=*"), deny_patterns=("*/wiki/Talk:*",))
    reasons = {
        path: scope.refusal(f"http://a.test{path}", "a.test", 1)
        for path in ("/WIKI/Owl", "/?article=1", "/shop", "/wiki/Talk:Owl")
    }
    assert reasons == {
        "/WIKI/Owl": None,
        "/?article=1": None,
        "/shop": Exclusion.PATTERN_NOT_ALLOWED,
        "/wiki/Talk:Owl": Exclusion.PATTERN,
    }
    assert Scope.from_dict(scope.as_dict()) == scope
