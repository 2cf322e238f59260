"""The wheel: what is in it, and a site that is started from it, far from any checkout."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import sysconfig
import zipfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx
import pytest

from crawlsite.data_folder import DATABASE
from tests.running_site import LINK, PATIENCE, ROOT, START_SECONDS, free_port, wait_for

FOLDERS = {
    "apps": "apps",
    "crawlsite": "crawlsite",
    "static": "crawlsite/static",
    "templates": "crawlsite/templates",
}
"""Of the checkout, and where the wheel has them."""
TRAP = "raise SystemExit('imported from the folder that the command was started in')"
OF_A_CHECKOUT = ("PYTHONPATH", "CRAWLSITE_DATA", "DJANGO_SETTINGS_MODULE", "XDG_DATA_HOME")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


@dataclass(frozen=True)
class Installed:
    """An environment that has the project from the wheel alone, and its packages from here."""

    folder: Path

    @property
    def packages(self) -> Path:
        return next((self.folder / "environment/lib").glob("python*/site-packages"))

    @property
    def data(self) -> Path:
        return self.folder / "home/.local/share/crawlsite"

    def start(self, *arguments: str, output: IO[bytes] | int) -> subprocess.Popen[bytes]:
        """The installed command, in a folder of somebody else's Python files."""
        environment = {key: value for key, value in os.environ.items() if key not in OF_A_CHECKOUT}
        environment |= {"HOME": str(self.folder / "home"), "CRAWLSITE_DEMO_LATENCY": "0"}
        return subprocess.Popen(
            [str(self.folder / "environment/bin/crawlsite"), *arguments],
            cwd=self.folder / "elsewhere",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output if arguments[0] == "up" else None,
        )

    def pages(self) -> int:
        """How many pages the crawls here have fetched, read without starting a program."""
        with closing(sqlite3.connect(self.data / DATABASE, timeout=60)) as database:
            return database.execute("SELECT sum(pages) FROM crawls_crawl").fetchone()[0] or 0


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin/python"), "install"]
    subprocess.run([*pip, "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    installed = Installed(folder)
    (installed.packages / "of_the_tests.pth").write_text(sysconfig.get_path("purelib"))
    # Whatever the folder holds that the command is started in, no module is taken from it.
    for name in ("apps", "crawlsite", "elsewhere"):
        (folder / "elsewhere" / name).mkdir(parents=True)
        (folder / "elsewhere" / name / "__init__.py").write_text(TRAP)
    (folder / "home").mkdir()
    return installed


def test_the_wheel_has_every_file_of_the_project(wheel: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *FOLDERS],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")
    files = {
        re.sub(r"^\w+", lambda top: FOLDERS[top[0]], name, count=1)
        for name in listed
        if name and (ROOT / name).exists()
    }
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name for name in names if ".dist-info/" not in name} == files
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.tree
@pytest.mark.alike
def test_the_installed_command_starts_a_site_whose_demo_fetches_pages(installed: Installed) -> None:
    log = installed.folder / "up.log"
    with log.open("wb") as output:
        up = installed.start("up", "--port", str(free_port()), output=output)
    try:

        def fetches() -> bool:
            assert up.poll() is None, log.read_text()
            return installed.pages() >= 20

        wait_for(lambda: LINK.search(log.read_text()), START_SECONDS, log.read_text)
        address, path = LINK.search(log.read_text()).groups()
        assert f"(data folder {installed.data})" in log.read_text()
        wait_for(fetches, 60, log.read_text)
        assert log.read_text().count("First start: ") == 3
        open_a_page(address, path)
        listed = installed.start("crawls", "--json", output=subprocess.PIPE).communicate()[0]
        assert [crawl["topic"] for crawl in json.loads(listed)] == ["Sourdough baking"]
        up.send_signal(signal.SIGINT)
        assert up.wait(30 * PATIENCE) == 0, log.read_text()
    finally:
        up.kill()  # its children end with it
    assert (installed.data / DATABASE).exists()
    assert not (installed.packages / "data").exists()


def open_a_page(address: str, path: str) -> None:
    """Signs in and opens the first screen, with what it is made of."""
    with httpx.Client(base_url=address, follow_redirects=True, timeout=20 * PATIENCE) as browser:
        (token,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get(path).text)
        page = browser.post(path, data={"csrfmiddlewaretoken": token})
        assert page.status_code == 200 and "Sign out" in page.text
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
        assert files
        for file in files:
            assert browser.get(file).status_code == 200, file
