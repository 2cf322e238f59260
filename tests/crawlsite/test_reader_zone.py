"""One time zone on a screen: the browser's; the API's is UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from crawlsite.reader_zone import ReaderZone
from tests.running_site import ROOT

MOMENT = datetime(2026, 11, 25, 18, 39, tzinfo=UTC)


def shown(path: str, zone: str) -> str:
    """The moment as a screen at the path writes it."""
    request = RequestFactory().get(path)
    request.COOKIES["zone"] = zone

    def view(request: object) -> HttpResponse:
        return HttpResponse(timezone.localtime(MOMENT).strftime("%d %H:%M"))

    return ReaderZone(view)(request).content.decode()


def test_a_screen_has_the_times_of_the_browser() -> None:
    assert shown("/crawls/2/pages/1/", "Asia%2FKolkata") == "26 00:09"
    assert shown("/crawls/2/pages/1/", "America/New_York") == "25 13:39"


def test_the_api_has_utc() -> None:
    assert shown("/api/crawls/2/", "Asia%2FKolkata") == "25 18:39"


@pytest.mark.parametrize("zone", ["", "Nowhere/X", "../etc/passwd", "Europe"])
def test_without_a_zone_the_settings_count(zone: str) -> None:
    assert shown("/crawls/", zone) == timezone.localtime(MOMENT).strftime("%d %H:%M")


@pytest.mark.django_db
def test_the_zone_is_named_once_a_page(client: Client, django_user_model: type) -> None:
    client.force_login(django_user_model.objects.create_user("mira"))
    client.cookies["zone"] = "Asia%2FKolkata"
    page = client.get("/topics/").content.decode()
    assert page.count("Times in Asia/Kolkata") == 1


# A moment of the database is in UTC, which only templates turn into the reader's zone themselves.
WRITTEN = re.compile(r"\{([^{}]*):%[^{}]*[YBbdHMm][^{}]*\}")
IN_A_ZONE = re.compile(r"localtime\(|astimezone\(|datetime\.now\(UTC\)")
OTHERS = {
    "apps/exports/references.py": "a file, in UTC as its other formats",
    "apps/exports/wacz.py": "a file, in UTC by its standard",
    "apps/months/changing_web.py": "the clock of a made web",
    "apps/screens/watch/timeline.py": "days that were told apart in the reader's zone",
    "apps/experiments/results/crawls/fairness.py": "days that were told apart in the reader's zone",
    "apps/watches/digest_text.py": "in the zone of the watch, which it names",
    "apps/watches/digests.py": "a key",
}


def test_code_writes_no_moment_but_in_the_zone_of_the_reader() -> None:
    bare = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "apps").rglob("*.py")
        if "management" not in path.parts
        for written in WRITTEN.findall(path.read_text("utf-8"))
        if not IN_A_ZONE.search(written)
    }
    assert bare == {*OTHERS}
