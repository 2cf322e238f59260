"""What the files of a host say stands in its dossier beside what its pages say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from apps.crawls.models import SiteFile, SiteOptOut
from apps.dossiers.signs import HostSign, host_signs
from tests.crawl_rows import made_topic
from tests.people import person

pytestmark = pytest.mark.django_db
FIRST, LAST = (datetime(2026, 11, day, tzinfo=UTC) for day in (3, 20))
TDM, AI = "/.well-known/tdmrep.json", "/ai.txt"


@pytest.fixture
def topic():
    topic = made_topic(person("ada"))
    for path in (TDM, AI):
        SiteFile.objects.create(
            topic=topic, origin="http://a.test", host="a.test", path=path, read_at=LAST, status=200
        )
    return topic


def reserve(topic, **values) -> None:
    SiteOptOut.objects.create(
        topic=topic,
        origin="http://a.test",
        host="a.test",
        path=TDM,
        form="tdmrep",
        text="/: tdm-reservation: 1",
        reserves=True,
        since=FIRST,
        read_at=LAST,
        **values,
    )


def signs_of(topic, host: str = "a.test") -> dict[str, HostSign]:
    return {sign.id: sign for sign in host_signs(topic, host, [], [])}


def test_a_file_that_reserves_something_comes_with_its_first_day(topic) -> None:
    reserve(topic)
    sign = signs_of(topic)[TDM]
    assert (sign.text, sign.since, sign.reserves) == ("/: tdm-reservation: 1", FIRST, True)
    assert sign.done == "recorded; obeyed by crawls whose scope says so"
    assert next(iter(signs_of(topic))) == TDM


def test_a_sign_that_has_ended_has_its_end_in_the_zone_of_the_reader(topic) -> None:
    reserve(topic, ended_at=LAST)
    assert signs_of(topic)[TDM].done == "no longer there on 20 November 2026"
    with timezone.override("Pacific/Kiritimati"):
        late = datetime(2026, 11, 20, 20, tzinfo=UTC)
        SiteOptOut.objects.update(ended_at=late)
        assert signs_of(topic)[TDM].done == "no longer there on 21 November 2026"


def test_a_file_without_a_sign_was_looked_for_in_vain(topic) -> None:
    sign = signs_of(topic)[AI]
    assert (sign.looked, sign.number) == (1, 0)
    assert AI not in signs_of(topic, "b.test")
