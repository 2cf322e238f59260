"""Shell patterns: the same answers as the regular expressions they save."""

from __future__ import annotations

import re
from fnmatch import translate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.frontier.shell_pattern import ShellPattern

TEXT = st.text("aAbB/.*?[]!-", max_size=12)


@given(TEXT, TEXT)
def test_it_matches_what_the_plain_expression_does(pattern: str, url: str) -> None:
    plain = re.compile(translate(pattern.lower()))
    assert ShellPattern(pattern).matches(url.lower()) == (plain.match(url.lower()) is not None)


@pytest.mark.parametrize("pattern", ["*/calendar/*", "*", "*[0-9]/print?", "HTTP://A.test/*"])
def test_the_expression_is_not_made_for_a_url_that_lacks_the_fixed_piece(pattern: str) -> None:
    shell = ShellPattern(pattern)
    assert not shell.matches("x") or pattern == "*"
    assert ("_expression" in vars(shell)) == (pattern == "*")
