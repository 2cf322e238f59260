"""A topic of a made web."""

from __future__ import annotations

from pathlib import Path

from django.contrib.auth.models import User

from apps.research.bench.articles import ArticleWeb
from apps.research.bench.screens.large_site import make_topic, recorded_articles
from apps.topics.models import Topic

HOSTS = 40


def make_topic_of_articles(folder: Path, pages: int) -> Topic:
    """A trained topic of a web of so many pages, in an empty site; `folder` is for a file on the
    way."""
    owner = User.objects.create_superuser("bench")
    articles = ArticleWeb(pages=pages, hosts=HOSTS)
    return make_topic(articles, recorded_articles(articles, folder, owner), owner)
