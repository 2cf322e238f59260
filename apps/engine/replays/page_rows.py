"""The row of a page: the positions of its parts in the columns, and its plain numbers."""

from __future__ import annotations

from typing import NamedTuple

FAILED, PARSED, WITH_BODY, UNREAD = range(4)
"""What columns hold of a page: no document, since its answer is a failure; its document; its
document, while its body must be read at each fetch; nothing: it is read and parsed at each
fetch."""

NONE = -1
NOINDEX, NOFOLLOW, TRUNCATED = 1, 2, 4


class PageRow(NamedTuple):
    """One page. `url` is the number of a URL, `answer` to `labels` are numbers of texts.

    `…_at` is the index of the first of so many entries of the columns in `SIZES`. `base` is −1 if
    it is the page's URL, the other texts if they are None. `flags` are the sum of NOINDEX, NOFOLLOW
    and TRUNCATED. `mark` and `distinct` are the mark and size of `frontier.page_text.PageText`.
    """

    url: int
    state: int
    answer: int = NONE
    title: int = NONE
    base: int = NONE
    canonical: int = NONE
    refresh: int = NONE
    encoding: int = NONE
    agent_robots: int = NONE
    labels: int = NONE
    visible: int = 0
    text_start: int = 0
    scripts: int = 0
    numbers: int = 0
    flags: int = 0
    mark: int = 0
    distinct: int = 0
    words_at: int = 0
    words: int = 0
    links_at: int = 0
    links: int = 0
    anchors_at: int = 0
    anchors: int = 0
    elements_at: int = 0
    elements: int = 0
    leaves_at: int = 0
    leaves: int = 0
    outer_at: int = 0
    outer: int = 0


WIDTH = len(PageRow._fields)
TEXTS = ("answer", "title", "base", "canonical", "refresh", "encoding", "agent_robots", "labels")
"""The fields that are numbers of texts."""

SIZES = {
    "words": ("word",),
    "links": ("link_url", "link_nofollow"),
    "anchors": ("anchor_target", "anchor_start", "anchor_end", "anchor_position", "anchor_element"),
    "elements": (
        "element_parent",
        "element_start",
        "element_end",
        "element_leaf_start",
        "element_leaf_end",
    ),
    "leaves": ("leaf_word",),
    "outer": ("outer_anchor",),
}
"""The columns of each kind of entry; the field of that name is a page's number of them: words;
distinct links; their occurrences, as in `Links` and `Layout.links`; the rest of `Layout`."""
