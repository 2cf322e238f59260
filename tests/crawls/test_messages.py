"""Every code of the engine has its words."""

from __future__ import annotations

import pytest

from apps.crawls import messages
from apps.engine import errors
from apps.engine.model import Exclusion, Failure, Need, StopReason


def subclasses(kind: type) -> set[type]:
    return {kind}.union(*(subclasses(child) for child in kind.__subclasses__()))


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (StopReason, messages.REASONS), (Need, messages.NEEDS), (Failure, messages.FAILURES),
        (Exclusion, messages.EXCLUSIONS),
    ],
)
def test_every_code_has_its_words(codes, words):
    assert set(words) == set(codes)


def test_every_engine_error_has_its_sentence():
    engine = {kind for kind in subclasses(errors.EngineError) if "engine" in kind.__module__}
    assert {kind.code for kind in engine} == set(messages.ERRORS)


@pytest.mark.parametrize("kind", ["http_404", "http_418", *Failure])
def test_failures_are_said_in_words(kind):
    assert "_" not in messages.failure_words(str(kind))
