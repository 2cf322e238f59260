"""Live updates of an experiment's page: the pieces and rows that differ from those in the
browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from apps.schemas.refused import Refused
from apps.screens.experiment.fragments import row_html
from apps.screens.experiment.matrix import Matrix
from apps.screens.stamps import Piece

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class MatrixChanges:
    """HTML by id, with the new stamps; `moves` says whether more is to come."""

    pieces: Mapping[str, str]
    rows: Mapping[str, str]
    stamps: Mapping[str, str]
    moves: bool


def read_stamps(text: str) -> Mapping[str, str]:
    """The stamps of what a browser shows, `verbs:3f,row-7-1:c2`. Raises Refused."""
    pairs = [pair.partition(":") for pair in text.split(",") if pair]
    if len(pairs) > MOST_SHOWN or not all(colon for _, colon, _ in pairs):
        raise Refused("shown", "There is no such page of the experiment.")
    return {name: stamp for name, _, stamp in pairs}


def changes(
    shown: Mapping[str, str], pieces: Mapping[str, Piece], matrix: Matrix | None, moves: bool
) -> MatrixChanges:
    """The changes since the shown version."""
    fresh = {name: piece for name, piece in pieces.items() if shown.get(name) != piece.stamp}
    rows = [row for row in (matrix.rows if matrix else ()) if shown.get(row.key) != row.stamp]
    return MatrixChanges(
        {name: piece.html for name, piece in fresh.items()},
        {row.key: row_html(row, matrix) for row in rows if matrix},
        {
            **{name: piece.stamp for name, piece in fresh.items()},
            **{row.key: row.stamp for row in rows},
        },
        moves,
    )
