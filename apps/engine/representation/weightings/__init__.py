"""Term weightings by name: `WEIGHTINGS["smart"]()` is an unfitted one."""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.representation.weightings.base import Weighted, Weighting
from apps.engine.representation.weightings.smart import Smart
from apps.engine.representation.weightings.tfc import Tfc
from apps.engine.representation.weightings.tfipndf import Tfipndf

# The weightings that strategies offer; each has one file and one line here.
WEIGHTINGS: Mapping[str, type[Weighting]] = {
    weighting.id: weighting for weighting in (Smart, Tfc, Tfipndf)
}

__all__ = ["WEIGHTINGS", "Smart", "Tfc", "Tfipndf", "Weighted", "Weighting"]
