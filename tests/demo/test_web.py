"""What the demo web promises: sizes, topics, links, status, and pages that do not change."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from hashlib import sha256

import numpy as np
import pytest
from scipy.stats import spearmanr

from apps.demo.pages import moved
from apps.demo.plan import PageKind
from apps.demo.topic import DEMO_TOPIC
from apps.demo.web import DemoWeb
from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.networking.robots.rules import parse as parse_robots
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.engine.urls import canonical, host, path_depth

SEEDS = (1, 2, 3)


def sample_of(web: DemoWeb, count: int, seed: int = 0) -> list[str]:
    urls = list(web.urls())
    chosen = np.random.default_rng(seed).choice(len(urls), count, replace=False)
    return [urls[i] for i in chosen]


@pytest.fixture(scope="module")
def webs(demo_web: DemoWeb) -> dict[int, DemoWeb]:
    """By seed."""
    return {1: demo_web, 2: DemoWeb(2), 3: DemoWeb(3)}


@pytest.fixture(scope="module")
def pages(demo_web: DemoWeb) -> list[tuple[Answer, Document]]:
    """A sample, fetched and parsed."""
    answers = [read(demo_web, url) for url in sample_of(demo_web, 300)]
    return [(answer, parse(answer)) for answer in answers]


def test_it_has_the_size_and_the_hosts(demo_web):
    urls = list(demo_web.urls())
    assert demo_web.count == len(urls) == len(set(urls)) >= 10_000
    sizes = Counter(host(url) for url in urls)
    assert set(sizes) == demo_web.hosts
    assert len(sizes) >= 24
    assert max(sizes.values()) > 10 * min(sizes.values())
    assert all(canonical(url) == url for url in urls)


def test_the_demo_topic_is_small_and_spread(demo_web):
    relevant = demo_web.relevant(DEMO_TOPIC)
    assert 0.10 < len(relevant) / demo_web.count <= 0.15
    assert len({host(url) for url in relevant}) >= 20
    assert len(demo_web.topics) >= 8
    mixed = Counter(
        topic
        for _, topic in {
            (host(url), label) for url in demo_web.urls() for label in demo_web.labels(url)
        }
    )
    assert min(mixed.values()) >= 8


def test_labels_are_known_topics_and_unknown_urls_have_none(demo_web):
    counts = Counter(label for url in demo_web.urls() for label in demo_web.labels(url))
    assert set(counts) == set(demo_web.topics)
    assert demo_web.labels("http://bakery.demo.test/nothing") == ()
    assert len(demo_web.relevant(DEMO_TOPIC)) == counts[DEMO_TOPIC]


def test_pages_do_not_change_between_processes():
    web = DemoWeb(1, 4_000)
    urls = sample_of(web, 40)
    digest = sha256(b"".join(web.get(url).body for url in urls)).hexdigest()
    code = (
        "import sys; from hashlib import sha256; from apps.demo.web import DemoWeb; "
        "web = DemoWeb(1, 4_000); bodies = [web.get(url).body for url in sys.argv[1:]]; "
        "print(sha256(b''.join(bodies)).hexdigest())"
    )
    other = "0" if os.environ.get("PYTHONHASHSEED") == "7" else "7"
    done = subprocess.run(
        [sys.executable, "-c", code, *urls],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": other},
    )
    assert done.stdout.strip() == digest


def test_another_seed_is_another_web(webs, demo_web):
    other = webs[2]
    assert len(set(other.urls()) & set(demo_web.urls())) < 0.2 * demo_web.count
    home = "http://bakery.demo.test/"
    assert other.get(home).body != demo_web.get(home).body


def test_a_smaller_web_keeps_the_shares_and_too_small_a_one_is_refused():
    small = DemoWeb(seed=3, pages=5_000)
    assert small.count == 5_000
    assert 0.10 < len(small.relevant(DEMO_TOPIC)) / small.count <= 0.15
    with pytest.raises(ValueError, match="at least 4000"):
        DemoWeb(pages=3_999)


def test_the_pages_link_as_the_graph_does(demo_web, pages):
    urls = set(demo_web.urls())
    for answer, document in pages:
        targets = set()
        for target in document.links.urls:
            if target not in urls:
                target = demo_web.get(target).header("Location")
            if target in urls:
                targets.add(target)
        assert targets == set(demo_web.links(answer.url)), answer.url


def test_inlinks_are_counted_over_the_links_of_the_whole_web(demo_web):
    counts = Counter(target for url in demo_web.urls() for target in demo_web.links(url))
    assert dict(demo_web.inlinks()) == dict(counts)
    assert min(counts.values()) >= 1
    assert all(url not in demo_web.links(url) for url in sample_of(demo_web, 500))


def test_in_links_are_skewed(demo_web):
    counts = np.sort([n for _, n in demo_web.inlinks()])[::-1]
    assert counts[0] > 50 * np.median(counts)
    articles = np.sort(demo_web.graph.inlinks()[demo_web.plan.kind == PageKind.ARTICLE])[::-1]
    tail = articles[20 : len(articles) // 20]
    slope = np.polyfit(np.log(np.arange(20, len(articles) // 20)), np.log(tail), 1)[0]
    assert -1.0 < slope < -0.25


def test_every_page_is_reached_from_any_home(demo_web):
    graph = demo_web.graph
    seen = np.zeros(demo_web.count, np.bool_)
    waiting = [int(np.flatnonzero(demo_web.plan.kind == PageKind.HOME)[5])]
    seen[waiting] = True
    while waiting:
        spans = [graph.target[graph.start[page] : graph.start[page + 1]] for page in waiting]
        waiting = [int(page) for page in np.unique(np.concatenate(spans)) if not seen[page]]
        seen[waiting] = True
    assert seen.all()


def test_some_pages_are_reached_only_through_other_topics(demo_web):
    graph, topic = demo_web.graph, demo_web.plan.topic
    same = topic[graph.source] == topic[graph.target]
    from_own = np.bincount(graph.target[same], minlength=demo_web.count)
    demo = topic == demo_web.topics.index(DEMO_TOPIC)
    assert 0.01 < np.mean(from_own[demo] == 0) < 0.15


@pytest.mark.parametrize("seed", SEEDS)
def test_about_half_of_the_links_stay_on_topic(webs, seed):
    web = webs[seed]
    topic, graph = web.plan.topic, web.graph
    assert 0.45 < np.mean(topic[graph.source] == topic[graph.target]) < 0.6
    assert 15 <= len(graph.target) / web.count <= 30


@pytest.mark.parametrize("seed", SEEDS)
def test_status_is_local_across_links_and_not_at_random(webs, seed):
    web = webs[seed]
    status = np.log1p(web.graph.inlinks())
    source, target = web.graph.source, web.graph.target
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(target), 20_000)
    across = spearmanr(status[source[drawn]], status[target[drawn]]).statistic
    random = spearmanr(status[source[drawn]], rng.permutation(status[target[drawn]])).statistic
    assert 0.30 < across < 0.42
    assert abs(random) < 0.03


def test_status_hardly_depends_on_the_topic(demo_web):
    status = np.log1p(demo_web.graph.inlinks())
    means = [status[demo_web.plan.topic == topic].mean() for topic in range(len(demo_web.topics))]
    assert max(means) - min(means) < 0.3 * status.std()


def test_what_a_page_looks_like_shows_its_status(demo_web, pages):
    """SL §4.2: more words, fewer directories, more out-links, where there are more in-links."""
    counts = dict(demo_web.inlinks())
    urls = [answer.url for answer, _ in pages]
    documents = [document for _, document in pages]
    status = [counts[url] for url in urls]
    words = [document.visible for document in documents]
    links = [len(document.links) for document in documents]
    assert spearmanr(words, status).statistic > 0.3
    assert spearmanr(links, status).statistic > 0.3
    assert spearmanr([path_depth(url) for url in urls], status).statistic < -0.2


def test_robots_close_a_directory_and_one_host_asks_for_patience(demo_web):
    delays = {}
    for name in demo_web.hosts:
        rules = parse_robots(demo_web.get(f"http://{name}/robots.txt"), "crawlsite/1.0")
        assert rules.allows(f"http://{name}/sourdough/")
        assert not rules.allows(f"http://{name}/members/sourdough/x.html")
        delays[name] = rules.crawl_delay
    assert sorted(delays.values(), key=str) == [1.0] + [None] * (len(delays) - 1)
    assert any("/members/" in url for url in demo_web.urls())


def test_unknown_hosts_paths_and_old_addresses(demo_web):
    assert demo_web.get("http://closed1.demo.test/").failure == "dns"
    missing = demo_web.get("http://bakery.demo.test/gone/1.html")
    assert (missing.status, missing.failure) == (404, "http_404")
    page = 5_000
    url = list(demo_web.urls())[page]
    old = demo_web.get(moved(url, page))
    assert (old.status, old.header("Location")) == (301, url)
    assert demo_web.get(moved("http://rookery.demo.test/", 50)).status == 404
    assert demo_web.get("http://bakery.demo.test/moved/x").status == 404
    assert read(demo_web, moved(url, page)).final_url == url
    assert demo_web.page_at(url) == demo_web.page_at(moved(url, page)) == url
    assert demo_web.page_at("http://nowhere.test/") is None is demo_web.page_at(f"{url}?none")


def test_the_markup_is_varied_and_untidy(pages):
    answers, documents = zip(*pages, strict=True)
    bodies = [answer.body for answer in answers]
    for mess in (
        b"<TABLE",
        b"<base href",
        b"<script",
        b"<!--",
        b'href="../',
        b"#top",
        b"?id=",
        b'rel="nofollow"',
        b"<img",
        b"/moved/",
        b"/gone/",
        b"mailto:",
    ):
        assert any(mess in body for body in bodies), mess
    assert any(b"<title>" not in body.lower() for body in bodies)
    assert {answer.header("Content-Type").lower() for answer in answers} >= {
        "text/html",
        "text/html; charset=utf-8",
        "text/html; charset=iso-8859-1",
    }
    encodings = {document.encoding for document in documents}
    assert {"utf-8", "windows-1252"} <= encodings
    assert all("�" not in " ".join(document.words) for document in documents)
