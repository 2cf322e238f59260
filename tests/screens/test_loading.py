"""What is out of Python's search for garbage in the process that serves the screens."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from django.template import Engine, Template
from django.template.loaders.cached import Loader

from apps.screens import loading


@pytest.fixture
def frozen_screens() -> Iterator[None]:
    callbacks = [*gc.callbacks]
    loading.load_screens()
    yield
    gc.callbacks[:] = callbacks
    gc.unfreeze()


@pytest.mark.usefixtures("frozen_screens")
def test_it_compiles_the_templates_before_a_screen_is_asked_for() -> None:
    (loader,) = Engine.get_default().template_loaders
    assert isinstance(loader, Loader)
    loader.reset()
    loading.load_screens()
    compiled = [each for each in loader.get_template_cache.values() if isinstance(each, Template)]
    assert len(compiled) > 100


@pytest.mark.usefixtures("frozen_screens")
def test_it_searches_no_second_time_what_has_come_to_stay() -> None:
    lasting = [[number] for number in range(loading.LASTING + 1)]
    gc.collect()
    assert len(gc.get_objects()) < loading.LASTING
    assert all(len(each) == 1 for each in lasting)


@pytest.mark.usefixtures("frozen_screens")
def test_it_goes_on_searching_what_is_little() -> None:
    few = [[number] for number in range(100)]
    gc.collect()
    assert any(each is few for each in gc.get_objects())


@pytest.mark.usefixtures("frozen_screens")
def test_it_freezes_once_after_each_search_however_often_screens_are_loaded() -> None:
    before = len(gc.callbacks)
    loading.load_screens()
    assert len(gc.callbacks) == before
