"""Ways in and out: the one-time link, the password, signing out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts import services
from apps.accounts.guessing import (
    MOST_WRONG,
    MOST_WRONG_OF_ADDRESS,
    counts,
    note_wrong_password,
    too_many,
)
from apps.accounts.models import SignInLink

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough secret 7"


@pytest.fixture
def owner() -> Any:
    return services.ensure_owner()


def link(token: str) -> str:
    return reverse("accounts:link", args=[token])


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_the_first_account_is_made_once(owner: Any) -> None:
    assert owner.username == "owner" and owner.is_superuser and not owner.has_usable_password()
    assert services.ensure_owner() == owner
    assert User.objects.count() == 1


def test_a_superuser_made_by_hand_is_the_owner() -> None:
    admin = User.objects.create_superuser("ada", password=PASSWORD)
    assert services.ensure_owner() == admin


def test_an_ordinary_account_named_owner_is_left_alone() -> None:
    plain = User.objects.create_user("owner")
    made = services.ensure_owner()
    assert made != plain and made.username == "owner2" and made.is_superuser


def test_looking_at_a_link_uses_nothing_up(client: Client, owner: Any) -> None:
    token = services.make_link(owner)
    for _ in range(2):
        page = client.get(link(token))
        assert page.status_code == 200 and "Sign in as owner" in page.text
    assert not is_signed_in(client)


def test_the_button_signs_in_once(client: Client, owner: Any) -> None:
    token = services.make_link(owner)
    answer = client.post(link(token))
    assert answer.status_code == 302 and answer.url == "/"
    assert client.session["_auth_user_id"] == str(owner.pk)
    other = Client()
    for again in (other.post(link(token)), other.get(link(token))):
        assert again.status_code == 410 and "has been used already" in again.text
    assert not is_signed_in(other)


def test_of_two_at_once_one_signs_in(owner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    token = services.make_link(owner)
    seen = services.check_link(token)
    services.use_link(token)
    monkeypatch.setattr(services, "check_link", lambda _: seen)
    with pytest.raises(services.LinkRefused) as refusal:
        services.use_link(token)
    assert refusal.value.code == "used"


def test_a_link_expires(client: Client, owner: Any) -> None:
    token = services.make_link(owner)
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    answer = client.post(link(token))
    assert answer.status_code == 410 and "has expired" in answer.text
    assert not is_signed_in(client)


def test_a_link_is_good_for_ten_minutes(owner: Any) -> None:
    before = timezone.now()
    services.make_link(owner)
    left = SignInLink.objects.get().expires_at - before
    assert timedelta(minutes=9, seconds=59) < left < timedelta(minutes=10, seconds=30)


@pytest.mark.parametrize("token", ["x", "a" * 43, "'or'1", "%00"])
def test_a_made_up_link_signs_nobody_in(client: Client, token: str) -> None:
    answer = client.post(link(token))
    assert answer.status_code == 410 and "does not sign you in" in answer.text


def test_a_link_of_a_switched_off_account_signs_nobody_in(client: Client, owner: Any) -> None:
    token = services.make_link(owner)
    User.objects.update(is_active=False)
    assert client.post(link(token)).status_code == 410


def test_no_token_is_stored(owner: Any) -> None:
    token = services.make_link(owner)
    assert token not in str(SignInLink.objects.values())


def test_the_link_needs_a_csrf_token(owner: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(link(services.make_link(owner)))
    assert answer.status_code == 403 and "reload the page" in answer.text
    assert not is_signed_in(client)


def test_a_password_signs_in_and_leads_on(client: Client) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    data = {"username": "ada", "password": PASSWORD, "next": "/password/"}
    answer = client.post(reverse("accounts:sign_in"), data)
    assert answer.status_code == 302 and answer.url == "/password/"


def test_it_leads_to_no_other_host(client: Client) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    data = {"username": "ada", "password": PASSWORD, "next": "https://evil.example/"}
    assert client.post(reverse("accounts:sign_in"), data).url == "/"


def test_a_wrong_password_is_reported_in_words(client: Client, owner: Any) -> None:
    data = {"username": "owner", "password": "guess"}
    answer = client.post(reverse("accounts:sign_in"), data)
    assert answer.status_code == 200 and "No account has this name and password" in answer.text


def test_who_guesses_has_to_wait(client: Client) -> None:
    for name in ("guessed", "spared"):
        User.objects.create_superuser(name, password=PASSWORD)
    address, admin = reverse("accounts:sign_in"), reverse("admin:login")
    for wrong in range(MOST_WRONG - 1):
        answer = client.post(address, {"username": "guessed", "password": f"guess {wrong}"})
        assert "No account has this name and password" in answer.text
    answer = client.post(address, {"username": "guessed", "password": "guess"})
    assert "wait five minutes" in answer.text
    for form in (address, admin):
        client.post(form, {"username": "guessed", "password": PASSWORD})
        assert not is_signed_in(client)
    client.post(address, {"username": "spared", "password": PASSWORD})
    assert is_signed_in(client)
    counts.clear()
    other = Client()
    other.post(address, {"username": "guessed", "password": PASSWORD})
    assert is_signed_in(other)


def guess(client: Client, name: str, **headers: str) -> str:
    data = {"username": name, "password": "guess"}
    return client.post(reverse("accounts:sign_in"), data, **headers).text


def test_an_address_that_tries_many_names_has_to_wait(client: Client) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    for number in range(MOST_WRONG_OF_ADDRESS - 1):
        assert "No account has this name and password" in guess(client, f"name {number}")
    assert "from your address: wait five minutes" in guess(client, "one more")
    data = {"username": "ada", "password": PASSWORD}
    client.post(reverse("accounts:sign_in"), data)
    assert not is_signed_in(client)
    client.post(reverse("accounts:sign_in"), data, REMOTE_ADDR="203.0.113.9")
    assert is_signed_in(client)


def test_behind_a_proxy_a_stranger_keeps_nobody_else_out(client: Client, settings) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    for _ in range(MOST_WRONG):
        guess(client, "ada", HTTP_X_FORWARDED_FOR="198.51.100.1")
    assert "wait five minutes" in guess(client, "ada", HTTP_X_FORWARDED_FOR="198.51.100.1")
    data = {"username": "ada", "password": PASSWORD}
    client.post(reverse("accounts:sign_in"), data, HTTP_X_FORWARDED_FOR="203.0.113.9")
    assert is_signed_in(client)


def test_an_address_that_is_refused_fills_no_memory(client: Client) -> None:
    for number in range(MOST_WRONG_OF_ADDRESS + 20):
        guess(client, f"name {number}")
    assert len(counts._cache) == MOST_WRONG_OF_ADDRESS + 1


def test_the_old_password_is_not_guessed_in_the_form_of_a_new_one(client: Client) -> None:
    ada = User.objects.create_user("ada", password=PASSWORD)
    client.force_login(ada)
    new = {"new_password1": "another secret 8", "new_password2": "another secret 8"}
    for _ in range(MOST_WRONG):
        client.post(reverse("accounts:password"), {"old_password": "guess", **new})
    answer = client.post(
        reverse("accounts:password"), {"old_password": PASSWORD, **new}, follow=True
    )
    assert "wait five minutes" in answer.text
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_ten_wrong_passwords_bar_a_name_for_five_minutes_from_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr("django.core.cache.backends.locmem.time.time", lambda: now[0])
    for _ in range(9):
        note_wrong_password(None, {"username": "guessed"})
        now[0] += 10
    assert not too_many(None, "guessed")
    note_wrong_password(None, {"username": "guessed"})
    assert too_many(None, "guessed")
    now[0] = 1_000_299.5
    assert too_many(None, "guessed")
    now[0] = 1_000_300.5
    assert not too_many(None, "guessed")


def test_other_names_do_not_push_a_waiting_name_out() -> None:
    for _ in range(MOST_WRONG):
        note_wrong_password(None, {"username": "guessed"})
    for number in range(2_000):
        note_wrong_password(None, {"username": f"name {number}"})
    assert too_many(None, "guessed")


def test_signing_out_takes_a_post(client: Client, owner: Any) -> None:
    client.force_login(owner)
    assert client.get(reverse("accounts:sign_out")).status_code == 405
    assert is_signed_in(client)
    page = client.post(reverse("accounts:sign_out"), follow=True)
    assert "You are signed out." in page.text
    assert not is_signed_in(client)


def test_pages_ask_for_signing_in(client: Client) -> None:
    answer = client.get(reverse("accounts:password"))
    assert answer.status_code == 302 and answer.url == "/sign-in/?next=/password/"


def test_the_first_password_needs_no_old_one(client: Client, owner: Any) -> None:
    client.force_login(owner)
    page = client.get(reverse("accounts:password"))
    assert "Choose a password" in page.text and "old_password" not in page.text
    data = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    page = client.post(reverse("accounts:password"), data, follow=True)
    assert "The new password is in force." in page.text
    owner.refresh_from_db()
    assert owner.check_password(PASSWORD) and is_signed_in(client)


def test_a_later_password_needs_the_old_one(client: Client) -> None:
    ada = User.objects.create_user("ada", password=PASSWORD)
    client.force_login(ada)
    data = {"old_password": "wrong", "new_password1": "other " + PASSWORD}
    data["new_password2"] = data["new_password1"]
    page = client.post(reverse("accounts:password"), data)
    assert page.status_code == 200 and "old password was entered incorrectly" in page.text
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_the_command_prints_a_link_that_works(client: Client, capsys) -> None:
    call_command("sign_in_link")
    address = capsys.readouterr().out.strip()
    assert address.startswith("http://127.0.0.1:")
    assert client.post(address.partition("8000")[2]).status_code == 302
    assert is_signed_in(client)


def test_the_command_knows_who_is_not_there() -> None:
    with pytest.raises(CommandError, match="no active account named 'nobody'"):
        call_command("sign_in_link", "nobody")


def test_superusers_alone_see_the_administration(client: Client, owner: Any) -> None:
    client.force_login(User.objects.create_user("ada"))
    assert client.get("/admin/").status_code == 302
    client.force_login(owner)
    assert client.get("/admin/").status_code == 200


def test_an_unknown_address_has_a_page_of_ours(client: Client, owner: Any) -> None:
    client.force_login(owner)
    answer = client.get("/nothing-here/")
    assert answer.status_code == 404 and "There is nothing here" in answer.text


def test_every_page_carries_the_policy(client: Client) -> None:
    policy = client.get(reverse("accounts:sign_in")).headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
