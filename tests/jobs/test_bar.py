"""Progress bars stay out of log files."""

from __future__ import annotations

from apps.jobs.bar import progress_bar


def test_no_bar_is_written_where_nobody_looks_at_a_terminal(capsys):
    assert list(progress_bar([1, 2], unit="page")) == [1, 2]
    assert capsys.readouterr().err == ""
