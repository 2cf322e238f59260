"""`serve_web` and `strategies` on the command line."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from django.core.management import CommandError, call_command

from apps.engine.intelligence.strategies import CATALOGUE
from apps.webs import serving
from apps.webs.importing import import_web
from tests.crawls.kill_site import Shell, shell_of
from tests.running_site import PATIENCE, RunningSite, free_port, running_site, wait_for

PAGES = (
    {"url": "http://bakery.test/", "html": "<title>Bread</title><a href='/rye'>rye</a>"},
    {"url": "http://bakery.test/rye", "html": "<title>Rye</title>Ryé"},
)
PORT = "from apps.webs.models import Web\nprint(Web.objects.get(name='bakery').served_port)"
IMPORT = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("import_web", "bakery", {web!r}, "--redirects", {redirects!r})
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A folder; nothing runs on it."""
    with running_site(tmp_path_factory.mktemp("webs"), start=False) as site:
        yield site


@pytest.fixture(scope="module")
def shell(site: RunningSite) -> Iterator[Shell]:
    """Django on that folder, which has one imported web."""
    web, redirects = site.folder / "bakery.jsonl", site.folder / "redirects.json"
    web.write_text("\n".join(map(json.dumps, PAGES)))
    redirects.write_text('{"http://bakery.test/old": "http://bakery.test/"}')
    with shell_of(site) as shell:
        shell.run(IMPORT.format(web=str(web), redirects=str(redirects)))
        yield shell


def serve(site: RunningSite, *options: str) -> tuple[subprocess.Popen[str], str]:
    """The server and the address it printed."""
    server = site.begin("serve_web", "bakery", *options)
    assert server.stdout
    return server, server.stdout.readline().split()[-1]


class Served(NamedTuple):
    address: str
    port: int
    log: Path


def end(server: subprocess.Popen[str]) -> None:
    server.send_signal(signal.SIGTERM)
    assert server.wait(30 * PATIENCE) == 0


def get(address: str, host: str, path: str) -> httpx.Response:
    return httpx.get(address + path, headers={"Host": host}, timeout=60)


@pytest.fixture(scope="module")
def served(site: RunningSite, shell: Shell) -> Iterator[Served]:
    """One server on a port of its own, with an access log."""
    log, port = site.folder / "access.log", free_port()
    server, address = serve(site, "--access-log", str(log), "--port", str(port))
    yield Served(address, port, log)
    end(server)


@pytest.mark.tree
def test_it_serves_hosts_by_name_and_writes_the_access_log(served: Served) -> None:
    assert "Ryé" in get(served.address, "bakery.test", "rye").text
    moved = get(served.address, "bakery.test", "old")
    assert (moved.status_code, moved.headers["Location"]) == (301, "http://bakery.test/")
    assert get(served.address, "bakery.test", "none").status_code == 404
    assert get(served.address, "other.test", "").status_code == 502
    wait_for(lambda: len(served.log.read_text().splitlines()) >= 2, 10)
    lines = [line.split()[1:4] for line in served.log.read_text().splitlines()]
    assert lines[:2] == [
        ["GET", "http://bakery.test/rye", "200"],
        ["GET", "http://bakery.test/old", "301"],
    ]


@pytest.mark.tree
def test_it_registers_its_port_and_takes_it_again(
    site: RunningSite, shell: Shell, served: Served
) -> None:
    assert served.address == f"http://127.0.0.1:{served.port}/"
    assert shell.run(PORT).strip() == str(served.port)
    second, other = serve(site)
    assert other != served.address
    assert shell.run(PORT).strip() == other.rstrip("/").rpartition(":")[2]
    end(second)
    third, again = serve(site)
    assert again == other
    end(third)


@pytest.fixture
def bakery(db: None, data_dir: Path) -> Path:
    """A folder with the web imported by this very process."""
    file = data_dir / "bakery.jsonl"
    file.write_text("\n".join(map(json.dumps, PAGES)))
    import_web("bakery", file)
    return data_dir


def test_a_taken_port_is_reported_in_words(bakery: Path) -> None:
    with serving.listening(0) as taken, pytest.raises(CommandError, match="name another"):
        call_command("serve_web", "bakery", port=taken.getsockname()[1])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing",), r"no recorded web named 'nothing'\. There are: bakery\."),
        (("live",), "no recorded web named 'live'"),
        (("bakery", "--latency", "-1"), "milliseconds from 0 up"),
        (("bakery", "--port", "99999"), "cannot be used"),
    ],
)
def test_bad_arguments_are_reported_in_words(
    bakery: Path, arguments: tuple[str, ...], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("serve_web", *arguments)


def test_the_log_folder_must_be_there(bakery: Path) -> None:
    with pytest.raises(CommandError, match="cannot be served"):
        call_command("serve_web", "bakery", "--access-log", str(bakery / "no" / "log"))


@pytest.mark.tree
def test_a_refusal_is_a_sentence_without_a_traceback(site: RunningSite, shell: Shell) -> None:
    done = site.manage("serve_web", "nothing")
    assert done.returncode == 1
    assert "no recorded web named 'nothing'" in done.stderr and "Traceback" not in done.stderr


def test_the_catalogue_is_printed_as_text_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("strategies", "--json")
    listed = json.loads(capsys.readouterr().out)
    assert [entry["id"] for entry in listed] == [cls.id for cls in CATALOGUE]
    assert all({"title", "paper", "advice", "parameters"} <= entry.keys() for entry in listed)
    call_command("strategies")
    text = capsys.readouterr().out
    assert all(f"{cls.id}: {cls.title}" in text for cls in CATALOGUE)
