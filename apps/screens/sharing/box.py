"""The share box, on its own page and on that of the shared thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from apps.accounts.models import Share
from apps.accounts.sharing import Shareable, shares_of

BRINGS = {
    "topic": "Its web and its crawls are shared with it. People who may edit it can change the"
    " topic and steer its crawls, but can neither delete it nor share it further.",
    "crawl": "Its pages and downloads are shared with it. People who may edit it can steer and"
    " label it, but can neither delete it nor share it further.",
    "experiment": "Its results, figures and downloads are shared with it; its topics and opened"
    " crawls are not. People who may edit it can pause and extend it, but can neither delete it"
    " nor share it further.",
    "web": "They may search it and use it for topics and crawls of their own.",
    "directory": "They may look through it and make topics of their own of it.",
    "background": "They may choose it for topics of their own.",
}


@dataclass(frozen=True, slots=True)
class ShareBox:
    """The shares of a thing of a `kind`. `refusal` is the error about the name `typed`."""

    kind: str
    address: str
    shares: Sequence[Share]
    typed: str = ""
    refusal: str = ""

    @property
    def brings(self) -> str:
        """A sentence or two about what the others may see and do."""
        return BRINGS[self.kind]

    @property
    def can_be_edited(self) -> bool:
        """Whether one can choose between reading and editing; webs, directories and backgrounds
        cannot be edited."""
        return self.kind not in ("web", "directory", "background")

    @property
    def with_everybody(self) -> bool:
        return any(share.everybody for share in self.shares)


def share_box(thing: Shareable, typed: str = "", refusal: str = "") -> ShareBox:
    """The box of a topic, a crawl, an experiment, a web, a directory or a background."""
    kind = type(thing).__name__.lower()
    address = reverse("sharing:shares", args=[kind, thing.pk])
    return ShareBox(kind, address, tuple(shares_of(thing)), typed, refusal)
