from __future__ import annotations

from pathlib import Path

import pytest

from apps.engine.networking.virtual_web import VirtualWeb
from apps.engine.networking.web_import import import_json_lines
from apps.experiments.reproduce.parted_web import PartedWeb
from tests.experiments.made_webkb import write_web


@pytest.fixture(scope="module")
def web_file(tmp_path_factory) -> Path:
    return write_web(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="module")
def parted(web_file, tmp_path_factory):
    folder = tmp_path_factory.mktemp("web") / "web"
    import_json_lines(web_file, folder, web_file.with_name("made.redirects.json"))
    web = VirtualWeb(folder)
    yield PartedWeb(web)
    web.close()
