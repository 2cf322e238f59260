"""Pages read of a topic, made of HTML."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apps.engine.parsing.document import parse_html
from apps.engine.topics import CrawledPage, Topic
from apps.experiments.models import ExperimentTopic
from apps.experiments.studies.reading import TopicPages


def read(
    *pages: tuple[str, str],
    critic: Sequence[float] = (),
    relevant: Sequence[bool] = (),
    inlinks: dict[str, int] | None = None,
) -> TopicPages:
    """Pages as (URL, HTML), with the critic's scores (1 unless given) and whether each is
    relevant (yes unless told)."""
    crawled = tuple(CrawledPage(url, parse_html(html, url)) for url, html in pages)
    return TopicPages(
        ExperimentTopic(pk=1, name="ants"),
        Topic("ants", language="en", inlinks=inlinks or {}),
        crawled,
        np.array(critic or [1.0] * len(crawled)),
        np.array(relevant or [True] * len(crawled), np.bool_),
    )
