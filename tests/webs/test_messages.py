"""Every kind of failed request and every error of the engine has its words."""

from __future__ import annotations

import pytest

from apps.engine import errors
from apps.engine.codes import Failure
from apps.webs import messages


def subclasses(kind: type) -> set[type]:
    return {kind}.union(*(subclasses(child) for child in kind.__subclasses__()))


def test_every_failure_has_its_words():
    assert set(messages.FAILURES) == set(Failure)


def test_every_engine_error_has_its_sentence():
    ours = {kind for kind in subclasses(errors.EngineError) if kind.__module__.startswith("apps.")}
    assert {kind.code for kind in ours} == set(messages.ERRORS)


@pytest.mark.parametrize("kind", ["http_404", "http_418", *Failure])
def test_failures_are_reported_in_words(kind):
    assert "_" not in messages.failure_words(str(kind))
