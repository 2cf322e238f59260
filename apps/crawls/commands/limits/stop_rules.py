"""The limits that end a crawl beside its budget, in the order of the screens."""

from __future__ import annotations

from apps.crawls.commands.limits.hours import HOURS
from apps.crawls.commands.limits.recall import RECALL
from apps.crawls.commands.limits.slope import SLOPE
from apps.crawls.commands.limits.stop_rule import StopRule

STOP_RULES: tuple[StopRule, ...] = (HOURS, RECALL, SLOPE)
