"""Directories on the screens and in the API: an owner, a team-mate, an outsider."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from apps.accounts.sharing import share
from apps.directories.models import Directory, DirectoryTopic
from tests.people import Program, person, site_of


@pytest.fixture
def owner(db: None) -> User:
    return person("ada")


@pytest.fixture
def directory(owner: User) -> Directory:
    directory = Directory.objects.create(owner=owner, name="Birds of the world", categories=2)
    for path, depth in (("", 0), ("Owls", 1)):
        DirectoryTopic.objects.create(directory=directory, path=path, parent="", depth=depth)
    return directory


def test_a_directory_is_shared_like_a_web(owner: User, directory: Directory) -> None:
    mate, outsider = person("ben"), person("eve")
    page = reverse("directories:directory", args=[directory.pk])
    box = reverse("sharing:shares", args=["directory", directory.pk])
    assert "Sharing" in site_of(owner).get(page).content.decode()
    assert site_of(mate).get(page).status_code == 404
    assert site_of(owner).post(box, {"name": "ben"}).headers["Location"] == f"{page}#sharing"
    shown = site_of(mate).get(page).content.decode()
    assert "Owls" in shown and "Make the topics" in shown
    assert "Delete…" not in shown and 'id="sharing"' not in shown
    listed = site_of(mate).get(reverse("directories:list")).content.decode()
    assert directory.name in listed and "of ada" in listed
    assert site_of(outsider).get(page).status_code == 404
    assert site_of(mate).post(box, {"name": "eve"}).status_code == 404
    assert site_of(mate).post(reverse("directories:delete", args=[directory.pk])).status_code == 404
    assert Directory.objects.filter(pk=directory.pk).exists()


def test_a_directory_is_shared_by_the_api(owner: User, directory: Directory) -> None:
    person("ben")
    shares = f"directories/{directory.pk}/shares"
    assert Program(owner).send("post", shares, {"name": "ben", "may_edit": True}).status_code == 422
    made = Program(owner).send("post", shares, {"name": "ben"})
    assert made.status_code == 201 and made.json()["person"] == "ben"


def test_who_reads_a_directory_finds_it_in_the_api(owner: User, directory: Directory) -> None:
    mate = person("ben")
    share(directory, "ben")
    (row,) = Program(mate).get("directories").json()
    assert (row["id"], row["owner"], row["mine"]) == (directory.pk, "ada", False)
    assert Program(mate).get(f"directories/{directory.pk}/categories").json()["items"]
    assert Program(mate).send("delete", f"directories/{directory.pk}").status_code == 404
