"""`up --agents`: a machine joins without a shared disk, and its agents start and end with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.crawls.kill_site import Shell, shell_of
from tests.running_site import ROOT, RunningSite, kill, running_site, wait_for

pytestmark = [
    pytest.mark.tree,
    pytest.mark.kills,
    pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="agents of others need Redis"),
]
AGENTS = """
import json
from apps.machines.registry import agents
print(json.dumps([[a.name, a.word.machine, a.word.number, a.state] for a in agents()]))
"""
EVENTS = """
import json
from apps.machines.models import MachineEvent
print(json.dumps([[e.kind, e.payload] for e in MachineEvent.objects.filter(machine="bora")]))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    with running_site(tmp_path_factory.mktemp("site"), "--no-demo") as site:
        yield site


@pytest.fixture(scope="module")
def shell(site: RunningSite) -> Iterator[Shell]:
    with shell_of(site) as shell:
        yield shell


@contextmanager
def lent_agents(site: RunningSite, folder: Path, count: int) -> Iterator[subprocess.Popen[bytes]]:
    """Agents of a machine with a data folder of its own, and only the addresses of the stores."""
    environment = {**site.environment, "CRAWLSITE_DATA": str(folder), "CRAWLSITE_MACHINE": "bora"}
    with (folder / "log").open("wb") as log:
        head = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "up", "--agents", str(count)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        yield head
    finally:
        head.kill()
        head.wait()


def agents(shell: Shell, *states: str) -> list[list[Any]]:
    records = json.loads(shell.run(AGENTS))
    return [agent for agent in records if not states or agent[3] in states]


def test_agents_join_are_replaced_drained_and_end(
    site: RunningSite, shell: Shell, tmp_path: Path
) -> None:
    def output() -> str:
        return (tmp_path / "log").read_text()

    with lent_agents(site, tmp_path, 2) as head:
        wait_for(lambda: len(agents(shell, "running")) == 2, 60, output)
        first, second = agents(shell, "running")
        assert (first[1:3], second[1:3]) == (["bora", 1], ["bora", 2])
        kill(int(first[0].split(":")[1]))
        wait_for(lambda: [a[0] for a in agents(shell, "silent")] == [first[0]], 60, output)
        wait_for(lambda: len(agents(shell, "running")) == 2, 60, output)
        (new,) = [agent for agent in agents(shell, "running") if agent != second]
        assert new[1:3] == ["bora", 1] and new[0] != first[0]
        shell.run(f"from apps.machines import registry\nregistry.drain({second[0]!r})")
        wait_for(lambda: [a[0] for a in agents(shell, "drained")] == [second[0]], 60, output)
        shell.run(f"from apps.machines import registry\nregistry.resume({second[0]!r})")
        wait_for(lambda: len(agents(shell, "running")) == 2, 60, output)
        shell.run(f"from apps.machines import registry\nregistry.forget({first[0]!r})")
        head.send_signal(signal.SIGTERM)
        assert head.wait(150) == 0, output()
        assert agents(shell) == []
        reports = json.loads(shell.run(EVENTS))
        assert [kind for kind, _ in reports][-1] == "agents_joined"
        assert "agents_left" in [kind for kind, _ in reports]
        assert {
            n for kind, output in reports if kind == "agents_joined" for n in output["agents"]
        } == {
            1,
            2,
        }
        assert "Traceback" not in output()


def test_other_code_is_refused_with_a_sentence(
    site: RunningSite, shell: Shell, tmp_path: Path
) -> None:
    other = "from apps.machines.models import Site\nprint(Site.objects.get().code)\n"
    code = shell.run(other).strip()
    shell.run("from apps.machines.models import Site\nSite.objects.update(code='0123456789')")
    try:
        with lent_agents(site, tmp_path, 1) as head:
            assert head.wait(150) != 0
        output = (tmp_path / "log").read_text()
        assert f"another version of the code (0123456789) than this machine ({code})" in output
        kind, reports = json.loads(shell.run(EVENTS))[0]
        assert (kind, reports["code"], reports["site"]) == ("refused", code, "0123456789")
        assert "Traceback" not in output
    finally:
        shell.run(f"from apps.machines.models import Site\nSite.objects.update(code={code!r})")
