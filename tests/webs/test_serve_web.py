"""`serve_web` and `strategies` on the command line, in processes of their own."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from apps.engine.intelligence.strategies import CATALOGUE
from tests.running_site import RunningSite, free_port, running_site

pytestmark = pytest.mark.tree
PAGES = (
    {"url": "http://bakery.test/", "html": "<title>Bread</title><a href='/rye'>rye</a>"},
    {"url": "http://bakery.test/rye", "html": "<title>Rye</title>Ryé"},
)
PORT = "from apps.webs.models import Web\nprint(Web.objects.get(name='bakery').served_port)"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A folder with one imported web; nothing runs on it."""
    folder = tmp_path_factory.mktemp("webs")
    with running_site(folder, start=False) as site:
        (folder / "bakery.jsonl").write_text("\n".join(map(json.dumps, PAGES)))
        (folder / "redirects.json").write_text('{"http://bakery.test/old": "http://bakery.test/"}')
        assert site.manage("migrate").returncode == 0
        redirects = str(folder / "redirects.json")
        done = site.manage(
            "import_web", "bakery", str(folder / "bakery.jsonl"), "--redirects", redirects
        )
        assert done.returncode == 0, done.stderr
        yield site


def serve(site: RunningSite, *options: str) -> tuple[subprocess.Popen[str], str]:
    """The server and the address it printed."""
    server = site.begin("serve_web", "bakery", *options)
    assert server.stdout
    return server, server.stdout.readline().split()[-1]


def end(server: subprocess.Popen[str]) -> None:
    server.send_signal(signal.SIGTERM)
    assert server.wait(10) == 0


def get(address: str, host: str, path: str) -> httpx.Response:
    return httpx.get(address + path, headers={"Host": host})


def test_it_serves_hosts_by_name_and_writes_the_access_log(site: RunningSite) -> None:
    log = site.folder / "access.log"
    server, address = serve(site, "--access-log", str(log))
    assert "Ryé" in get(address, "bakery.test", "rye").text
    moved = get(address, "bakery.test", "old")
    assert (moved.status_code, moved.headers["Location"]) == (301, "http://bakery.test/")
    assert get(address, "bakery.test", "none").status_code == 404
    assert get(address, "other.test", "").status_code == 502
    end(server)
    lines = [line.split()[1:4] for line in log.read_text().splitlines()]
    assert lines[:2] == [
        ["GET", "http://bakery.test/rye", "200"], ["GET", "http://bakery.test/old", "301"],
    ]


def test_it_registers_its_port_and_takes_it_again(site: RunningSite) -> None:
    port = free_port()
    server, address = serve(site, "--port", str(port))
    assert address == f"http://127.0.0.1:{port}/"
    assert site.python(PORT).strip() == str(port)
    second, other = serve(site)
    assert other != address
    assert site.python(PORT).strip() == other.rstrip("/").rpartition(":")[2]
    end(server)
    end(second)
    third, again = serve(site)
    assert again == other
    end(third)


def test_a_taken_port_is_said_in_words(site: RunningSite) -> None:
    server, address = serve(site)
    done = site.manage("serve_web", "bakery", "--port", address.rstrip("/").rpartition(":")[2])
    assert done.returncode == 1
    assert "name another" in done.stderr and "Traceback" not in done.stderr
    end(server)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing",), "no recorded web named 'nothing'. There are: bakery."),
        (("live",), "no recorded web named 'live'"),
        (("bakery", "--latency", "-1"), "milliseconds from 0 up"),
        (("bakery", "--port", "99999"), "cannot be used"),
    ],
)
def test_bad_arguments_are_said_in_words(
    site: RunningSite, arguments: tuple[str, ...], words: str
) -> None:
    done = site.manage("serve_web", *arguments)
    assert done.returncode == 1
    assert words in done.stderr and "Traceback" not in done.stderr


def test_the_catalogue_is_printed_as_text_and_as_json(site: RunningSite) -> None:
    listed = json.loads(site.manage("strategies", "--json").stdout)
    assert [entry["id"] for entry in listed] == [cls.id for cls in CATALOGUE]
    assert all({"title", "paper", "advice", "parameters"} <= entry.keys() for entry in listed)
    text = site.manage("strategies").stdout
    assert all(f"{cls.id}: {cls.title}" in text for cls in CATALOGUE)


def test_the_log_folder_must_be_there(site: RunningSite, tmp_path: Path) -> None:
    done = site.manage("serve_web", "bakery", "--access-log", str(tmp_path / "no" / "log"))
    assert done.returncode == 1
    assert "cannot be served" in done.stderr and "Traceback" not in done.stderr
