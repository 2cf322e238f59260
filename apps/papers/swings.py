"""The first swing of α in a crawl with adaptive utility, and its way back (SL §6.3, Fig. 10)."""

from __future__ import annotations

import numpy as np

from apps.engine.model import Floats, Longs

START = 0.5
"""α before the first page (SL §6.1)."""
START_UP = 300
"""The pages of the start, which "lasts a few hundred pages" (SL §6.3)."""


def swing_and_return(curves: Floats, grid: Longs) -> tuple[Floats, Floats]:
    """How far α moves from its start, and how far it then comes back, topics × crawlers.

    `curves` has α at the pages of `grid`, topics × crawlers × grid. The swing is the signed
    distance from the start, at the page of the first 300 where it is largest. The return is how
    much nearer to the start α is on average over the later pages: negative if α moves on, NaN if no
    later page has an α. Both are NaN without an α.
    """
    early = curves[:, :, grid <= START_UP] - START
    later = curves[:, :, grid > START_UP] - START
    furthest = np.argmax(np.nan_to_num(np.abs(early), nan=-1.0), axis=2)[:, :, None]
    swing: Floats = np.take_along_axis(early, furthest, axis=2)[:, :, 0]
    filled = np.ma.masked_invalid(later).mean(axis=2)
    back: Floats = np.sign(swing) * (swing - np.ma.filled(filled, np.nan))
    return swing, back
