"""Requests that cannot be read get a page of ours."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from apps.webs.models import Web
from tests.shared_store import On, Store


@pytest.mark.django_db
def test_a_form_that_is_too_large_is_reported_in_the_house_style(client: Client, settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2**20
    client.force_login(get_user_model().objects.create_user("ada"))
    answer = client.post(reverse("topic:new"), {"name": "Bees", "seeds": "x" * 2**20})
    assert answer.status_code == 413
    assert "A form may hold 1 MB" in answer.content.decode()
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 1
    answer = client.post(reverse("topic:new"), {"name": "Bees", "seeds": "x"})
    assert answer.status_code == 400
    assert "cannot be read" in answer.content.decode()


@pytest.fixture
def web(on: On, client: Client) -> Web:
    """A web of which nothing can be had, since the store is down."""
    on("a")
    client.force_login(get_user_model().objects.create_user("ada", is_superuser=True))
    Store.down = True
    return Web.objects.create(name="coast", source=Web.Source.FOLDER, folder="coast", pages=1)


@pytest.mark.django_db
def test_a_page_names_what_it_lacks_of_a_store_that_is_down(client: Client, web: Web) -> None:
    answer = client.get(reverse("webs:web", args=[web.pk]))
    assert answer.status_code == 200
    assert "store of files does not answer as it should: nobody is there." in (
        answer.content.decode()
    )


@pytest.mark.django_db
def test_a_page_that_is_nothing_without_its_file_has_a_reason(client: Client, web: Web) -> None:
    answer = client.get(reverse("webs:stored", args=[web.pk, 0]))
    assert answer.status_code == 503
    assert "This page needs a file, and the store of files does not" in answer.content.decode()


@pytest.mark.django_db
def test_the_pages_of_a_web_cannot_be_chosen_before_they_are_indexed(client: Client) -> None:
    client.force_login(get_user_model().objects.create_user("ada", is_superuser=True))
    web = Web.objects.create(name="coast", source=Web.Source.FOLDER, folder="coast", pages=1)
    answer = client.get(reverse("webs:numbers", args=[web.pk]))
    assert answer.status_code == 422
    assert "The pages are being indexed (0 of 1)" in answer.json()["message"]
