"""The settings of a watch as a form that was opened in two tabs."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from apps.watches.models import Watch
from tests.people import person, site_of
from tests.watch_fixtures import watch  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
SETTINGS = {
    "rhythm": "hours",
    "hours": "24",
    "time_zone": "UTC",
    "requests": "200",
    "versions": "20",
    "starts_at": "2026-11-25T08:00",
    "quiet_from": "07:00",
    "quiet_until": "19:00",
}


@pytest.fixture
def owner(db):
    return person("ada")


@pytest.fixture
def site(owner) -> Client:
    return site_of(owner)


@pytest.fixture
def at(watch: Watch, site: Client) -> str:
    """The address of the form, after all settings were given."""
    address = f"/topics/{watch.topic_id}/watch/"
    assert site.post(f"{address}settings/", SETTINGS).status_code == 302
    return address


def hidden(page: str, name: str) -> str:
    (value,) = re.findall(rf'name="{name}" value="([^"]*)"', page)
    return value.replace("&quot;", '"')


def opened(site: Client, at: str) -> str:
    """The digests of a form that is opened now."""
    return hidden(site.get(at).content.decode(), "base")


def test_nothing_is_asked_if_nothing_was_changed_elsewhere(watch, site, at) -> None:
    sent = {**SETTINGS, "requests": "50", "base": opened(site, at)}
    assert site.post(f"{at}settings/", sent).status_code == 302
    watch.refresh_from_db()
    assert watch.requests == 50


def test_settings_of_two_tabs_are_shown_and_merged_by_field(watch, site, at) -> None:
    base = opened(site, at)
    assert site.post(f"{at}settings/", {**SETTINGS, "requests": "90", "base": base}).status_code
    mine = {**SETTINGS, "hours": "6", "base": base}
    answer = site.post(f"{at}settings/", mine)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "These settings were changed in another tab" in page
    assert (
        "There the limit of requests a visit was changed; here the interval in hours was changed"
        in page
    )
    watch.refresh_from_db()
    assert (watch.requests, watch.hours) == (90, 24)
    chosen = {**mine, "merge": "both", "present": hidden(page, "present")}
    assert site.post(f"{at}settings/", chosen).status_code == 302
    watch.refresh_from_db()
    assert (watch.requests, watch.hours) == (90, 6)


def test_where_both_have_changed_a_setting_the_person_chooses(watch, site, at) -> None:
    base = opened(site, at)
    site.post(f"{at}settings/", {**SETTINGS, "requests": "90", "base": base})
    mine = {**SETTINGS, "requests": "30", "base": base}
    present = hidden(site.post(f"{at}settings/", mine).content.decode(), "present")
    theirs = {**mine, "merge": "both", "present": present, "take-requests": "stored"}
    site.post(f"{at}settings/", theirs)
    watch.refresh_from_db()
    assert watch.requests == 90
    site.post(f"{at}settings/", {**mine, "merge": "mine", "present": present})
    watch.refresh_from_db()
    assert watch.requests == 30
