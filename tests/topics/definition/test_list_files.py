"""Lists uploaded as files: plain, as tables, in any encoding, and what is wrong with them."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.lists.reading import read_list
from apps.topics.definition.lines import LineFault, read_urls
from apps.topics.definition.list_files import lists_of_file, sort_by_list
from apps.topics.models import Topic
from tests.people import site_of

A, B, C, D = (f"http://{name}.test/" for name in "abcd")


def sorted_lines(text: str, name: str) -> dict[str, str]:
    return sort_by_list(read_list(text), name)


def test_lines_keep_their_numbers_and_what_is_refused_stays() -> None:
    text = f"# mine\n{A}\n\n{B} {C}\nnonsense\n{A}"
    assert sorted_lines(text, "seeds") == {"seeds": f"\n{A}\n\n{B} {C}\nnonsense\n{A}"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_names_its_columns(delimiter: str) -> None:
    rows = [("Note", "URL"), ("one; two, three\tfour", A), ("", B)]
    text = "\r\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    assert sorted_lines(text, "targets") == {"targets": f"\n{A}\n{B}"}


def test_rows_go_to_the_list_of_their_label_and_role() -> None:
    text = (
        f"url,label,role,note\n{A},Positive,,x\n{B},neg,evaluate,\n{C},,seed,\n{D},target,,\n"
        f"{A}1,,,\n{A}2,relevant,judge,\n{A}3,0,train,"
    )
    assert sorted_lines(text, "positives") == {
        "positives": f"\n{A}\n\n\n\n{A}1",
        "evaluation_negatives": B,
        "seeds": C,
        "targets": D,
        "evaluation_positives": f"{A}2",
        "negatives": f"{A}3",
    }


def test_a_corpus_has_no_labels() -> None:
    assert sorted_lines(f"url,label\n{A},positive", "corpus") == {"corpus": f"\n{A}"}


def test_labels_need_no_heading() -> None:
    text = f"{A},positive\n{B},negative"
    assert sorted_lines(text, "seeds") == {"positives": A, "negatives": B}


def test_a_label_without_a_meaning_stays_with_its_line() -> None:
    lines = sorted_lines(f"url,label\n{A},maybe", "positives")
    assert lines == {"positives": f"\n{A}\tlabel: maybe"}
    assert read_urls(lines["positives"]).errors[0].reason == LineFault.LABEL


def test_a_file_of_counts_is_read_in_any_format() -> None:
    table = f"Seite;Anzahl\r\n{A};1.234\r\n{B};2.345\r\nnonsense;3\r\n"
    assert lists_of_file(io.BytesIO(table.encode("utf-16")), "inlinks") == {
        "inlinks": f"{A},1234\n{B},2345\nnonsense"
    }


@pytest.fixture
def site(owner):
    return site_of(owner)


def save(site, follow: bool = True, **given):
    given = {"name": "Rye", "negatives_per_positive": "2", **given}
    return site.post(reverse("topic:new"), given, follow=follow)


def test_a_file_is_added_below_what_was_typed_and_its_bad_lines_stay(site) -> None:
    table = f"url,label\n{B},negative\n{C},perhaps\nftp://c.test/,positive\n{A},\n"
    page = save(
        site,
        seeds=A,
        positives=D,
        positives_file=SimpleUploadedFile("mine.csv", table.encode()),
        seeds_file=SimpleUploadedFile("s.txt", f"{A} {B}\n{B}".encode("utf-8-sig")),
    )
    topic, message = Topic.objects.get(), page.content.decode()
    by_label = {
        r: list(topic.examples.filter(relevant=r).values_list("url", flat=True))
        for r in (True, False)
    }
    assert by_label == {True: [D, A], False: [B]}
    assert list(topic.seeds.values_list("url", flat=True)) == [A, B]
    assert "a label (positive, negative) or a role" in message
    assert topic.typed["positives"] == f"{D}\n{C}\tlabel: perhaps\nftp://c.test/\n{A}"


def test_line_numbers_are_the_files_where_nothing_was_typed(site) -> None:
    file = SimpleUploadedFile("targets.csv", f"url\n{A}\nnonsense\n".encode())
    assert "Line 3</a>: <code>nonsense" in save(site, targets_file=file).content.decode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x89PNG\x00", "mine.csv: It is not text"),
        (b"x" * (20 * 2**20 + 1), "larger than 20 MB"),
    ],
)
def test_a_file_that_cannot_be_taken_is_reported_at_its_list_and_nothing_typed_is_lost(
    site, data: bytes, message: str
) -> None:
    page = save(
        site, seeds="http://typed.test/", seeds_file=SimpleUploadedFile("mine.csv", data)
    ).content.decode()
    assert message in page and "http://typed.test/</textarea>" in page
    assert not Topic.objects.exists()
