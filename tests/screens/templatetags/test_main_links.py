"""Every screen belongs to a section of the main links, or to none by intention."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from apps.screens.templatetags.main_links import SECTIONS, section_of
from apps.screens.urls import SCREENS
from tests.people import person, site_of

NOWHERE = {"lists", "accounts", "machines", "uploads", "sharing", "downloads", "deletions"}


def test_every_app_of_screens_is_in_one_section_or_meant_to_be_in_none() -> None:
    names = [name for _, _, names in SECTIONS for name in names]
    apps = [name for name in names if ":" not in name]
    assert sorted(apps) == sorted(set(SCREENS) - NOWHERE)
    for screen in set(names) - set(apps):
        reverse(screen, args=[1])


def test_a_screen_may_belong_elsewhere_than_its_kin() -> None:
    assert section_of("left_out", "left_out:crawl") == "Crawls"
    assert section_of("left_out", "left_out:topic") == "Topics"
    assert section_of("accounts", "accounts:account") == ""


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
