"""What the share box shows, on a page of its own and on that of what is shared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from apps.accounts.models import Share
from apps.accounts.sharing import Shareable, shares_of

BRINGS = {
    "topic": "With it come its web and its crawls. Who may edit it can change the topic and steer "
             "its crawls, but neither delete it nor share it on.",
    "crawl": "With it come its pages and downloads. Who may edit it can steer and label it, but "
             "neither delete it nor share it on.",
    "web": "They may search it and use it for topics and crawls of their own.",
}


@dataclass(frozen=True, slots=True)
class ShareBox:
    """With whom a thing of a `kind` is shared. `refusal` stands at the field where `typed` is."""

    kind: str
    address: str
    shares: Sequence[Share]
    typed: str = ""
    refusal: str = ""

    @property
    def brings(self) -> str:
        """What the others may see and do, in a sentence or two."""
        return BRINGS[self.kind]

    @property
    def can_be_edited(self) -> bool:
        """Whether there is a choice between reading and editing: a web never changes."""
        return self.kind != "web"

    @property
    def with_everybody(self) -> bool:
        return any(share.everybody for share in self.shares)


def share_box(thing: Shareable, typed: str = "", refusal: str = "") -> ShareBox:
    """The box of a topic, a crawl or a web."""
    kind = type(thing).__name__.lower()
    address = reverse("sharing:shares", args=[kind, thing.pk])
    return ShareBox(kind, address, tuple(shares_of(thing)), typed, refusal)
