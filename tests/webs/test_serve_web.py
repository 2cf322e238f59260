"""`serve_web` and `strategies` on the command line."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from django.core.management import CommandError, call_command

from apps.engine.intelligence.strategies import CATALOGUE
from apps.webs import serving
from apps.webs.importing import import_web
from tests.running_site import PATIENCE, RunningSite, free_port, running_site

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
    assert server.wait(30 * PATIENCE) == 0


def get(address: str, host: str, path: str) -> httpx.Response:
    return httpx.get(address + path, headers={"Host": host})


@pytest.mark.tree
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


@pytest.mark.tree
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


@pytest.fixture
def bakery(db: None, data_dir: Path) -> Path:
    """A folder with the web imported by this very process."""
    file = data_dir / "bakery.jsonl"
    file.write_text("\n".join(map(json.dumps, PAGES)))
    import_web("bakery", file)
    return data_dir


def test_a_taken_port_is_said_in_words(bakery: Path) -> None:
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
def test_bad_arguments_are_said_in_words(
    bakery: Path, arguments: tuple[str, ...], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("serve_web", *arguments)


def test_the_log_folder_must_be_there(bakery: Path) -> None:
    with pytest.raises(CommandError, match="cannot be served"):
        call_command("serve_web", "bakery", "--access-log", str(bakery / "no" / "log"))


@pytest.mark.tree
def test_a_refusal_is_a_sentence_without_a_traceback(site: RunningSite) -> None:
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
