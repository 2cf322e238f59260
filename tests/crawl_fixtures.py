"""A person and a running crawl."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from apps.crawls.models import Crawl
from tests.crawl_rows import made_crawl, made_topic


@pytest.fixture
def owner(db) -> User:
    return get_user_model().objects.create_user("ada", first_name="Ada")


@pytest.fixture
def stranger(db) -> User:
    return get_user_model().objects.create_user("eve")


@pytest.fixture
def crawl(owner) -> Crawl:
    return made_crawl(made_topic(owner))
