"""The models of topics."""

from __future__ import annotations

from apps.topics.models.pages import (
    BackgroundPage,
    ClassPage,
    Example,
    SourcePage,
    StoredPage,
    TargetPage,
)
from apps.topics.models.tables import InlinkCount, SourceTable
from apps.topics.models.topic import Seed, Target, Topic, TopicSnapshot

__all__ = [
    "BackgroundPage", "ClassPage", "Example", "InlinkCount", "Seed", "SourcePage", "SourceTable",
    "StoredPage", "Target", "TargetPage", "Topic", "TopicSnapshot",
]
