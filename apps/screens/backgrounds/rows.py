"""Backgrounds as rows of a screen: size, state and source in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.timezone import localtime

from apps.background_sources.sources.catalogue import SOURCES
from apps.backgrounds.models import Background, BackgroundVersion
from apps.figures.quantities import number_of
from apps.jobs.models import Job


@dataclass(frozen=True, slots=True)
class BackgroundRow:
    """A background as its row shows it; `ready` is the version in use, `under_way` the one being
    built. `icon` and `tone` belong to `state`, `words` explain it."""

    background: Background
    ready: BackgroundVersion | None
    under_way: BackgroundVersion | None
    made_of: str
    icon: str
    tone: str
    state: str
    words: str
    mine: bool
    can_be_built: bool


def background_rows(backgrounds: Iterable[Background], user: User) -> list[BackgroundRow]:
    """Rows in the order given."""
    return [background_row(background, user) for background in backgrounds]


def background_row(background: Background, user: User) -> BackgroundRow:
    """One row."""
    newest, ready = background.newest, background.ready
    source = SOURCES[background.source]
    icon, tone, state, words = _state(newest)
    return BackgroundRow(
        background,
        ready,
        newest if newest and newest.is_under_way else None,
        ready.made_of if ready else source.title,
        icon,
        tone,
        state,
        words,
        background.owner_id == user.pk,
        source.can_be_built,
    )


def _state(newest: BackgroundVersion | None) -> tuple[str, str, str, str]:
    if newest is None:
        return "cross", "quiet", "empty", "Build it again."
    if newest.job_state == Job.State.FAILED:
        return "cross", "bad", "failed", newest.job_problem
    if newest.is_waiting:
        return "clock", "quiet", "waiting", "A worker will build it soon."
    if newest.is_under_way:
        read = (
            f"{newest.done:,} of {number_of(newest.wanted, 'text')} read"
            if newest.wanted
            else "just begun"
        )
        return "play", "ok", "building", f"version {newest.number}, {read}"
    when = f"{localtime(newest.built_at):%-d %B %Y}" if newest.built_at else ""
    return "check", "ok", "ready", f"version {newest.number}, {when}"
