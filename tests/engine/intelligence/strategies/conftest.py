"""The toy topic's model, trained once for all known answers."""

from __future__ import annotations

import pytest

from apps.engine.intelligence.topic_model import TopicModel
from tests.engine.intelligence.strategies.toy import rich_topic


@pytest.fixture(scope="module")
def topic():
    return TopicModel(rich_topic(), seed=1)
