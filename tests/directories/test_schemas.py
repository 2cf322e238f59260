"""Topics of a directory are asked for by one schema: at the form as in the API."""

from __future__ import annotations

from typing import Any

import pytest

from apps.directories.importing import import_directory
from apps.directories.models import Directory
from apps.directories.readers.listing import Listed
from apps.directories.schemas import CategoryChoice
from apps.schemas.refused import Refused
from apps.screens.directories.forms import MakeTopicsForm
from apps.topics.models import Topic
from tests.people import Program

pytestmark = pytest.mark.django_db
TYPED = {"rule": "lc", "most": "100", "seed": "1"}


@pytest.fixture
def directory(owner) -> Directory:
    return import_directory(owner, "made", [Listed("Arts", "http://a.test/")])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("rule", "nonsense"),
        ("size", 0),
        ("size", 10**6),
        ("minimum", -1),
        ("minimum", 10**9),
        ("most", 0),
        ("most", 1_001),
        ("seed", -1),
        ("seed", 2**63),
        ("words", ["x" * 101]),
        ("words", ["x"] * 101),
    ],
)
def test_form_and_api_refuse_the_same_in_the_same_words(
    owner, directory: Directory, field: str, value: Any
) -> None:
    with pytest.raises(Refused) as refused:
        CategoryChoice.read({field: value})
    sentence = {"field": field, "message": refused.value.message}
    typed = ", ".join(value) if isinstance(value, list) else str(value)
    form = MakeTopicsForm({**TYPED, field: typed}, owner=owner)
    assert form.errors == {field: [sentence["message"]]}
    answer = Program(owner).send("post", f"directories/{directory.pk}/topics", {field: value})
    assert (answer.status_code, answer.json()) == (422, sentence)


def test_a_web_of_another_person_is_not_there(owner, directory: Directory) -> None:
    path = f"directories/{directory.pk}/topics"
    answer = Program(owner).send("post", path, {"web": 99})
    assert answer.json() == {"field": "web", "message": "There is no recorded web 99 here."}
    assert "web" in MakeTopicsForm({**TYPED, "web": "99"}, owner=owner).errors
    assert not Topic.objects.exists()
