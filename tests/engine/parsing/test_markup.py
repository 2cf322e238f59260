"""The tag tree of a page, and what it costs to find elements in it."""

from __future__ import annotations

import pytest

from apps.engine.parsing import markup as module
from apps.engine.parsing.document import parse_html
from apps.engine.parsing.markup import markup

NAMES = ("meta", "template")


def test_the_elements_asked_for_are_those_of_the_tree():
    root, is_cut, elements = markup("<meta name=a><p>text <svg></svg><template></template>", NAMES)
    assert root is not None
    assert [element.tag for element in elements] == ["meta", "template"]
    assert all(element.getroottree().getroot() is root for element in elements)
    assert not is_cut
    assert markup("", NAMES) == (None, False, [])


def test_the_elements_are_those_of_the_tree_that_is_parsed_again():
    page = "<svg><title>a<p>shown</title></svg><template><div>x</template><p>after<meta name=b>"
    root, _, elements = markup(page, NAMES)
    assert root is not None
    assert elements == list(root.iter(*NAMES))


@pytest.mark.parametrize("page", ["<p>plain <a href=/x>link</a>", "<svg></svg><meta name=x>"])
def test_a_page_is_parsed_and_looked_through_once(page: str, monkeypatch: pytest.MonkeyPatch):
    calls: list[str] = []
    for name in ("_parsed", "_elements"):
        original = getattr(module, name)

        def counted(*arguments, name=name, original=original):
            calls.append(name)
            return original(*arguments)

        monkeypatch.setattr(module, name, counted)
    parse_html(page, "http://a.test/")
    assert calls == ["_parsed", "_elements"]
