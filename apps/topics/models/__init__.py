"""The models of topics."""

from __future__ import annotations

from apps.topics.models.annotation import Annotator, Guideline
from apps.topics.models.hosts import HostAct, HostDecision
from apps.topics.models.pages import (
    BackgroundPage,
    ClassPage,
    Example,
    InputPage,
    StoredPage,
    TargetPage,
)
from apps.topics.models.tables import InlinkCount, InputTable
from apps.topics.models.topic import Seed, Target, Topic, TopicSnapshot

__all__ = [
    "Annotator",
    "BackgroundPage",
    "ClassPage",
    "Example",
    "Guideline",
    "HostAct",
    "HostDecision",
    "InlinkCount",
    "InputPage",
    "InputTable",
    "Seed",
    "StoredPage",
    "Target",
    "TargetPage",
    "Topic",
    "TopicSnapshot",
]
