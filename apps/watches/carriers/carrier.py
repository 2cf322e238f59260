"""The interface of a carrier of digests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class CarrierProblem(Exception):
    """Why a message was not delivered, as a sentence; with `is_final` it is not tried again."""

    def __init__(self, sentence: str, is_final: bool = False) -> None:
        super().__init__(sentence)
        self.is_final = is_final


@dataclass(frozen=True, slots=True)
class DigestMessage:
    """The message to deliver: `id` is the same at each attempt, `content` is the digest as JSON,
    `text` as plain text. `address` is the page of the watch."""

    id: str
    title: str
    text: str
    content: Mapping[str, Any]
    address: str


class Carrier(Protocol):
    """One way for digests. `target_words` name what a target is; `needs_address` is whether its
    messages hold addresses of this site, which the site does not know by itself."""

    id: str
    title: str
    sentence: str
    target_words: str
    needs_address: bool

    def refusal(self) -> str:
        """Why the carrier cannot be used on this site, as a sentence; empty if it can."""
        ...

    def check_target(self, target: str) -> str:
        """The target in its canonical form. Raises Refused."""
        ...

    def send(self, target: str, secret: str, message: DigestMessage) -> str:
        """Delivers a message; returns the answer in words. Raises CarrierProblem."""
        ...
