"""The pages that the bench crawls are like those of the Web: large, with many links, and in every
script."""

from __future__ import annotations

import pytest

from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.research.bench.articles import SCRIPTS, ArticleWeb, article_topic


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_page_of_each_script_is_as_large_as_an_article(script: str) -> None:
    web = ArticleWeb(script)
    answer = read(web, web.url(17))
    document = parse(answer)
    assert 20_000 < len(answer.body.decode()) < 30_000
    assert 45 <= len(document.links) <= 51
    assert document.visible > 600
    assert all(read(web, url).status == 200 for url in document.links.urls)


def test_the_web_has_pages_in_every_script_and_the_same_each_time() -> None:
    web = ArticleWeb()
    assert {web.script(page) for page in range(40)} == {*SCRIPTS}
    assert [web.get(web.url(page)) for page in (3, 12)] == [
        ArticleWeb().get(web.url(page)) for page in (3, 12)
    ]
    assert web.get("http://h0.test/robots.txt").status == 404


def test_its_topic_has_examples_to_learn_from_and_to_judge_by() -> None:
    topic = article_topic(ArticleWeb(), examples=5)
    assert len(topic.training) == 15 and len(topic.evaluation) == 10
    assert {example.url for example in topic.training}.isdisjoint(
        example.url for example in topic.evaluation
    )
