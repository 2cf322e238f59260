"""One demo web for all tests that only read it."""

from __future__ import annotations

import pytest

from apps.demo.web import DemoWeb


@pytest.fixture(scope="session")
def demo_web() -> DemoWeb:
    return DemoWeb(seed=1)
