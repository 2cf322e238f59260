"""The name of a process of this machine that has ended."""

from apps.jobs.process import this_process

ENDED = f"{this_process().split(':')[0]}:1:never"
