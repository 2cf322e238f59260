"""The interface of a pick order: it ranks the waiting links of free hosts."""

from __future__ import annotations

from typing import ClassVar

from apps.engine.model import Floats, Longs


class PickOrder:
    """The link with the least rank is picked next; ties go to the URL discovered first.

    Orders are stateless. `title` completes “pages are fetched …”. `rank` and `ranks` must agree to
    the last bit: a frontier is ranked link by link while it grows, and all at once when it is
    restored or re-ranked.
    """

    id: ClassVar[str]
    title: ClassVar[str]

    def rank(self, priority: float, depth: int) -> float:
        """The rank of a link with this priority (≥ 0), so many links away from the seeds."""
        raise NotImplementedError

    def ranks(self, priorities: Floats, depths: Longs) -> Floats:
        """The ranks of many links."""
        raise NotImplementedError
