"""A list as its screen shows it: menus, marked cells, lines left out, sums, and what is taken."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.people import person

pytestmark = pytest.mark.django_db
TABLE = (
    "Nr;Office;Website;Answer\n"
    "1;Lindau;https://lindau.example/a;yes\n"
    "2;Neuwied;neuwied.example/b;no\n"
    "3;Ostalb;www,ostalb.example;yes\n"
    "4;Gera;www,gera.example;yes\n"
    "5;Leeds;https://lindau.example/a;yes\n"
)


@pytest.fixture
def read(client: Client) -> Any:
    client.force_login(person("ada"))

    def answer(content: str | bytes, **choices: str) -> Any:
        data = content if isinstance(content, bytes) else content.encode()
        sent = client.post(
            "/lists/read/", {"file": SimpleUploadedFile("list.csv", data), **choices}
        )
        assert sent.status_code == 200
        return sent.json()

    return answer


def test_a_table_is_shown_with_its_marked_column_and_what_is_left_out(read: Any) -> None:
    answer = read(TABLE)
    assert (answer["entries"], answer["refused"], answer["is_clean"]) == (2, 2, False)
    html = answer["html"]
    assert '<span class="added">https://</span>neuwied.example/b' in html
    assert "column 3: 3 of 5 cells hold an address" in html
    assert "same as line 2, folded" in html
    assert "Of 5 lines" in html and "Take 2" in html
    assert 'data-correct="4,5"' in html and "in 2</button>" in html


def test_a_list_of_hosts_shows_their_names_and_gives_each_once(read: Any) -> None:
    answer = read(f"{TABLE}6;Ulm;*.ulm.example;no\n7;Bonn;bonn.example/~a;yes\n", taken_as="hosts")
    names = ["lindau.example", "neuwied.example/b", "*.ulm.example", "bonn.example/~a"]
    assert answer["lists"] == {"hosts": "\n".join(names)}
    assert (answer["unit"], answer["entries"], answer["refused"]) == ("host", 4, 2)
    assert "same as line 2, folded" in answer["html"] and "hosts to decide on" in answer["html"]
    assert "positive examples" not in answer["html"]


def test_addresses_go_to_the_lists_of_their_answers(read: Any) -> None:
    lists = read(TABLE, taken_as="seeds", corrections="4")["lists"]
    assert lists == {
        "positives": "https://lindau.example/a\nhttps://www.ostalb.example",
        "negatives": "https://neuwied.example/b",
    }
    assert read(TABLE, taken_as="seeds", answer="0")["lists"] == {
        "seeds": "https://lindau.example/a\nhttps://neuwied.example/b"
    }


def test_what_is_chosen_is_read_again(read: Any) -> None:
    plain = read(TABLE, delimiter="lines", encoding="cp1252")
    assert 'value="lines" selected' in plain["html"] and 'value="cp1252" selected' in plain["html"]
    other = read("a.example,b.example\nc.example,d.example/x\n", delimiter="comma", column="2")
    assert other["lists"]["seeds"] == "https://b.example\nhttps://d.example/x"


def test_clean_lines_need_no_look(read: Any) -> None:
    answer = read("https://a.example/\nhttps://b.example/\n")
    assert answer["is_clean"] and answer["entries"] == 2


@pytest.mark.parametrize(
    ("content", "choices", "words"),
    [
        (b"", {}, "It is empty"),
        (b"\0\1", {}, "It is not text"),
        (b"https://a.example/", {"delimiter": "colon"}, "delimiter"),
        (b"https://a.example/", {"column": "third"}, "column"),
        (b"https://a.example/", {"taken_as": "owners"}, "taken_as"),
    ],
)
def test_a_file_that_is_no_list_is_refused_in_words(
    read: Any, content: bytes, choices: dict[str, str], words: str
) -> None:
    answer = read(content, **choices)
    assert answer["ok"] is False and words in answer["message"]


def test_markup_in_a_list_is_text(read: Any) -> None:
    html = read("title;url\n<img src=x>;https://a.example/\n<b>;nothing <i>\n")["html"]
    assert "<img" not in html and "<i>" not in html


def test_counts_of_in_links_are_shown_with_their_column_and_lines_without_a_number(
    read: Any,
) -> None:
    table = (
        "page;year;links\nhttps://a.example/;2020;1.204\nb.example;2021;7\n"
        "https://c.example/;2022;\nsee annex;2022;3\n"
    )
    answer = read(table, taken_as="inlinks")
    assert answer["lists"] == {"inlinks": "https://a.example/,1204\nhttps://b.example,7"}
    assert (answer["entries"], answer["refused"]) == (2, 2)
    assert "no number" in answer["html"]
    assert "Counts are in" in answer["html"]
    years = read(table, taken_as="inlinks", count="2")
    assert years["lists"]["inlinks"].splitlines()[0] == "https://a.example/,2020"


def test_a_list_has_an_address_of_its_own(client: Client) -> None:
    client.force_login(person("ada"))
    page = client.get("/topics/new/list/").content.decode()
    assert "data-list-dialog data-inline" in page
    begun = client.post("/topics/new/", {"seeds": "https://a.example/", "pasted": "more"})
    assert "https://a.example/" in begun.content.decode()
