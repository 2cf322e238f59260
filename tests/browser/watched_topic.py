"""A topic of the running site whose watch has seen pages come, change and go."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.running_site import RunningSite

# Paused, so that the site itself begins no visit.
FILL = """
import json
from apps.topics.models import Topic
from apps.watches.digests import begin_digests, compose
from apps.watches.models import Digest, Observation, PageState, Watch
from apps.watches.subscriptions import feed_of
from tests.watch_fixtures import START, fill_watch
topic = Topic.objects.get(pk={topic})
watch = Watch.objects.filter(topic=topic).first()
if watch is None:
    watch = Watch.objects.create(topic=topic, owner=topic.owner, created_at=START, is_paused=True)
    Watch.objects.filter(pk=watch.pk).update(created_at=START)
    fill_watch(watch)
begin_digests(START)
for digest in Digest.objects.filter(watch=watch):
    compose(digest)
digest = Digest.objects.get(watch=watch, contains="news")
changed = Observation.objects.filter(visit__watch=watch, state=PageState.CHANGED).earliest("pk")
print(json.dumps({{"digests/digest": digest.pk, "pages/page": watch.pages.earliest("pk").pk,
    "changes/seen": changed.pk,
    "feed/token": feed_of(watch, topic.owner, START).secret}}))
"""


def watched_topic(site: RunningSite, topic: int) -> Mapping[str, object]:
    """Watches the topic; what stands in the addresses of its screens."""
    done = site.manage("shell", "-c", FILL.format(topic=topic))
    assert done.returncode == 0, done.stderr
    numbers: Mapping[str, object] = json.loads(done.stdout.splitlines()[-1])
    return numbers
