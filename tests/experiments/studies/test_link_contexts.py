from __future__ import annotations

import pytest

from apps.experiments.studies.link_contexts import link_contexts
from tests.experiments.studies.made_pages import read

PAGE = ("http://a.test/1", "<p>forest <a href=/2>black ants</a> river</p>")
TARGET = ("http://a.test/2", "<title>black ants</title><p>They march.</p>")


def test_a_title_stands_for_the_description_that_no_editor_wrote() -> None:
    contexts = link_contexts(read(PAGE, TARGET))
    assert not contexts.by_editors
    by_name = {each.technique: each.quality for each in contexts.qualities}
    assert by_name["anchor"].similarity == pytest.approx(1.0) and by_name["anchor"].n == 1
    # Of the page's four terms two are the title's: cosine 2/(√4 · √2).
    assert by_name["full page"].similarity == pytest.approx(2 / 8**0.5)
    assert by_name["anchor"].zero_share == 0


def test_only_links_to_relevant_pages_that_were_read_count() -> None:
    assert link_contexts(read(PAGE, TARGET, relevant=[True, False])) is None
    assert link_contexts(read(PAGE)) is None
    own = ("http://a.test/2", "<title>ants</title><a href=/2>ants</a>")
    assert link_contexts(read(own)) is None
