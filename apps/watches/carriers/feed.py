"""The Atom feed of a watch, at a secret address."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid5

from django.utils.feedgenerator import Atom1Feed

from apps.watches.carriers.carrier import CarrierProblem, DigestMessage
from apps.watches.digest_text import text_of, title_of, watch_address
from apps.watches.models import Digest, DigestSubscription
from apps.watches.search_news import content_for

ENTRIES = 50
TYPE = "application/atom+xml; charset=utf-8"
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML cannot hold: one title with it would end the whole feed."""
_NAMES = UUID("7b0c6a52-3b0f-4f0d-9a55-6a2b4f0c8a31")


class AtomFeed:
    """Asked for by a reader of feeds; nothing is sent."""

    id = "feed"
    title = "Atom feed"
    sentence = "An address for a reader of feeds. Whoever has it can read the digests."
    target_words = ""
    needs_address = False

    def refusal(self) -> str:
        return ""

    def check_target(self, target: str) -> str:
        return ""

    def send(self, target: str, secret: str, message: DigestMessage) -> str:
        raise CarrierProblem("A feed is asked for, nothing is sent.", is_final=True)


class _DatedFeed(Atom1Feed):
    """Is as old as its newest entry, not as its last reading."""

    def latest_post_date(self) -> datetime:
        dates = [item["updateddate"] for item in self.items if item["updateddate"]]
        made: datetime = self.feed["made_at"]
        return max(dates, default=made)


def render_feed(
    subscription: DigestSubscription, digests: Sequence[Digest], address: str, base: str
) -> bytes:
    """The feed of a subscription that is read at `address`; the links of its entries lead to the
    site at `base`."""
    watch = subscription.watch
    feed = _DatedFeed(
        title=f"{watch.topic.name}: what is new",
        link=watch_address(watch.topic_id, base),
        description="",
        feed_url=address,
        feed_guid=f"urn:uuid:{uuid5(_NAMES, f'{watch.pk}-{watch.created_at.isoformat()}')}",
        author_name="crawlsite",
        made_at=watch.created_at,
    )
    for digest in digests[:ENTRIES]:
        content = content_for(digest, subscription.person, subscription.searches_only)
        feed.add_item(
            title=_FORBIDDEN.sub(" ", title_of(content)),
            link=f"{watch_address(watch.topic_id, base)}#{digest.key}",
            description=_FORBIDDEN.sub(" ", text_of(content, base)),
            unique_id=f"urn:uuid:{uuid5(_NAMES, f'{watch.pk}-{digest.key}-{digest.pk}')}",
            pubdate=digest.at,
            updateddate=digest.at,
        )
    return feed.writeString("utf-8").encode()


def etag_of(body: bytes) -> str:
    """The entity tag of a rendered feed, quoted."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


FEED = AtomFeed()
