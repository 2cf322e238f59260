"""Groups on the administrators' page."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from tests.people import person, site_of

pytestmark = pytest.mark.django_db
MAKE = reverse("accounts:make_group")


@pytest.fixture
def site():
    return site_of(person("ada", is_superuser=True))


def test_to_others_there_are_no_groups() -> None:
    group = Group.objects.create(name="bakers")
    eve = site_of(person("eve"))
    for address in (MAKE, reverse("accounts:change_group", args=[group.pk])):
        assert eve.post(address, {"group": "x", "member": "eve"}).status_code == 404
    assert list(Group.objects.values_list("name", flat=True)) == ["bakers"]
    assert not group.user_set.exists()


def test_a_group_is_made_filled_emptied_and_deleted(site) -> None:
    bob = person("bob")
    assert "bakers" in site.post(MAKE, {"group": "bakers"}, follow=True).content.decode()
    group = Group.objects.get()
    address = reverse("accounts:change_group", args=[group.pk])
    site.post(address, {"member": "bob"})
    assert list(group.user_set.all()) == [bob]
    assert site.post(address, {"remove": "²"}).status_code == 200
    site.post(address, {"remove": bob.pk})
    assert not group.user_set.exists()
    site.post(address, {"delete": "yes"})
    assert not Group.objects.exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Give the group a name without control characters."),
        ("team\x07", "Give the group a name without control characters."),
        ("ada", "There is an account of this name"),
        ("bakers", "There is a group of this name already."),
    ],
)
def test_a_refused_group_gives_the_reason_at_its_field(site, name: str, message: str) -> None:
    Group.objects.create(name="bakers")
    page = site.post(MAKE, {"group": name}).content.decode()
    assert message in page and f'value="{name}" aria-invalid="true"' in page
    assert Group.objects.count() == 1


def test_an_unknown_member_is_refused_at_the_field(site) -> None:
    group = Group.objects.create(name="bakers")
    address = reverse("accounts:change_group", args=[group.pk])
    page = site.post(address, {"member": "nobody"}).content.decode()
    assert "There is no account named nobody." in page
    assert 'value="nobody" aria-invalid="true"' in page


def test_a_person_is_not_named_like_a_group(site) -> None:
    Group.objects.create(name="bakers")
    page = site.post(reverse("accounts:administration"), {"name": "bakers"}).content.decode()
    assert "There is a group of this name: choose another." in page
