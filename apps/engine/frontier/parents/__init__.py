"""Parent policies: how the scores of several links to one URL give its priority.

Each has one file and one line here; the first is the default. **Choice** (LC and SL have no rule,
AFC and SLC keep the first score): the best score counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.frontier.parents.base import ParentPolicy
from apps.engine.frontier.parents.first import First
from apps.engine.frontier.parents.max import Max
from apps.engine.frontier.parents.mean import Mean
from apps.engine.frontier.parents.sum import Sum

POLICIES: Mapping[str, ParentPolicy] = {
    policy.id: policy for policy in (Max(), First(), Mean(), Sum())
}
