"""The Compose file, as far as it can be tested without starting containers."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
import yaml

import crawlsite.settings
from tests.running_site import ROOT, free_port

FILE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES = FILE["services"]
OURS = ("web", "workers", "agents")
NOT_OFFERED = {
    "CRAWLSITE_MACHINE",
    "CRAWLSITE_REDIS_PREFIX",
    "CRAWLSITE_FETCH_WORKERS",
    "CRAWLSITE_TREE",
}
"""The containers have names already, and Redis of their own; `up` sets the last two itself."""


class Answering(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *of: object) -> None:
        pass


@pytest.fixture
def answering() -> Iterator[HTTPServer]:
    server = HTTPServer(("127.0.0.1", 0), Answering)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def health(port: int) -> bool:
    """What the health check of the site finds, with the site on that port."""
    kind, _, *arguments = SERVICES["web"]["healthcheck"]["test"]
    assert kind == "CMD" and "8000" in arguments[-1]
    code = arguments[-1].replace("8000", str(port))
    return not subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode


@pytest.mark.parametrize(
    ("status", "healthy"), [(200, True), (301, True), (400, True), (500, False), (503, False)]
)
def test_the_site_is_healthy_behind_https_and_under_other_names_too(
    answering: HTTPServer, monkeypatch: pytest.MonkeyPatch, status: int, healthy: bool
) -> None:
    monkeypatch.setattr(Answering, "status", status)
    assert health(answering.server_port) is healthy


def test_a_site_that_does_not_answer_is_not_healthy() -> None:
    assert not health(free_port())


@pytest.mark.parametrize("name", OURS)
def test_every_setting_reaches_every_service(name: str) -> None:
    reports = set(re.findall(r"[A-Z][A-Z0-9_]{5,}", crawlsite.settings.__doc__ or ""))
    settings = {word for word in reports if word.startswith("CRAWLSITE_") or word.endswith("_URL")}
    given = set(SERVICES[name]["environment"])
    assert given - {"CRAWLSITE_DATA"} == settings - {"CRAWLSITE_DATA"} - NOT_OFFERED


def test_one_image_is_built_for_all_and_none_of_its_name_is_fetched() -> None:
    assert [name for name in OURS if "build" in SERVICES[name]] == ["web"]
    assert {(SERVICES[name]["image"], SERVICES[name]["pull_policy"]) for name in OURS} == {
        ("crawlsite", "never")
    }


def test_every_service_comes_back_when_the_machine_is_started_again() -> None:
    assert {each["restart"] for each in SERVICES.values()} == {"unless-stopped"}


def test_postgresql_is_not_healthy_while_its_first_start_listens_on_a_socket_only() -> None:
    line = SERVICES["postgres"]["healthcheck"]["test"]
    assert line[line.index("--host") + 1] == "127.0.0.1"


def test_a_redis_that_cannot_save_a_snapshot_still_takes_tasks() -> None:
    assert SERVICES["redis"]["command"] == ["redis-server", "--save", ""]


def test_database_and_redis_are_open_to_the_other_containers_alone_as_the_help_says() -> None:
    open_to = {name: service.get("ports") for name, service in SERVICES.items()}
    assert [name for name, ports in open_to.items() if ports] == ["web"]
    assert all(port.startswith("127.0.0.1:") for port in SERVICES["web"]["ports"])
    password = "${POSTGRES_PASSWORD:-crawlsite}"
    assert SERVICES["postgres"]["environment"]["POSTGRES_PASSWORD"] == password
    for name in OURS:
        environment = SERVICES[name]["environment"]
        assert password in environment["DATABASE_URL"]
        assert environment["REDIS_URL"] == "redis://redis:6379/0"
    text = (ROOT / "templates/help/screens/administration.html").read_text()
    redis = text.split('id="redis"')[1].split("<h2")[0]
    for words in (
        "PostgreSQL listens on port 5432 and Redis on 6379",
        "or <code>crawlsite</code> if there is none; Redis has none",
        "<code>requirepass</code>",
        "<code>rediss://</code>",
    ):
        assert words in redis


def test_no_backup_and_no_password_beside_the_code_gets_into_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".env", "*.tar.gz", "data", ".git"} <= set(ignored)


def test_the_help_runs_what_the_image_has() -> None:
    image = (ROOT / "Dockerfile").read_text()
    assert 'ENTRYPOINT ["crawlsite"]' in image
    text = (ROOT / "templates/help/screens/administration.html").read_text()
    commands = re.findall(r"docker compose exec web (\w+)", text)
    assert set(commands) == {"crawlsite", "rm"} and "python manage.py restore" not in text
