"""Every command by the name that forms and the API send, and every kind of event."""

from __future__ import annotations

from collections.abc import Mapping

from apps.crawls.commands.annotate import NAME, NOTE, TAGS
from apps.crawls.commands.command import Command, EventKind
from apps.crawls.commands.delta import DELTA
from apps.crawls.commands.labelling.labels import LABEL
from apps.crawls.commands.labelling.retrain import RETRAIN
from apps.crawls.commands.labelling.skip import SKIP
from apps.crawls.commands.lifecycle.pause import PAUSE
from apps.crawls.commands.lifecycle.resume import RESUME
from apps.crawls.commands.lifecycle.start import START
from apps.crawls.commands.lifecycle.stop import STOP
from apps.crawls.commands.limits.budget import BUDGET
from apps.crawls.commands.limits.pace import PACE
from apps.crawls.commands.limits.stop_rules import STOP_RULES
from apps.crawls.commands.refused import REFUSED
from apps.crawls.commands.scope.certificates import ALLOW_CERTIFICATE, CHECK_CERTIFICATE
from apps.crawls.commands.scope.exclude_host import EXCLUDE_HOST, INCLUDE_HOST
from apps.crawls.commands.scope.exclude_pattern import EXCLUDE_PATTERN, INCLUDE_PATTERN
from apps.crawls.commands.scope.host_decisions import HOSTS_DECIDED
from apps.crawls.commands.scope.languages import LANGUAGES_COMMAND
from apps.crawls.commands.scope.links_cut import LINKS_CUT
from apps.crawls.commands.scope.put_back import LEAVE_OUT_COMMAND, PUT_BACK_COMMAND
from apps.crawls.commands.scope.seeds import SEEDS
from apps.crawls.commands.scope.trust_trap import TRUST_TRAP
from apps.crawls.commands.scope.try_again import TRY_AGAIN
from apps.crawls.commands.undo import undo_command
from apps.engine.crawl.steering import ApplyChange

_COMMANDS: tuple[Command, ...] = (
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
