"""One odd web, prepared once."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.engine.replays.parsed_web import ParsedWeb
from apps.engine.replays.preparing import prepare
from tests.engine.replays.odd_web import OddWeb


@pytest.fixture(scope="session")
def odd_web() -> OddWeb:
    return OddWeb(pages=240)


@pytest.fixture(scope="session")
def prepared(odd_web: OddWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replays") / "odd"
    prepare(folder, odd_web, None)
    return folder


@pytest.fixture(scope="session")
def parsed(odd_web: OddWeb, prepared: Path) -> ParsedWeb:
    return ParsedWeb(prepared, odd_web)
