"""Lists of labels for a web that is here: what they add, what they never change, what is wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from apps.engine.errors import BadLine, BadWebFile
from apps.webs import label_lists
from apps.webs.importing import WebRefused
from apps.webs.label_lists import add_labels, take_back_labels
from apps.webs.labels import label_counts
from apps.webs.models import Web
from apps.webs.opening import labels_folder, open_web
from apps.webs.pages.indexing import is_indexed
from apps.webs.pages.searching import PageIndex
from apps.webs.replays import replay_folder
from apps.webs.services import delete_web
from tests.deletions import finish_deletions
from tests.webs.pages.conftest import make_web, web  # noqa: F401
from tests.webs.pages.searches import page_search

pytestmark = pytest.mark.django_db
OWL, AUK, MAP = "http://wings.test/owl.html", "wings.test/auk.html", "http://fields.test/map/"
LIST = f"""\ufeffurl,label
{OWL},Birds
{OWL},"Owls, barn"
HTTP://{AUK},Seabirds

{MAP},Seabirds
{MAP},Seabirds
http://wings.test/emu.html,Birds
"""


def listed(folder: Path, text: str | bytes, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_pages_keep_their_labels_and_get_those_of_the_list(web: Web, data_dir: Path) -> None:
    before, reports = replay_folder(web), []
    done = add_labels(web, listed(data_dir, LIST), lambda *at: reports.append(at))
    assert (done.labels, done.pages) == (3, 3)
    assert done.skipped == {"has_label": 2, "no_page": 1}
    assert [(each.line, each.reason) for each in done.examples] == [
        (2, "has_label"),
        (7, "has_label"),
        (8, "no_page"),
    ]
    assert reports[-1][2] == 3
    web.refresh_from_db()
    assert open_web(web).labels(OWL) == ("Birds", "Owls, barn")
    assert label_counts(web)["Seabirds"] == 2
    with PageIndex(web) as index:
        facets = index.facets(page_search())
        assert (facets.labels["Seabirds"], facets.labels["Birds"]) == (2, 2)
        (page,) = index.find(page_search(labels=("Owls, barn",)), slice(0, 9))
        assert page.labels == ("Birds", "Owls, barn")
    assert replay_folder(web) != before
    add_labels(web, listed(data_dir, gzip.compress(f"{OWL}\tNight\n".encode())))
    assert open_web(web).labels(OWL) == ("Birds", "Night", "Owls, barn")
    assert is_indexed(web)
    delete_web(web)
    finish_deletions()
    assert not any(labels_folder().iterdir())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{OWL},", "line 2 is not an address and a label: its label is missing"),
        (OWL, "its label is missing"),
        (f"{OWL},Owls,barn", "a label with a comma in it stands in double quotes"),
        ("owl,Owls", "“owl” is not a web address"),
        (f"{OWL},{'x' * 201}", "longer than 200 characters"),
        (b"\xff,Owls", "“ÿ” is not a web address"),
        (f"{OWL},Plants", "Plants is the true label of a topic on this web"),
    ],
)
def test_a_bad_line_is_named_and_changes_nothing_or_is_left_out(
    web: Web,
    data_dir: Path,
    line: str | bytes,
    message: str,
) -> None:
    line = line if isinstance(line, bytes) else line.encode()
    file = listed(data_dir, f"{OWL},Owls\n".encode() + line)
    with pytest.raises(BadLine) as error:
        add_labels(web, file, measured_by={"Plants"})
    assert message in error.value.detail and error.value.details["line"] == 2
    assert web.added_labels == "" and open_web(web).labels(OWL) == ("Birds",)
    done = add_labels(web, file, measured_by={"Plants"}, leave_out_bad=True)
    assert (done.labels, done.skipped) == (1, {"bad_label": 1})


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f'{OWL},Owls\n{OWL},"Night\n', "A quotation mark of line 2 is never closed"),
        ("", "It is empty"),
    ],
)
def test_a_file_that_is_no_list_is_refused(web: Web, data_dir: Path, text: str, cause: str) -> None:
    with pytest.raises(BadWebFile, match=cause):
        add_labels(web, listed(data_dir, text), leave_out_bad=True)
    assert web.added_labels == ""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_labels_are_read_from_tables_as_people_have_them(
    web: Web, data_dir: Path, encoding: str
) -> None:
    text = f"page;tag;url\n1;Vögel;{OWL}\n2;Owls, barn;http://{AUK}\n"
    done = add_labels(web, listed(data_dir, text.encode(encoding)))
    assert (done.labels, done.pages, done.skipped) == (2, 2, {})


def test_a_list_that_adds_nothing_has_a_reason(web: Web, data_dir: Path) -> None:
    with pytest.raises(BadLine, match="“url,label” is not a web address"):
        add_labels(web, listed(data_dir, "url,label\n"))
    with pytest.raises(WebRefused) as refused:
        add_labels(web, listed(data_dir, f"http://emu.test/,Birds\n{OWL},Birds"))
    assert str(refused.value) == (
        "labels.csv adds nothing to nature: addresses without a page there: 1; labels that are"
        " there already: 1. Line 1 is the first: http://emu.test/"
    )


def test_labels_that_were_added_meanwhile_stay(web: Web, data_dir: Path, monkeypatch) -> None:
    real = label_lists.write_added_labels

    def write(path, pairs) -> None:
        real(path, pairs)
        Web.objects.filter(pk=web.pk).update(added_labels="other")

    monkeypatch.setattr(label_lists, "write_added_labels", write)
    with pytest.raises(WebRefused, match="Try again"):
        add_labels(web, listed(data_dir, f"{OWL},Owls"))
    assert not any(labels_folder().iterdir()) and is_indexed(web)


def test_one_list_is_taken_back_and_all_other_labels_stay(web: Web, data_dir: Path) -> None:
    before = label_counts(web)
    first = add_labels(web, listed(data_dir, LIST))
    web.refresh_from_db()
    second = add_labels(web, listed(data_dir, f"{OWL},Night\n{MAP},Maps"))
    web.refresh_from_db()
    with pytest.raises(WebRefused, match="Owls, barn and Seabirds are true labels of topics"):
        take_back_labels(web, first.files, measured_by={"Seabirds", "Owls, barn", "Night"})
    assert take_back_labels(web, first.files, measured_by={"Night"}) == 3
    web.refresh_from_db()
    assert label_counts(web) == {**before, "Night": 1, "Maps": 1}
    assert open_web(web).labels(OWL) == ("Birds", "Night")
    with PageIndex(web) as index:
        assert index.facets(page_search()).labels == {**before, "Night": 1, "Maps": 1}
    assert take_back_labels(web, second.files) == 2
    web.refresh_from_db()
    assert label_counts(web) == before
    add_labels(web, listed(data_dir, f"{OWL},Seabirds"))
    web.refresh_from_db()
    with PageIndex(web) as index:
        assert index.facets(page_search()).labels == {**before, "Seabirds": 1, "": 1}
