from __future__ import annotations

import pytest

from apps.screens.live.patches import applied, patch

ROW = '<tr data-number="{n}"><td class="name">0.{n}</td><td title="http://a.test/{n}">a</td></tr>'


def table(*numbers: int) -> str:
    return "<tbody>" + "".join(ROW.format(n=n) for n in numbers) + "</tbody>"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "<p>all of it</p>"),
        ("<p>gone</p>", ""),
        ("<p>the same</p>", "<p>the same</p>"),
        ('<a href="/1">x</a>', '<a href="/2">x < y "z"</a>'),
        ('""<<', '<""<"'),
        (table(1, 2, 3, 4), table(3, 4, 5)),
        ("<p>τ σ – “δ”</p>\n", "<p>τ – “α”</p>\n\n"),
    ],
)
def test_a_patch_makes_the_new_of_the_old(before: str, after: str) -> None:
    assert applied(before, patch(before, after)) == after


def test_what_stays_is_copied_in_one() -> None:
    start, length = patch(table(1, 2, 3), table(1, 2, 3))
    assert (start, length > 20) == (0, True)


def test_a_new_row_takes_what_is_around_its_words_from_the_others() -> None:
    parts = patch(table(1, 2, 3), table(2, 3, 444))
    written = "".join(part for part in parts if isinstance(part, str))
    assert written.count("444") == 3 and "class" not in written


def test_what_comes_again_is_written_once() -> None:
    path = "host.test/the/path-of-a-page.html"
    parts = patch("", f'<a href="http://{path}" title="http://{path}">{path}</a>')
    assert "".join(part for part in parts if isinstance(part, str)).count("path-of-a-page") == 1
    assert [part for part in parts if not isinstance(part, str)]
