"""Demo webs of other seeds, made when they are called for."""

from __future__ import annotations

import pytest

from apps.demo.web import DemoWeb
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.services import demo_web_named

pytestmark = pytest.mark.django_db


def test_a_demo_web_is_made_once_by_its_seed() -> None:
    web = demo_web_named("demo-7")
    assert web is not None and web.source == Web.Source.DEMO
    made = DemoWeb(7)
    assert [*open_web(web).urls()] == [*made.urls()]
    assert (web.pages, web.hosts) == (made.count, len(made.hosts))
    assert demo_web_named("demo-7") == web


@pytest.mark.parametrize("name", ["demo", "demo-0", "demo-07", "demo-x", "demo-1234567890", "cora"])
def test_no_other_name_is_one(name: str) -> None:
    assert demo_web_named(name) is None


def test_a_recorded_web_of_that_name_stays_what_it_is() -> None:
    Web.objects.create(name="demo-3", source=Web.Source.FOLDER, folder="demo-3")
    assert demo_web_named("demo-3") is None
