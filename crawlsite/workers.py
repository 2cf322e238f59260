"""Workers that take tasks: `python -m crawlsite.workers NAME` runs the cluster of that name.

django-q2's own command leaves its workers behind when its head is killed, and a worker killed while
it waits keeps the lock of the queue for ever, so that none of the others gets a task again. Here
forks die with their parents, and the queue's locks are the kernel's: they end with their holder.
"""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from types import TracebackType


class KernelLock:
    """A lock between processes that its holder cannot take to the grave (POSIX record lock)."""

    def __init__(self) -> None:
        # Open as long as the lock is in use: closing any copy would let go of it.
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
    """Give the queues between the parts of a cluster locks that end with their holder."""
    from django_q import cluster, queues

    class Queue(queues.Queue):
        def __init__(self, *args: object, **options: object) -> None:
            super().__init__(*args, **options)
            self._rlock = KernelLock()
            self._wlock = KernelLock()

    cluster.Queue = Queue


def give_back_tasks(cluster_name: str) -> int:
    """Tasks that a cluster now gone had taken and not finished; they are delivered again.

    Only one cluster of a name runs at a time, so whatever is taken at its start is nobody's. Redis
    keeps no receipts: there a task is gone once taken, and whoever asked for it asks again.
    """
    from django.conf import settings
    from django.utils import timezone
    from django_q.models import OrmQ

    if settings.REDIS_URL:
        return 0
    now = timezone.now()
    return OrmQ.objects.filter(key=cluster_name, lock__gt=now).update(lock=now)


def run(cluster_name: str) -> None:
    """Run that cluster until TERM. django-q2 reads the name from the environment at its import."""
    os.environ["Q_CLUSTER_NAME"] = cluster_name
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    import django

    from crawlsite.parent_death import forks_die_with_their_parents

    django.setup()
    from django.db import connections
    from django_q.cluster import Cluster

    forks_die_with_their_parents()
    use_kernel_locks()
    give_back_tasks(cluster_name)
    connections.close_all()
    Cluster().start()


if __name__ == "__main__":
    run(sys.argv[1])
