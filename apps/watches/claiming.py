"""A person claims that a page has changed which a visit judged the same: its copy becomes a
version, it is news, and blocks like those that were passed over count from then on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from apps.crawls.pages.bodies import OpenBodies
from apps.watches.errors import WatchRefused
from apps.watches.models import Observation, PageState, PageVersion, TaughtBlock, WatchedPage
from apps.watches.taught_blocks import apply_taught, taught_for
from apps.watches.teaching import rule_of, turn
from apps.watches.text_changes.differences import Difference, Edit, compare_texts
from apps.watches.text_changes.passing_values import VisitTimes
from apps.watches.versions import (
    ReadCopy,
    last_version,
    read_copy,
    text_of_version,
    write_version,
)

UNCOUNTED = (Edit.SAME, Edit.MOVED)


@dataclass(frozen=True, slots=True)
class PassedCopy:
    """The last copy of a page that was judged to be the same as the version `before`, although
    their texts differ: the observation that judged so, and the difference."""

    seen: Observation
    before: PageVersion
    copy: ReadCopy
    difference: Difference


def read_passed(page: WatchedPage) -> PassedCopy | None:
    """The last copy of a page if its text differs from the last version and was judged the same;
    else None, as of a copy that is not stored any more."""
    before, crawl, seq = last_version(page), page.crawl, page.seq
    if before is None or crawl is None or seq is None:
        return None
    if page.text_digest in ("", before.text_digest):
        return None
    judged = page.observations.filter(visit__crawl=crawl, state=PageState.SAME)
    seen = judged.select_related("page", "visit").first()
    row = crawl.pages_fetched.filter(seq=seq).first()
    if seen is None or row is None:
        return None
    with OpenBodies() as bodies:
        copy = read_copy(bodies, crawl, row)
    if copy is None or copy.digest == before.text_digest:
        return None
    times = VisitTimes(before.at, seen.at)
    whole = compare_texts(text_of_version(before), copy.text, times)
    return PassedCopy(seen, before, copy, apply_taught(whole, taught_for(page)))


def claim_change(page: WatchedPage, by: User, now: datetime) -> Observation:
    """This was a change: returns the observation that is one now. Raises WatchRefused if the last
    copy has the same text as the version before, or is not stored any more."""
    passed = read_passed(page)
    if passed is None:
        raise WatchRefused(
            "change",
            "The last copy of the page has the text of its last version, or is not stored any"
            " more: there is nothing that could be a change.",
        )
    seen, passages = passed.seen, passed.difference.passages
    rules = [
        rule_of(passage, seen, by, now, is_change=True)
        for passage in passages
        if passage.edit not in UNCOUNTED
    ]
    if not rules:
        raise WatchRefused("change", "Only the order of paragraphs, or blanks, differ.")
    with transaction.atomic():
        if turn(seen, PageState.SAME, PageState.CHANGED):
            TaughtBlock.objects.bulk_create(rules)
            taught = apply_taught(passed.difference, rules)
            version = write_version(page, passed.copy, seen.at, seen.visit, taught.share)
            Observation.objects.filter(pk=seen.pk).update(version=version)
    seen.refresh_from_db()
    return seen


def withdraw_claim(seen: Observation) -> None:
    """This was no change after all: takes back that it was one, what that has taught, and its
    version unless another followed. Raises WatchRefused if nobody has claimed it."""
    claims = seen.taught_blocks.filter(is_change=True)
    if not claims.exists():
        raise WatchRefused("change", "Nobody has claimed that this was a change.")
    version = seen.version
    with transaction.atomic():
        claims.delete()
        turn(seen, PageState.CHANGED, PageState.SAME)
        if version is not None and version == last_version(seen.page):
            before = seen.page.versions.filter(number__lt=version.number).last()
            Observation.objects.filter(version=version).update(version=before)
            version.delete()
    seen.refresh_from_db()
