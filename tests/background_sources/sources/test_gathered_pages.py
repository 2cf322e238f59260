"""Pages gathered for a background: those listed, those they link to, and none of them twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from apps.background_sources import services
from apps.background_sources.services import BackgroundSent
from apps.background_sources.sources.source import gathered_folder
from apps.backgrounds.files import texts_of
from apps.backgrounds.models import Background
from apps.engine.answers import Answer
from apps.engine.networking.webs.virtual_web import read
from apps.schemas.refused import Refused
from apps.topics.examples import fetching
from tests.background import work_on
from tests.ended_process import ENDED
from tests.made_web import MadeWeb

MADE = MadeWeb(pages=120, hosts=6)


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """The addresses asked of the live Web, which is the made one here."""
    asked: list[str] = []

    def fetch(wanted: Sequence[str]) -> Iterator[tuple[str, Answer]]:
        for url in wanted:
            asked.append(url)
            yield url, read(MADE, url)

    monkeypatch.setattr(fetching, "fetch_live", fetch)
    return asked


def wanted(owner, addresses: list[str], **options: int) -> Background:
    sent = BackgroundSent(source="addresses", options={"addresses": addresses, **options})
    return services.make_background(owner, sent)


def public(number: int) -> str:
    return MADE.url(number)


def test_the_pages_listed_are_fetched_and_those_that_fail_are_passed_over(
    owner, data_dir, asked
) -> None:
    made = wanted(owner, [public(0), public(1), "http://h0.test/none", public(2)])
    work_on(made.newest)
    assert [pair[0] for pair in texts_of(made.ready).urls] == [public(0), public(1), public(2)]
    assert made.name == "Gathered from h0.test"
    assert made.ready.made_of == "3 pages: 4 listed ones of 1 host"


def test_further_pages_are_drawn_from_their_links_until_there_are_enough(
    owner, data_dir, asked
) -> None:
    made = wanted(owner, [public(0), public(1)], further=20)
    work_on(made.newest)
    assert made.ready.texts == 22 and len(set(asked)) == len(asked)
    again = wanted(owner, [public(0), public(1)], further=20)
    work_on(again.newest)
    assert again.ready.digest == made.ready.digest


def test_a_building_that_was_cut_off_asks_for_no_page_again(owner, data_dir, asked, monkeypatch):
    made = wanted(owner, [public(0), public(1)], further=12)
    before = fetching.fetch_live

    def breaks_off(urls: Sequence[str]) -> Iterator[tuple[str, Answer]]:
        for url, answer in before(urls):
            if len(asked) > 6:
                raise KeyboardInterrupt
            yield url, answer

    monkeypatch.setattr(fetching, "fetch_live", breaks_off)
    with pytest.raises(KeyboardInterrupt):
        work_on(made.newest)
    had = asked[:-1]
    assert len(had) == 6
    monkeypatch.setattr(fetching, "fetch_live", before)
    type(made.newest).objects.update(job_worker=ENDED)
    services.queue.requeue_lost()
    made.refresh_from_db()
    asked.clear()
    work_on(made.newest)
    assert not set(asked) & set(had) and made.ready.texts == 14
    assert not list(gathered_folder(made).glob("*"))


def test_an_address_that_is_none_is_named(owner, data_dir) -> None:
    for addresses, words in ((["http://10.0.0.1/"], "private network"), (["rye"], "not a web")):
        with pytest.raises(Refused, match=words) as refused:
            wanted(owner, addresses)
        assert refused.value.field == "addresses"
    with pytest.raises(Refused, match="Give 1 to 5,000 addresses"):
        wanted(owner, [])
