"""Term weightings by name: `WEIGHTINGS["smart"]()` is one, not yet fitted."""

from __future__ import annotations

from apps.engine.representation.weightings.base import Weighted, Weighting
from apps.engine.representation.weightings.smart import Smart
from apps.engine.representation.weightings.tfc import Tfc
from apps.engine.representation.weightings.tfipndf import Tfipndf

WEIGHTINGS: dict[str, type[Weighting]] = {"smart": Smart, "tfc": Tfc, "tfipndf": Tfipndf}

__all__ = ["WEIGHTINGS", "Smart", "Tfc", "Tfipndf", "Weighted", "Weighting"]
