"""How often the keys of a frontier are ranked."""

from __future__ import annotations

import pytest

from apps.engine.frontier import host_queues


@pytest.fixture(params=[0, host_queues.FEWEST_PUSHED])
def fewest_pushed(request, monkeypatch) -> None:
    """After how many keys all are ranked again: after few, or after more than a test pushes."""
    monkeypatch.setattr(host_queues, "FEWEST_PUSHED", request.param)
