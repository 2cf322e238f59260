"""A made dictionary, and a German draft whose topic meets English pages by it."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from apps.begin import drafts
from apps.begin.dictionaries import (
    BadDictionary,
    Dictionary,
    named_dictionaries,
    ranked_translations,
    translate,
)
from apps.begin.drafts import Typed
from apps.begin.models import Draft
from apps.begin.services import definition_of
from apps.begin.tasks import gather
from apps.begin.understanding import queries_of, understand, wish_of
from apps.jobs import queue
from tests.people import site_of

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
ENTRIES = {
    "00databaseinfo": "00databaseinfo\nPublished under the GNU General Public License ver. 2.0.\n",
    "Wärmepumpe": "Wärmepumpe /vˈɛrmə/ <fem, n, sg>\n1. [tech.] heat pump\n",
    "Wärme": 'Wärme /vˈɛrmə/ <fem>\n heat; warmth (feeling), glow, fire\n  "warm" - warm\n',
    "schule": "schule\n [zool.] pod, school, group\n",
    "SCHULE": "Schule\nschoolhouse\n",
    "Schule": "Schule\n1. school\n  Synonym: {Lehranstalt}\n2. a place where one learns things\n",
}


def number(value: int) -> str:
    digits = DIGITS[value % 64]
    while value := value // 64:
        digits = DIGITS[value % 64] + digits
    return digits


@pytest.fixture
def dictionary(tmp_path: Path, settings) -> Path:
    folder = tmp_path / "dictd"
    folder.mkdir()
    lines, texts = [], b""
    for headword, text in ENTRIES.items():
        entry = text.encode()
        lines.append(f"{headword}\t{number(len(texts))}\t{number(len(entry))}\n")
        texts += entry
    (folder / "freedict-deu-eng.index").write_text("".join(lines))
    (folder / "freedict-deu-eng.dict.dz").write_bytes(gzip.compress(texts))
    (folder / "other.index").write_text("nothing of ours")
    settings.DICTIONARIES = str(folder)
    return folder


def gathered(owner, **typed) -> Draft:
    draft = drafts.write_draft(owner, Typed(**typed))
    queue.claim_here(draft)
    gather(draft)
    draft.refresh_from_db()
    return draft


def test_words_are_looked_up_whatever_their_capitals(dictionary: Path) -> None:
    wanted = {"wärmepumpe", "wärme", "schule", "mond"}
    translated = translate(wanted, "de", {"en"})
    assert translated.words == {
        "wärmepumpe": ("heat pump",),
        "wärme": ("heat", "warmth", "glow"),
        "schule": ("school", "schoolhouse", "pod"),
    }
    assert translated.by == ("freedict-deu-eng, licence GNU General Public License",)
    assert translate(wanted, "de", {"fr"}).words == translate(wanted, "en", {"de"}).words == {}


def test_plain_files_and_a_single_one_are_read(dictionary: Path, settings) -> None:
    packed = dictionary / "freedict-deu-eng.dict.dz"
    packed.with_suffix("").write_bytes(gzip.decompress(packed.read_bytes()))
    packed.unlink()
    settings.DICTIONARIES = str(dictionary / "freedict-deu-eng.index")
    assert translate({"schule"}, "de", {"en"}).words == {"schule": ("school", "schoolhouse", "pod")}


def test_explanations_examples_and_remarks_are_no_translations() -> None:
    entry = "Haus\n1. house [arch.], {home}\nNote: a remark\n- an example\n 3\n"
    assert [text for _, _, text in ranked_translations(entry)] == ["house"]


def test_a_folder_without_a_dictionary_and_a_damaged_one_are_named(
    dictionary: Path, settings, tmp_path: Path
) -> None:
    (dictionary / "freedict-deu-eng.index").write_text("Schule without tabs\n")
    with pytest.raises(BadDictionary, match="freedict-deu-eng is not a dictionary of dictd"):
        translate({"schule"}, "de", {"en"})
    (dictionary / "freedict-deu-eng.index").write_text("Schule\tA\tB\n")
    (dictionary / "freedict-deu-eng.dict.dz").write_bytes(b"no gzip at all")
    with pytest.raises(BadDictionary, match=r"CRAWLSITE_DICTIONARIES: freedict-deu-eng cannot"):
        translate({"schule"}, "de", {"en"})
    settings.DICTIONARIES = str(tmp_path)
    with pytest.raises(BadDictionary, match="has no dictionary named as"):
        named_dictionaries()


def test_a_sentence_of_one_language_seeks_pages_of_another(
    owner, data_dir, dictionary: Path
) -> None:
    sentence = "Seiten über die Wärme, die man in der Schule braucht"
    draft = gathered(owner, sentence=sentence, words=("Wärmepumpe",), language="de en")
    rows = {row.word: row.translated for row in understand(draft).rows}
    assert rows["Wärmepumpe"] == ("heat pump",)
    assert rows[""] == ("heat", "warmth", "glow", "school", "schoolhouse", "pod")
    assert "heat pump" in wish_of(draft).words
    assert "heat pump heat warmth glow" in queries_of(draft)
    topic = definition_of(draft)
    assert topic.keywords[:3] == ("Wärmepumpe", "heat pump", "heat")
    assert topic.language == "de en"
    page = site_of(owner).get(f"/topics/new/{draft.pk}/").json()["parts"]["understood"]
    assert "Translated by freedict-deu-eng, licence GNU General Public License" in page
    draft.removed = ["glow", "heat pump", "pod", "schoolhouse"]
    assert definition_of(draft).keywords == ("Wärmepumpe", "heat", "warmth", "school")


def test_a_draft_has_its_index_read_once(owner, data_dir, dictionary: Path, monkeypatch) -> None:
    read, spans = [], Dictionary._spans

    def reading(self: Dictionary, headwords):
        read.append(self.name)
        return spans(self, headwords)

    monkeypatch.setattr(Dictionary, "_spans", reading)
    draft = gathered(owner, words=("Wärmepumpe",), language="de en")
    assert draft.translations == {"wärmepumpe": ["heat pump"]}
    assert draft.translated_by == ["freedict-deu-eng, licence GNU General Public License"]
    assert read == ["freedict-deu-eng"]


def test_in_one_language_nothing_is_translated(owner, data_dir, dictionary: Path) -> None:
    draft = gathered(owner, words=("Wärmepumpe",), language="de")
    assert draft.translations == {} and draft.translated_by == []
    assert definition_of(draft).keywords == ("Wärmepumpe",)
    assert definition_of(draft).language == "de"


def test_a_dictionary_that_cannot_be_read_is_named_on_the_screen(owner, data_dir, settings) -> None:
    settings.DICTIONARIES = "/none/freedict-deu-eng.index"
    draft = gathered(owner, words=("Schule",), language="de en")
    page = site_of(owner).get(f"/topics/new/{draft.pk}/").json()["parts"]["understood"]
    assert "CRAWLSITE_DICTIONARIES: freedict-deu-eng cannot be read (No such file" in page
