"""Task workers: `python -m crawlsite.workers KIND` runs the cluster of that kind, which is `crawl`,
`background` or `fetch`.

With django-q2's own command, workers survive when their head is killed, and a worker killed while
waiting holds the lock of the queue for ever, so that no other worker gets a task. Here forks end
with their parents, and the kernel releases the queue's locks when their holder ends.
"""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from importlib import import_module
from types import TracebackType
from typing import Any

from crawlsite.idling import WaitingWhileSmall

TASKS = frozenset(
    {
        "apps.collection.tasks.sweep_collections",
        "apps.crawls.tasks.run_slice",
        "apps.jobs.tasks.run",
        "apps.machines.tasks.serve",
    }
)
"""The functions that workers call; a task that names any other is refused."""
LOADED_BEFORE = {"crawl": ("apps.crawls.tasks", "apps.engine.networking.http_fetcher")}
"""What workers of a kind have loaded before their first task: they are forks of one process. Else
each would import it for its first crawl, which is more than that crawl's start takes."""
NAMES_A_FUNCTION = ("hook", "chain")
"""Options of a task with which django-q2 calls further functions."""


class KernelLock:
    """A lock between processes that is released when its holder ends (POSIX record lock)."""

    def __init__(self) -> None:
        # Stays open while the lock is in use, since closing any copy would release it.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115

    def acquire(self, block: bool = True, timeout: float | None = None) -> bool:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | (0 if block else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        fcntl.lockf(self._file, fcntl.LOCK_UN)

    def __enter__(self) -> KernelLock:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()


def use_kernel_locks() -> None:
    """Gives the queues between a cluster's processes locks that end with their holder."""
    from django_q import cluster, queues

    class Queue(queues.Queue):
        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **options)
            self._rlock = KernelLock()
            self._wlock = KernelLock()

    cluster.Queue = Queue


def accept_own_tasks_only() -> None:
    """Makes the cluster refuse, with a line in the log, every task but the site's own: one that is
    unsigned or malformed, and one that is signed but names another function."""
    from django_q import pusher, signing

    class OwnTasks(signing.SignedPackage):
        @staticmethod
        def loads(obj: Any) -> Any:
            try:
                task = signing.SignedPackage.loads(obj)
            except ValueError as error:
                raise signing.BadSignature(f"malformed: {error}") from error
            if not is_own_task(task):
                raise signing.BadSignature(f"no task of this site: {task!r:.200}")
            return task

    pusher.SignedPackage = OwnTasks


def is_own_task(task: Any) -> bool:
    """Whether a task calls one of `TASKS` and nothing afterwards."""
    if not isinstance(task, dict) or any(task.get(name) for name in NAMES_A_FUNCTION):
        return False
    function = task.get("func")
    return isinstance(function, str) and function in TASKS


def end_large_workers() -> None:
    """Makes each of the cluster's workers end when it idles and is large; its guard then starts
    another one."""
    from django_q import cluster

    do_tasks = cluster.worker

    def worker(tasks: Any, results: Any, timer: Any, timeout: Any = None) -> None:
        do_tasks(WaitingWhileSmall(tasks, timer), results, timer, timeout)

    cluster.worker = worker


def give_back_tasks(cluster_name: str) -> int:
    """Requeues tasks that an ended cluster took and did not finish; returns their number.

    Only one cluster of a name runs at a time, so all tasks taken before its start are lost. Redis
    has no receipts: a task is gone once taken, and its requester enqueues it again.
    """
    from django.conf import settings
    from django.utils import timezone
    from django_q.models import OrmQ

    if settings.REDIS_URL:
        return 0
    now = timezone.now()
    number: int = OrmQ.objects.filter(key=cluster_name, lock__gt=now).update(lock=now)
    return number


def run(kind: str) -> None:
    """Runs that cluster until TERM. django-q2 reads the name from the environment at import."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    import django
    from django.conf import settings

    from crawlsite.parent_death import forks_die_with_their_parents

    cluster_name = getattr(settings, f"{kind.upper()}_CLUSTER")
    os.environ["Q_CLUSTER_NAME"] = cluster_name
    django.setup()
    for name in LOADED_BEFORE.get(kind, ()):
        import_module(name)
    from django.db import connections
    from django_q.cluster import Cluster

    forks_die_with_their_parents()
    use_kernel_locks()
    accept_own_tasks_only()
    end_large_workers()
    give_back_tasks(cluster_name)
    connections.close_all()
    Cluster().start()


if __name__ == "__main__":
    run(sys.argv[1])
