"""Every screen belongs to a section of the main links, or to none by intention."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.screens.templatetags.main_links import SECTIONS
from apps.screens.urls import SCREENS
from tests.people import person, site_of

NOWHERE = {"lists", "accounts", "machines", "uploads", "sharing", "downloads", "deletions"}


def test_every_app_of_screens_is_in_one_section_or_meant_to_be_in_none() -> None:
    named = [app for _, _, apps in SECTIONS for app in apps]
    assert sorted(named) == sorted(set(SCREENS) - NOWHERE)


@pytest.mark.django_db
def test_the_section_of_a_screen_is_marked_and_names_the_menu_of_phones() -> None:
    site = site_of(person("ada"))
    first = site.get(reverse("crawls:list")).text
    assert first.count('href="/crawls/" aria-current="page">Crawls') == 2
    below = site.get(reverse("compare:crawls")).text
    assert below.count('href="/crawls/" aria-current="true">Crawls') == 2
    assert '<summary class="bare">Crawls</summary>' in below
    assert '<summary class="bare">Menu</summary>' in site.get(reverse("accounts:account")).text
    assert "main-links" not in Client().get(reverse("accounts:sign_in")).text
