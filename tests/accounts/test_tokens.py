"""Tokens: made, shown once, used, revoked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.accounts import tokens
from apps.accounts.models import ApiToken
from tests.people import person, site_of

pytestmark = pytest.mark.django_db
ACCOUNT = "/account/"


@pytest.fixture
def ada():
    return person("ada")


def test_it_shows_a_new_token_once_and_keeps_its_digest_only(ada) -> None:
    site = site_of(ada)
    page = site.post(ACCOUNT, {"name": "nightly export"})
    text = page.context["text"]
    assert text in page.content.decode()
    assert text not in site.get(ACCOUNT).content.decode()
    stored = ApiToken.objects.get()
    assert (stored.name, stored.user) == ("nightly export", ada)
    assert text not in stored.digest and len(stored.digest) == 64


def test_a_token_lets_its_owner_in_until_it_is_revoked(ada) -> None:
    token, text = tokens.make_token(ada, "a")
    assert tokens.token_user(text) == ada
    answer = site_of(ada).post(reverse("accounts:revoke", args=[token.pk]))
    assert answer.status_code == 302
    assert tokens.token_user(text) is None


def test_nobody_revokes_anothers_token(ada) -> None:
    token, text = tokens.make_token(ada, "a")
    answer = site_of(person("eve")).post(reverse("accounts:revoke", args=[token.pk]))
    assert answer.status_code == 404
    assert tokens.token_user(text) == ada


def test_a_token_of_an_account_switched_off_is_worth_nothing(ada) -> None:
    _, text = tokens.make_token(ada, "a")
    ada.is_active = False
    ada.save()
    assert tokens.token_user(text) is None


@pytest.mark.parametrize("text", ["", "cs_", "nonsense", "\udcff", "cs_" + "x" * 10_000])
def test_no_other_text_lets_anybody_in(ada, text: str) -> None:
    tokens.make_token(ada, "a")
    assert tokens.token_user(text) is None


def test_it_notes_when_a_token_was_used_but_not_at_each_request(ada) -> None:
    token, text = tokens.make_token(ada, "a")
    tokens.token_user(text)
    token.refresh_from_db()
    first = token.used_at
    assert first is not None
    tokens.token_user(text)
    token.refresh_from_db()
    assert token.used_at == first
    ApiToken.objects.update(used_at=timezone.now() - timedelta(hours=1))
    tokens.token_user(text)
    token.refresh_from_db()
    assert token.used_at >= first


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_token_needs_a_name(ada, name: str) -> None:
    page = site_of(ada).post(ACCOUNT, {"name": name})
    assert "what the token is for" in page.content.decode()
    assert not ApiToken.objects.exists()


def test_there_is_an_end_to_tokens(ada) -> None:
    for number in range(tokens.MOST_A_PERSON):
        tokens.make_token(ada, str(number))
    with pytest.raises(tokens.TokenRefused, match="revoke one"):
        tokens.make_token(ada, "one more")
