"""A topic is read by one schema: its form, its file, the API and the command say the same."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError

from apps.schemas.refused import Refused
from apps.screens.topic.forms import TopicForm
from apps.screens.topics.importing import ImportTopicForm
from apps.topics.definition.schemas import TopicFile
from apps.topics.models import Topic
from tests.people import Program

NAME = "Give the topic a name of up to 200 characters without control characters."
LANGUAGE = "Give a language by its code, as in en or pt-BR, or up to three, as in en de."
ENTRIES = 'Give a list, each entry an address or {"url": …, "html": …}.'
RANKS = "Give an object of host names, each with its rank, from 1 up, or leave it empty"
SITES = "Give a list of domains, as in example.org, or leave it empty"


@pytest.mark.parametrize(
    ("output", "field", "message"),
    [
        ({"name": " "}, "name", NAME),
        ({"name": "x" * 201}, "name", NAME),
        ({"name": "bread\x1b[31m"}, "name", NAME),
        ({"name": "bread\u202egnp.exe"}, "name", NAME),
        ({"name": "bread\x07"}, "name", NAME),
        ({"description": "x" * 10_001}, "description", "Give a text of up to 10,000 characters."),
        ({"language": "English, mostly"}, "language", LANGUAGE),
        ({"web_label": "x" * 201}, "web_label", "Give a text of up to 200 characters."),
        (
            {"negatives_per_positive": 0},
            "negatives_per_positive",
            "Give a whole number from 1 to 10.",
        ),
        (
            {"negatives_per_positive": 10**30},
            "negatives_per_positive",
            "Give a whole number from 1 to 10.",
        ),
        (
            {"keywords": ["rye", "x" * 201]},
            "keywords",
            "Give a list of up to 1,000, each entry a text"
            " of up to 200 characters. Entry 2 is not.",
        ),
    ],
)
def test_form_file_api_and_command_refuse_the_same_in_the_same_words(
    owner, data_dir: Path, tmp_path: Path, output: dict[str, Any], field: str, message: str
) -> None:
    data = {"name": "Rye", "seeds": ["http://a.test/"], **output}
    with pytest.raises(Refused) as refused:
        TopicFile.read(data)
    assert (refused.value.field, refused.value.message) == (field, message)
    typed = {"name": "Rye", "negatives_per_positive": 2, **output}
    form = TopicForm({**typed, "keywords": ",".join(output.get("keywords", ()))}, owner=owner)
    assert form.errors == {field: [message]}
    program = Program(owner)
    for path in ("topics", "topics/file"):
        assert program.send("post", path, data).json() == {"field": field, "message": message}
    file = SimpleUploadedFile("topic.json", json.dumps(data).encode())
    screen = ImportTopicForm({}, {"file": file}, owner=owner)
    assert screen.is_valid() and screen.take() is None
    assert screen.errors == {"file": [f"{field}: {message}"]}
    path = tmp_path / "topic.json"
    path.write_text(json.dumps(data))
    with pytest.raises(CommandError) as stopped:
        call_command("import_topic", str(path), stderr=io.StringIO())
    assert str(stopped.value) == f"{field}: {message}"
    assert not Topic.objects.exists()


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        ([], "", "Give an object with names and values."),
        ({"name": 3}, "name", NAME),
        ({}, "name", NAME),
        ({"name": "x", "seeds": "http://a.test/"}, "seeds", ENTRIES),
        ({"name": "x", "seeds": None}, "seeds", ENTRIES),
        ({"name": "x", "positives": [{"html": "x"}]}, "positives", f"{ENTRIES} Entry 1 is not."),
        (
            {"name": "x", "evaluation": {"negatives": ["http://a.test/", 3]}},
            "evaluation.negatives",
            f"{ENTRIES} Entry 2 is not.",
        ),
        (
            {"name": "x", "evaluation": {"seeds": []}},
            "evaluation.seeds",
            "There is no seeds; there are: positives, negatives.",
        ),
        (
            {"name": "x", "inlinks": {"http://a.test/": -1}},
            "inlinks",
            "Give an object of addresses, each with a whole number from 0. See “http://a.test/”.",
        ),
        (
            {"name": "x", "inlinks": {"http://a.test/": True}},
            "inlinks",
            "Give an object of addresses, each with a whole number from 0. See “http://a.test/”.",
        ),
        ({"name": "x", "traffic": {"a b": 1}}, "traffic", f"{RANKS}. See “a b”."),
        ({"name": "x", "traffic": {"a.test": 0}}, "traffic", f"{RANKS}. See “a.test”."),
        ({"name": "x", "traffic": [1]}, "traffic", f"{RANKS}."),
        (
            {"name": "x", "directory": ["a.test", "no domain"]},
            "directory",
            f"{SITES}. Entry 2 is not.",
        ),
        ({"name": "x", "directory": {}}, "directory", f"{SITES}."),
    ],
)
def test_it_names_what_is_wrong_with_a_file(data: Any, field: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        TopicFile.read(data)
    assert (refused.value.field, refused.value.message) == (field, message)


def test_an_unknown_name_is_reported_with_those_there_are() -> None:
    with pytest.raises(Refused, match="seed: There is no seed; there are: name, description"):
        TopicFile.read({"name": "x", "seed": []})


@pytest.mark.parametrize(
    ("more", "positives"),
    [
        ({"negatives": ["http://b.test/"]}, "http://a.test/"),
        ({"negatives": ["http://b.test/"], "positives": []}, ""),
        ({}, ""),
    ],
)
def test_seeds_are_the_positives_where_only_negatives_are_named(more, positives) -> None:
    read = TopicFile.read({"name": "Rye", "seeds": ["http://a.test/"], **more})
    assert read.definition().lists["positives"] == positives


def test_names_are_kept_as_a_database_takes_them() -> None:
    read = TopicFile.read(
        {
            "name": " Rye \0\n bread ",
            "keywords": ["rye ", "", "rye"],
            "seeds": [" http://a.test/\0"],
            "directory": ["www.example.org", "example.org"],
            "inlinks": {"http://a.test/": 2},
        }
    )
    assert (read.name, read.keywords, read.sites) == ("Rye bread", ("rye",), ("example.org",))
    assert read.definition(3).lists["seeds"] == "http://a.test/"
    assert read.definition(3).lists["inlinks"] == "http://a.test/,2"
    assert read.definition(3).web_id == 3


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("en", "en"),
        ("pt-BR", "pt-BR"),
        ("en, de", "en de"),
        ("pt-BR  en en", "pt en"),
        ("en de fr", "en de fr"),
        ("fil", "fil"),
    ],
)
def test_languages_are_kept_by_their_codes(typed: str, kept: str) -> None:
    assert TopicFile.read({"name": "Rye", "language": typed}).language == kept


@pytest.mark.parametrize("typed", ["en de fr it", "English", "en-de-fr", "en;de"])
def test_what_is_not_a_list_of_up_to_three_languages_is_refused(typed: str) -> None:
    with pytest.raises(Refused) as refused:
        TopicFile.read({"name": "Rye", "language": typed})
    assert refused.value.message == LANGUAGE


def test_the_form_has_a_second_language(owner) -> None:
    typed = {"name": "Rye", "negatives_per_positive": 2, "language": "de", "language_also": "en"}
    form = TopicForm(typed, owner=owner)
    assert form.is_valid() and form.definition.language == "de en"
    topic = Topic.objects.create(owner=owner, name="Rye", language="de en fr")
    again = str(TopicForm.of(topic)["language"])
    assert '<option value="de" selected>German</option>' in again
    assert '<option value="en fr" selected>English and French</option>' in again


def test_a_language_that_no_list_offers_stays_in_the_form(owner) -> None:
    topic = Topic.objects.create(owner=owner, name="Pão", language="pt-BR")
    form = TopicForm.of(topic)
    assert '<option value="pt-BR" selected>pt-BR</option>' in str(form["language"])
    again = TopicForm(
        {"name": "Pão", "language": "pt-BR", "negatives_per_positive": 2}, owner=owner
    )
    assert again.is_valid() and again.definition.language == "pt-BR"
