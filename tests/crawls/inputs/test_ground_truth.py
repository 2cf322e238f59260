"""The ground truth given to the measures of a crawl."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from apps.crawls.inputs.ground_truth import relevant_pages
from apps.crawls.models import Crawl
from apps.topics.models import Topic
from tests.made_web import MadeWeb

pytestmark = pytest.mark.django_db


@pytest.fixture
def crawl() -> Crawl:
    """A crawl that is not stored: what is known depends on its topic and its owner alone."""
    owner = get_user_model().objects.create_user("ada")
    return Crawl(owner=owner, topic=Topic(owner=owner, name="bread", web_label="bread"))


def test_the_pages_that_carry_the_label_are_counted(crawl):
    assert relevant_pages(crawl, MadeWeb(pages=40)) == 10


def test_without_a_label_or_a_recorded_web_nothing_is_known(crawl):
    assert relevant_pages(crawl, None) is None
    crawl.topic.web_label = ""
    assert relevant_pages(crawl, MadeWeb(pages=40)) is None
