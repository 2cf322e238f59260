"""The process tree: it begins together, ends together, and outlives the loss of its parts."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

import httpx
import pytest
from django.conf import settings

from tests.crawls.kill_site import Shell, shell_of
from tests.running_site import RunningSite, answers, free_port, kill, running_site, wait_for

pytestmark = [pytest.mark.tree, pytest.mark.kills]

ACCOUNTS = """
from django.contrib.auth.models import User
from apps.webs.models import Web
from apps.topics.models import Topic
print(list(User.objects.order_by("pk").values_list("pk", "username", "password")))
print(list(Web.objects.order_by("pk").values()))
print(list(Topic.objects.order_by("pk").values_list("pk", "name", "version")))
"""
PAGES = """
from apps.crawls.models import Crawl
print(sum(Crawl.objects.values_list("pages", flat=True)))
"""
SWEEP = """
from django.conf import settings
from django_q.tasks import async_task
sweep = "apps.collection.tasks.sweep_collections"
async_task(sweep, cluster=settings.{cluster}, task_name={name!r})
"""
HAS_ENDED = """
from django_q.models import Success
print(Success.objects.filter(name={name!r}).exists())
"""
WAITING_CRAWL = """
from apps.accounts.services import ensure_owner
from apps.crawls.models import Crawl
from apps.webs.models import Web
from apps.engine.codes import State
from apps.topics.models import Topic
owner = ensure_owner()
web = Web.objects.create(name="nowhere", source="folder")
topic = Topic.objects.create(owner=owner, name="nothing")
Crawl.objects.create(owner=owner, topic=topic, web=web, strategy="breadth_first", budget=1,
                     request_limit=1, state=State.QUEUED)
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """One process tree for most tests, whose watchdog looks every two seconds."""
    folder, quick = tmp_path_factory.mktemp("site"), {"CRAWLSITE_WATCHDOG_SECONDS": "2"}
    with running_site(folder, "--no-demo", environment=quick) as site:
        yield site


@pytest.fixture
def site(tree: RunningSite) -> RunningSite:
    """The tree, with all its workers."""
    wait_for(lambda: len(tree.workers("crawl")) == 4, 30, tree.output)
    return tree


@pytest.fixture(scope="module")
def shell(tree: RunningSite) -> Iterator[Shell]:
    with shell_of(tree) as shell:
        yield shell


def run_task(site: RunningSite, shell: Shell, cluster: str, name: str) -> None:
    """Queues a task and waits until a worker has done it."""
    shell.run(SWEEP.format(name=name, cluster=cluster))
    wait_for(lambda: shell.run(HAS_ENDED.format(name=name)).strip() == "True", 20, site.output)


def test_a_killed_web_server_is_started_again(site: RunningSite) -> None:
    name = "crawlsite.web_server"
    (old,) = site.processes(name)
    kill(old)
    wait_for(lambda: site.processes(name) not in ([], [old]), 20, site.output)
    assert answers(site.address)
    assert "The web server was killed by SIGKILL; it is started again." in site.output()


@pytest.mark.parametrize("cluster", ["CRAWL_CLUSTER", "BACKGROUND_CLUSTER"])
def test_idle_workers_that_are_killed_stop_no_task(
    site: RunningSite, shell: Shell, cluster: str
) -> None:
    run_task(site, shell, cluster, f"before_{cluster}")
    name = "-" + cluster.split("_")[0].lower()
    killed = set(site.workers(name))
    for pid in killed:
        kill(pid)
    # Redis may still hand a task to a connection whose end it has not seen.
    wait_for(lambda: len(set(site.workers(name)) - killed) == len(killed), 30, site.output)
    run_task(site, shell, cluster, f"after_{cluster}")


def test_workers_that_take_nothing_are_started_anew(site: RunningSite, shell: Shell) -> None:
    frozen = set(site.workers("crawl"))
    for pid in frozen:
        kill(pid, signal.SIGSTOP)
    shell.run(WAITING_CRAWL)
    wait_for(lambda: "Restarting the crawl workers" in site.output(), 20, site.output)
    wait_for(lambda: len(set(site.workers("crawl")) - frozen) == 4, 30, site.output)
    run_task(site, shell, "CRAWL_CLUSTER", "afterwards")


def test_a_second_start_on_the_same_folder_is_refused(site: RunningSite) -> None:
    second = site.manage("up", "--no-demo", "--port", str(free_port()))
    assert second.returncode != 0
    assert f"already runs on the data folder {site.folder / 'data'}" in second.stderr
    assert f"(process {site.pid}, {site.address}/)" in second.stderr
    assert "Traceback" not in second.stderr


def test_the_printed_link_signs_in_once(site: RunningSite) -> None:
    with httpx.Client(base_url=site.address, follow_redirects=True, timeout=60) as client:
        page = client.get(site.link)
        assert "Sign in as owner" in page.text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token
        form = {"csrfmiddlewaretoken": token[1]}
        client.post(site.link, data=form, follow_redirects=False)
        assert "sessionid" in client.cookies
    assert httpx.get(site.link, timeout=60).status_code == 410


def test_static_files_come_from_the_bare_web_server(site: RunningSite) -> None:
    style = httpx.get(site.address + settings.STATIC_URL + "css/base.css", timeout=60)
    assert style.status_code == 200
    assert style.headers["content-type"].startswith("text/css")


def test_the_web_server_keeps_other_hosts_names_out(site: RunningSite) -> None:
    answer = httpx.get(site.address + "/sign-in/", headers={"Host": "evil.example"}, timeout=60)
    assert answer.status_code == 400
    assert "evil.example" not in site.output()


def test_ctrl_c_ends_everything(site: RunningSite) -> None:
    message = len(site.output())
    site.stop(signal.SIGINT)
    assert site.exit_code() == 0
    assert site.processes() == []
    assert "go on at the next start" in site.output()[message:]
    assert "Traceback" not in site.output()[message:]


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A tree that has just made a data folder with its demo."""
    with running_site(tmp_path_factory.mktemp("first"), tables=False) as site:
        yield site


def test_a_later_start_makes_nothing_anew_and_goes_on(first_start: RunningSite) -> None:
    site, key_file = first_start, first_start.folder / "data" / "secret_key"
    with shell_of(site) as shell:
        wait_for(lambda: int(shell.run(PAGES)) > 0, 120, site.output)
        before, first_link = shell.run(ACCOUNTS), site.link
        key = key_file.read_bytes()
        site.stop(signal.SIGTERM)
        assert site.processes() == []
        at_the_end = int(shell.run(PAGES))
        site.start()
        wait_for(lambda: int(shell.run(PAGES)) > at_the_end, 60, site.output)
        assert shell.run(ACCOUNTS) == before
        assert key_file.read_bytes() == key
        assert site.link != first_link


@pytest.mark.alike
def test_nothing_outlives_a_head_that_is_killed(first_start: RunningSite) -> None:
    kill(first_start.pid)
    wait_for(lambda: first_start.processes() == [], 5, lambda: str(first_start.processes()))
