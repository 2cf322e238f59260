"""Every command by the name that forms, the API and the command line send, and every kind of
event."""

from __future__ import annotations

from collections.abc import Mapping

from apps.crawls.commands.annotate import NAME, NOTE, TAGS
from apps.crawls.commands.budget import BUDGET
from apps.crawls.commands.certificates import ALLOW_CERTIFICATE, CHECK_CERTIFICATE
from apps.crawls.commands.command import Command, EventKind
from apps.crawls.commands.delta import DELTA
from apps.crawls.commands.exclude_host import EXCLUDE_HOST, INCLUDE_HOST
from apps.crawls.commands.exclude_pattern import EXCLUDE_PATTERN, INCLUDE_PATTERN
from apps.crawls.commands.host_decisions import HOSTS_DECIDED
from apps.crawls.commands.labels import LABEL
from apps.crawls.commands.languages import LANGUAGES_COMMAND
from apps.crawls.commands.links_cut import LINKS_CUT
from apps.crawls.commands.pace import PACE
from apps.crawls.commands.pause import PAUSE
from apps.crawls.commands.put_back import LEAVE_OUT_COMMAND, PUT_BACK_COMMAND
from apps.crawls.commands.refused import REFUSED
from apps.crawls.commands.resume import RESUME
from apps.crawls.commands.retrain import RETRAIN
from apps.crawls.commands.seeds import SEEDS
from apps.crawls.commands.skip import SKIP
from apps.crawls.commands.start import START
from apps.crawls.commands.stop import STOP
from apps.crawls.commands.stop_rules import STOP_RULES
from apps.crawls.commands.trust_trap import TRUST_TRAP
from apps.crawls.commands.try_again import TRY_AGAIN
from apps.crawls.commands.undo import undo_command
from apps.engine.crawl.steering import ApplyChange

_COMMANDS = (
    START,
    PAUSE,
    RESUME,
    STOP,
    BUDGET,
    *(rule.command() for rule in STOP_RULES),
    DELTA,
    PACE,
    SEEDS,
    EXCLUDE_HOST,
    INCLUDE_HOST,
    EXCLUDE_PATTERN,
    INCLUDE_PATTERN,
    TRUST_TRAP,
    PUT_BACK_COMMAND,
    LEAVE_OUT_COMMAND,
    TRY_AGAIN,
    ALLOW_CERTIFICATE,
    CHECK_CERTIFICATE,
    LANGUAGES_COMMAND,
    LABEL,
    RETRAIN,
    SKIP,
    NAME,
    NOTE,
    TAGS,
)

EVENT_KINDS: Mapping[str, EventKind] = {
    kind.kind: kind
    for kind in (*(k for c in _COMMANDS for k in c.events), HOSTS_DECIDED, LINKS_CUT, REFUSED)
}
COMMANDS: Mapping[str, Command] = {
    command.name: command for command in (*_COMMANDS, undo_command(EVENT_KINDS))
}


def letters() -> Mapping[str, str]:
    """The letters that mark events on the charts, by kind of event."""
    return {kind.kind: kind.letter for kind in EVENT_KINDS.values() if kind.letter}


def engine_changes() -> Mapping[str, ApplyChange]:
    """How the engine applies the changes that concern it, by kind."""
    return {kind.kind: kind.apply for kind in EVENT_KINDS.values() if kind.apply is not None}
