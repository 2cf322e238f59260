"""Pick orders: which waiting link is fetched next.

Each has one file and one line here; the first is the default.
"""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.frontier.orders.base import PickOrder
from apps.engine.frontier.orders.best_first import BestFirst
from apps.engine.frontier.orders.oldest_first import OldestFirst
from apps.engine.frontier.orders.shallow_first import ShallowFirst

ORDERS: Mapping[str, PickOrder] = {
    order.id: order for order in (BestFirst(), ShallowFirst(), OldestFirst())
}
