"""An owner, webs and topics for experiments."""

from __future__ import annotations

from tests.experiment_fixtures import labelled, owner, topics, web  # noqa: F401
