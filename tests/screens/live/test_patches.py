from __future__ import annotations

import pytest

from apps.screens.live.patches import PatchWriter
from tests.screens.live.patch_reader import PatchReader

ROW = '<tr data-number="{n}"><td class="name">0.{n}</td><td title="http://a.test/{n}">a</td></tr>'


def table(*numbers: int) -> str:
    return "<tbody>" + "".join(ROW.format(n=n) for n in numbers) + "</tbody>"


def literals(patch: list[str | int]) -> str:
    return "".join(part for part in patch if isinstance(part, str))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("", "<p>all of it</p>"),
        ("<p>gone</p>", ""),
        ("<p>the same</p>", "<p>the same</p>"),
        ('<a href="/1">x</a>', '<a href="/2">x < y "z"</a>'),
        ('""<<', '<""<"'),
        (table(1, 2, 3, 4), table(3, 4, 5)),
        ("<p>τ σ – “δ” 𐍈</p>\n", "<p>τ – “α” 𐍈𐍈</p>\n\n"),
    ],
)
def test_a_patch_makes_the_new_of_the_old(before: str, after: str) -> None:
    assert PatchReader().read(before, PatchWriter().write(before, after)) == after


def test_patches_that_follow_each_other_are_read_in_their_order() -> None:
    writer, reader = PatchWriter(), PatchReader()
    for before, after in [(table(1), table(1, 2)), ("", table(7)), (table(2), table(2, 7, 1))]:
        assert reader.read(before, writer.write(before, after)) == after


def test_what_stays_is_copied_in_one() -> None:
    start, length = PatchWriter().write(table(1, 2, 3), table(1, 2, 3))
    assert start == 0 and int(length) > 20


def test_what_follows_a_changed_number_is_copied_from_where_it_was() -> None:
    before = "".join(f'<td class="number">{n}</td>' for n in (1, 2, 3))
    patch = PatchWriter().write(before, before.replace(">2<", ">5<"))
    assert [type(part) for part in patch] == [int, int, str, int, int]
    assert patch[2:4] == ['">5', 1]


def test_a_new_row_takes_what_is_around_its_words_from_the_others() -> None:
    written = literals(PatchWriter().write(table(1, 2, 3), table(2, 3, 444)))
    assert written.count("444") == 3 and "class" not in written


def test_what_comes_again_is_written_once() -> None:
    path = "host.test/the/path-of-a-page.html"
    writer = PatchWriter()
    patch = writer.write("", f'<a href="http://{path}" title="http://{path}">{path}</a>')
    assert literals(patch).count("path-of-a-page") == 1
    assert "path-of-a-page" not in literals(writer.write("", f'<i lang="{path}">'))
