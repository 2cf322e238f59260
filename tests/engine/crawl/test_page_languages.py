"""Pages in a language that the scope leaves out."""

from __future__ import annotations

from dataclasses import replace

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.crawl.page_languages import other_language
from apps.engine.frontier.scope import Scope
from apps.engine.urls import host
from tests.engine.crawl.crawls import batches_of, recorded_crawl
from tests.made_web import MadeWeb

GERMAN = (
    "die stadt heizt ihr rathaus seit oktober mit zwei wärmepumpen die den alten kessel im hof"
    " ersetzen und der rat hat im winter beschlossen dass auch die schule nicht mehr mit gas"
    " geheizt werden soll weil die kosten in den letzten jahren sehr gestiegen sind "
)
POLISH = (
    "miasto ogrzewa ratusz od października dwiema pompami ciepła które zastąpiły stary kocioł na"
    " podwórzu a rada postanowiła zimą że także szkoła nie będzie już ogrzewana gazem ponieważ"
    " koszty w ostatnich latach bardzo wzrosły "
)
NAMES = "anna kowalska peter meier jean dupont li wei maria rossi john smith olga iwanowa " * 12


def test_a_text_in_none_of_the_languages_is_named() -> None:
    assert other_language((GERMAN * 4).split(), ("en",)) == "de"
    assert other_language((POLISH * 4).split(), ("en", "de")) == "pl"


def test_letters_identify_a_language_without_stop_words() -> None:
    russian = "город отапливает ратушу двумя тепловыми насосами которые заменили старый котёл "
    assert other_language((russian * 12).split(), ("en",)) == "ru"
    assert other_language((russian * 12).split(), ("ru",)) == ""


def test_a_text_that_may_be_in_one_of_them_is_taken() -> None:
    assert other_language((GERMAN * 4).split(), ("en", "de")) == ""
    assert other_language((POLISH * 3 + GERMAN * 3).split(), ("de",)) == ""
    assert other_language(GERMAN.split()[:20], ("en",)) == ""
    assert other_language(NAMES.split(), ("en",)) == ""
    assert other_language([], ("en",)) == ""


class MixedWeb(MadeWeb):
    """The pages of h0 are German, those of h1 have names only."""

    def get(self, url: str) -> Answer:
        answer = super().get(url)
        text = {"h0": GERMAN * 30, "h1": NAMES * 10}.get(
            answer.final_url[len("http://") :].split(".")[0], ""
        )
        return replace(answer, body=f"<p>{text}</p>".encode() + answer.body)


async def test_pages_of_other_languages_are_left_out_and_their_links_followed() -> None:
    web = MixedWeb(pages=80)
    crawl = recorded_crawl(web, budget=80, scope=Scope(languages=("en",)))
    crawl.start()
    batches = await batches_of(crawl)
    left = [f for b in batches for f in b.failures if f.answer.failure == Failure.OTHER_LANGUAGE]
    assert left and {(host(f.answer.final_url), f.answer.detail) for f in left} == {
        ("h0.test", "de")
    }
    assert any(f.links for f in left)
    taken = {host(p.answer.final_url) for b in batches for p in b.pages}
    assert "h1.test" in taken and "h0.test" not in taken
