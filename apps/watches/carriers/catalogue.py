"""The carriers, in the order of the screen."""

from __future__ import annotations

from apps.watches.carriers.carrier import Carrier
from apps.watches.carriers.feed import FEED
from apps.watches.carriers.mail import MAIL
from apps.watches.carriers.webhook import WEBHOOK

CARRIERS: dict[str, Carrier] = {carrier.id: carrier for carrier in (FEED, MAIL, WEBHOOK)}
