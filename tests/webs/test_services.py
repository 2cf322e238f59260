"""Demo webs of other seeds, made when they are called for."""

from __future__ import annotations

import pytest

from apps.demo.web import USUAL_PAGES, DemoWeb
from apps.schemas.refused import Refused
from apps.webs.labels import label_counts
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.replays import _identity
from apps.webs.services import demo_web_named

pytestmark = pytest.mark.django_db


def test_a_demo_web_is_made_once_by_its_seed() -> None:
    web = demo_web_named("demo-7")
    assert web is not None and web.source == Web.Source.DEMO
    made = DemoWeb(7)
    assert [*open_web(web).urls()] == [*made.urls()]
    assert (web.pages, web.hosts) == (made.count, len(made.hosts))
    assert demo_web_named("demo-7") == web


def test_a_demo_web_of_another_size_is_another_web() -> None:
    usual, small = demo_web_named("demo-7"), demo_web_named("demo-7-4000")
    assert usual is not None and small is not None and usual != small
    assert small.pages == len([*open_web(small).urls()]) == 4_000
    assert usual.pages == len([*open_web(usual).urls()]) == USUAL_PAGES
    assert label_counts(small) != label_counts(usual)
    assert _identity(small) != _identity(usual)


@pytest.mark.parametrize("name", ["demo-7-3999", "demo-7-200001"])
def test_a_size_that_no_demo_web_has_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="A demo web has 4,000 to 200,000 pages"):
        demo_web_named(name)
    assert not Web.objects.exists()


@pytest.mark.parametrize(
    "name", ["demo-7-0400", "demo", "demo-0", "demo-07", "demo-x", "demo-1234567890", "cora"]
)
def test_no_other_name_is_one(name: str) -> None:
    assert demo_web_named(name) is None


def test_a_recorded_web_of_that_name_stays_what_it_is() -> None:
    Web.objects.create(name="demo-3", source=Web.Source.FOLDER, folder="demo-3")
    assert demo_web_named("demo-3") is None
