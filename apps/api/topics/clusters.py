"""The clusters of a topic's collection, and what is missing in it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Router, Schema

from apps.accounts.requests import SignedInRequest
from apps.api.refusals import Refusal
from apps.api.topics.topics import editable, visible
from apps.collection.clusters.overview import Coverage, cluster_overview
from apps.collection.clusters.tasks import refresh_clusters

router = Router(tags=["clusters of topics"])


class NearestPage(Schema):
    crawl: int
    page: int
    url: str
    title: str


class ClusterOut(Schema):
    """Pages that are near to each other, of which `judged` have a verdict and `relevant` are
    relevant, null if none is judged; `words` tell it from the other clusters, `nearest` are nearest
    to its centre.
    `topics/N/pages?cluster=…` lists its pages until the clusters are made anew."""

    cluster: int
    words: list[str]
    pages: int
    judged: int
    relevant: int | None
    nearest: list[NearestPage]


class CoverageOut(Schema):
    """A keyword with the number of pages that have it, or an example (`url`) with the number of
    pages near to it when the clusters were made; `few`: fewer than ten, null where pages that are
    not indexed yet may be enough."""

    words: str
    url: str
    pages: int
    few: bool | None


class ClusterList(Schema):
    """`loose` pages are in no cluster. `typical` is the similarity from which a page is near to an
    example: half of the pages have ten others so near; null before clusters are made. `making`:
    clusters are being made in the background."""

    made_at: datetime | None
    making: bool
    loose: int
    typical: float | None
    clusters: list[ClusterOut]
    keywords: list[CoverageOut]
    examples: list[CoverageOut]


class MakingOut(Schema):
    """Whether clusters are being made; false while no page can be compared."""

    making: bool


@router.get(
    "/{int:topic_id}/clusters",
    response={200: ClusterList, 404: Refusal},
    summary="Show the clusters of a topic's pages",
)
def show_clusters(request: SignedInRequest, topic_id: int) -> Any:
    """The clusters of all visible crawls of a topic, and how many pages there are for its keywords
    and examples. They are made in the background once pages can be compared."""
    visible(request, topic_id)
    seen = cluster_overview(request.user, topic_id)
    return {
        "made_at": seen.clustering.made_at,
        "making": seen.clustering.is_under_way,
        "loose": seen.loose,
        "typical": seen.typical,
        "clusters": [
            {
                "cluster": row.cluster.pk,
                "words": row.cluster.words,
                "pages": row.pages,
                "judged": row.judged,
                "relevant": row.relevant_pages,
                "nearest": [
                    {"crawl": p.crawl_id, "page": p.seq, "url": p.final_url, "title": p.title}
                    for p in row.nearest
                ],
            }
            for row in seen.clusters
        ],
        "keywords": [*map(_coverage, seen.keywords)],
        "examples": [*map(_coverage, seen.examples)],
    }


@router.post(
    "/{int:topic_id}/clusters",
    response={200: MakingOut, 404: Refusal},
    summary="Make the clusters of a topic anew",
)
def make_topic_clusters(request: SignedInRequest, topic_id: int) -> Any:
    """Makes the clusters in the background; they get new numbers."""
    return {"making": refresh_clusters(editable(request, topic_id), anew=True).is_under_way}


def _coverage(row: Coverage) -> dict[str, Any]:
    return {"words": row.words, "url": row.address, "pages": row.pages, "few": row.few}
