"""The change of a page at a visit in one line, and the comparison of its versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apps.main_text.article import unpack
from apps.watches.models import Observation, PageState, PageVersion
from apps.watches.taught_blocks import apply_taught, taught_for
from apps.watches.text_changes.differences import Difference, compare_texts
from apps.watches.text_changes.headlines import Headline, cut_sentence
from apps.watches.text_changes.passing_values import VisitTimes
from apps.watches.visits.states import SOFT
from apps.webs.messages import failure_words

GONE = {
    "http_404": "Its site answers “not found” (404).",
    "http_410": "Its site answers “gone” (410).",
    SOFT: "Its address now leads to the start page, or to a notice that it is gone.",
}
LEAST_SENTENCE = 40
"""Characters of a block with what a page is about."""


def version_text(version: PageVersion) -> str:
    """The text of a version, a block a line."""
    return "\n".join(block.text for block in unpack(bytes(version.blocks)))


def compare_versions(before: PageVersion, after: PageVersion) -> Difference:
    """The difference of two versions, with the moments at which they were read. Where nothing
    counts by itself, what people have claimed to be a change does."""
    times = VisitTimes(before.at, after.at)
    difference = compare_texts(version_text(before), version_text(after), times)
    if difference.is_change:
        return difference
    return apply_taught(difference, [rule for rule in taught_for(after.page) if rule.is_change])


def previous_versions(versions: Iterable[PageVersion]) -> Mapping[int, PageVersion]:
    """The version before each, by the key of the later one; a first one has none."""
    wanted = list(versions)
    pages = {version.page_id for version in wanted}
    by_page: dict[int, list[PageVersion]] = {}
    for version in PageVersion.objects.filter(page__in=pages).defer("blocks").order_by("number"):
        by_page.setdefault(version.page_id, []).append(version)
    previous: dict[int, PageVersion] = {}
    for version in wanted:
        earlier = [each for each in by_page[version.page_id] if each.number < version.number]
        if earlier:
            previous[version.pk] = earlier[-1]
    return previous


def describe(observation: Observation, before: PageVersion | None) -> Headline:
    """Describes the page at a visit, in one line; `before` is the version before its own."""
    page, version = observation.page, observation.version
    if observation.state == PageState.GONE:
        return Headline("", "", GONE.get(observation.code, "It is gone."))
    if observation.state == PageState.NOT_REACHED:
        return Headline("", "", f"It was not reached: {answer_words(observation.code)}.")
    if version is None:
        return Headline("", "", page.title)
    if observation.state == PageState.NEW or before is None:
        return Headline("", "", first_sentence(version))
    headline = compare_versions(before, version).headline
    if before.relevant and version.relevant is False:
        context = f"No longer relevant. {headline.context}".strip()
        return Headline(context, headline.words_out, headline.words_in)
    return headline


def answer_words(code: str) -> str:
    """The code of an answer without a page, in words."""
    return "leads to the start page, or to a notice" if code == SOFT else failure_words(code)


def first_sentence(version: PageVersion) -> str:
    """The beginning of a page's first real paragraph, which shows its subject."""
    blocks = unpack(bytes(version.blocks))
    paragraphs = [b.text for b in blocks if b.kind == "paragraph" and len(b.text) > LEAST_SENTENCE]
    others = [b.text for b in blocks if b.kind != "heading"]
    text = next(iter([*paragraphs, *others]), version.title)
    return cut_sentence(" ".join(text.split()))
