"""Accounts in Django's admin: switched off, never deleted."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from apps.accounts.models import ApiToken
from apps.accounts.tokens import make_token
from apps.topics.models import Topic
from tests.crawl_rows import made_topic
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
LIST = "/admin/auth/user/"


@pytest.fixture
def ada() -> User:
    return person("ada", is_superuser=True, is_staff=True)


@pytest.fixture
def admin(ada: User) -> Client:
    return site_of(ada)


@pytest.fixture
def eve() -> User:
    eve = person("eve")
    made_topic(eve)
    make_token(eve, "laptop")
    site_of(eve)
    return eve


def test_no_screen_deletes_an_account(admin: Client, eve: User) -> None:
    assert admin.get(f"{LIST}{eve.pk}/delete/").status_code == 403
    assert admin.post(f"{LIST}{eve.pk}/delete/", {"post": "yes"}).status_code == 403
    for path in (LIST, f"{LIST}{eve.pk}/change/"):
        page = admin.get(path).content.decode()
        assert "delete_selected" not in page and "/delete/" not in page
    chosen = {"action": "delete_selected", "_selected_action": [eve.pk], "post": "yes"}
    admin.post(LIST, chosen)
    assert User.objects.filter(pk=eve.pk).exists() and Topic.objects.filter(owner=eve).exists()


def test_the_list_switches_accounts_off_and_on(admin: Client, eve: User) -> None:
    chosen = {"_selected_action": [eve.pk]}
    page = admin.post(LIST, {**chosen, "action": "switch_accounts_off"}, follow=True)
    assert "Switched off and signed out everywhere: eve." in page.content.decode()
    assert is_off(eve)
    admin.post(LIST, {**chosen, "action": "switch_accounts_on"})
    assert User.objects.get(pk=eve.pk).is_active


def test_taking_active_away_in_the_form_signs_out(admin: Client, eve: User) -> None:
    form = admin.get(f"{LIST}{eve.pk}/change/").context["adminform"].form
    values = {name: value for name, value in form.initial.items() if value and name != "is_active"}
    stamps = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    admin.post(f"{LIST}{eve.pk}/change/", {**values, **stamps})
    assert is_off(eve)


def test_nobody_switches_off_their_own_account(admin: Client, ada: User) -> None:
    chosen = {"_selected_action": [ada.pk], "action": "switch_accounts_off"}
    page = admin.post(LIST, chosen, follow=True)
    assert "You cannot switch off your own account." in page.content.decode()
    assert User.objects.get(pk=ada.pk).is_active


def is_off(account: User) -> bool:
    """Whether it has neither sign-in nor session nor token."""
    sessions = [session.get_decoded() for session in Session.objects.all()]
    return (
        not User.objects.get(pk=account.pk).is_active
        and not any(session.get("_auth_user_id") == str(account.pk) for session in sessions)
        and not ApiToken.objects.filter(user=account).exists()
    )
