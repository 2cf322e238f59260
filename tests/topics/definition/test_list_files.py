"""Lists uploaded as files: plain, as tables, in any encoding, and what is wrong with them."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.topics.definition.list_files import BadListFile, decoded, placed
from apps.topics.models import Topic
from tests.people import site_of

A, B, C, D = (f"http://{name}.test/" for name in "abcd")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_every_usual_encoding_is_read(encoding: str) -> None:
    assert decoded(f"{A}é\n".encode(encoding)) == f"{A}é\n"


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x00", b"http://a.test/\0", b"\xff\xfe\x00"])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(BadListFile, match="not text"):
        decoded(data)


@pytest.mark.parametrize("text", [f"{A}\n\n{B},x\nnonsense\n", "", "nonsense", f"{A}, {B}"])
def test_a_list_without_columns_is_taken_as_it_is(text: str) -> None:
    assert placed(text, "seeds") == {"seeds": text.rstrip("\n")}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_names_its_columns(delimiter: str) -> None:
    rows = [("Note", "URL"), ("one; two, three\tfour", A), ("", B)]
    text = "\r\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)
    assert placed(text, "targets") == {"targets": f"\n{A}\n{B}"}


def test_rows_go_to_the_list_that_their_label_and_role_say() -> None:
    text = (f"url,label,role,note\n{A},Positive,,x\n{B},neg,evaluate,\n{C},,seed,\n{D},target,,\n"
            f"{A}1,,,\n{A}2,relevant,judge,\n{A}3,0,train,")
    assert placed(text, "positives") == {
        "positives": f"\n{A}\n{A}1", "evaluation_negatives": B, "seeds": C, "targets": D,
        "evaluation_positives": f"{A}2", "negatives": f"{A}3"}


def test_a_corpus_has_no_labels() -> None:
    assert placed(f"url,label\n{A},positive", "corpus") == {"corpus": f"\n{A}"}


def test_labels_are_known_without_a_heading() -> None:
    assert placed(f"{A},positive\n{B},negative", "seeds") == {"positives": A, "negatives": B}


def test_a_label_that_is_unknown_stays_with_its_line() -> None:
    assert placed(f"url,label\n{A},maybe", "positives") == {"positives": f"\n{A}\tmaybe"}


def test_an_endless_cell_is_refused() -> None:
    with pytest.raises(BadListFile, match="cannot be read as a table"):
        placed('url,label\n"' + "x" * 200_000, "seeds")


@pytest.fixture
def site(owner):
    return site_of(owner)


def save(site, follow: bool = True, **given):
    given = {"name": "Rye", "negatives_per_positive": "2", **given}
    return site.post(reverse("topic:new"), given, follow=follow)


def test_a_file_is_added_below_what_was_typed_and_its_bad_lines_stay(site) -> None:
    table = f"url,label\n{B},negative\n{C},perhaps\nftp://c.test/,positive\n{A},\n"
    page = save(site, seeds=A, positives=D,
                positives_file=SimpleUploadedFile("mine.csv", table.encode()),
                seeds_file=SimpleUploadedFile("s.txt", f"{A} {B}\n{B}".encode("utf-8-sig")))
    topic, said = Topic.objects.get(), page.content.decode()
    by_label = {r: list(topic.examples.filter(relevant=r).values_list("url", flat=True))
                for r in (True, False)}
    assert by_label == {True: [D, A], False: [B]}
    assert list(topic.seeds.values_list("url", flat=True)) == [A, B]
    assert "more than one address" in said and "neither a label (positive, negative)" in said
    assert topic.typed["positives"] == f"{D}\n{C}\tperhaps\nftp://c.test/\n{A}"


def test_line_numbers_are_the_files_where_nothing_was_typed(site) -> None:
    file = SimpleUploadedFile("targets.csv", f"url\n{A}\nnonsense\n".encode())
    assert "Line 3</a>: <code>nonsense" in save(site, targets_file=file).content.decode()


@pytest.mark.parametrize(("data", "said"), [
    (b"\x89PNG\x00", "mine.csv: It is not text"), (b"x" * (4 * 2**20 + 1), "larger than 4 MB"),
])
def test_a_file_that_cannot_be_taken_is_said_at_its_list_and_nothing_typed_is_lost(
    site, data: bytes, said: str
) -> None:
    page = save(site, seeds="http://typed.test/",
                seeds_file=SimpleUploadedFile("mine.csv", data)).content.decode()
    assert said in page and "http://typed.test/</textarea>" in page
    assert not Topic.objects.exists()
