"""Many parents: the policies by which several links to one URL give its priority.

One file each, and its line here; the first is preset.
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
