"""Whether a difference of passing values is one of the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apps.engine.representation.stop_words import STOP_WORDS
from apps.watches.text_changes.passing_values import Noise, ReadWord, VisitTimes, day_in, keyed

SHORT_BLOCK = 14
"""Words of a block that may be a stamp or a counter; a longer one is prose, whose figures count."""
MOST_CONTENT = 3
"""Words of content in a stamp or a counter, such as the names of who made the page."""
STAMP = re.compile(
    r"(?i)(?<!\w)(?:updated?|modified|changed|today|now|as of|retrieved|accessed|generated|printed"
    r"|served|rendered|cached|current(?:ly)?|last|time|copyright|©|\(c\)|refreshed|checked|crawled"
    r"|stand|aktualisiert|aktualisierung|letzte[rns]?|zuletzt|geändert|heute|jetzt|abgerufen|uhrzeit"
    r"|erzeugt|mise? à jour|modifiée?|aujourd.hui|dernière|généré|consulté"
    r"|actualizado|actualización|hoy|última|modificado|aggiornato|aggiornamento|oggi|ultim[ao]"
    r"|bijgewerkt|vandaag|laatst|atualizado|hoje|zaktualizowano|dzisiaj|uppdaterad|senast|idag"
    r"|opdateret|oppdatert|päivitetty|обновлено|сегодня)(?!\w)|更新|今日|今天|現在|업데이트|오늘"
)
COUNTER = re.compile(
    r"(?i)(?<!\w)(?:visit(?:or)?s?|views?|viewed|viewing|hits?|reads?|readers?|reading|clicks?"
    r"|counter|comments?|replies|likes?|shares?|votes?|downloads?|online|followers?|subscribers?"
    r"|watching|shared|seen|popularity|people are|pageviews?|impressions?|session|request|generated"
    r"|served|rendered|©|copyright|besucher|besuche|aufrufe|zugriffe|zähler|kommentare?|gefällt|leser|visites?|visiteurs?"
    r"|vues|lectures|commentaires?|visitas|visitantes|lecturas|comentarios?|visite|visitatori"
    r"|letture|commenti|bezoekers?|reacties|weergaven|wyświetleń|komentarzy|odsłon"
    r"|visningar|besökare|просмотров|комментари\w*)(?!\w)|次浏览|浏览|閲覧|回表示|조회"
)
_PRICE = re.compile(r"[€$£¥₹%]|(?<!\w)(?:EUR|USD|GBP|CHF)(?!\w)")
_OF_THE_PAGE = re.compile(
    r"(?i)(?<!\w)(?:you are|this|page (?:was|has)|sie sind|diese?r? (?:seite|artikel)|cette page"
    r"|cet article|esta página|este artículo)(?!\w)"
)
_FUNCTION_WORDS = frozenset().union(*STOP_WORDS.values())


def passing_noise(
    before: Sequence[ReadWord], after: Sequence[ReadWord], times: VisitTimes | None
) -> Noise | None:
    """Why two texts with the same keys are the same, though their values differ; None if a value
    shows a change."""
    pairs = [
        (old, new)
        for old, new in zip(keyed(before), keyed(after), strict=True)
        if old.text != new.text
    ]
    block = "".join(word.text for word in after)
    words = [word for word in keyed(after) if not word.value]
    reasons = [_reason(old, new, block, words, times) for old, new in pairs]
    return None if None in reasons else next(iter(reasons), Noise.DATE)


def _reason(
    old: ReadWord, new: ReadWord, block: str, words: Sequence[ReadWord], times: VisitTimes | None
) -> Noise | None:
    if new.value == "ago":
        return Noise.DATE
    if new.value == "session":
        return Noise.SESSION
    if new.value == "date":
        is_of_the_clock = _is_stamp(block, words) or _is_of_the_clock(old, new, times)
        return Noise.DATE if is_of_the_clock else None
    return Noise.COUNTER if _is_counter(block, words) else None


def _is_stamp(block: str, words: Sequence[ReadWord]) -> bool:
    if not words:
        return True
    is_named = len(words) <= SHORT_BLOCK and STAMP.search(block) is not None
    return is_named and _number_of_content(STAMP, words) <= MOST_CONTENT


def _is_counter(block: str, words: Sequence[ReadWord]) -> bool:
    if _PRICE.search(block):
        return False
    if not words:
        return True
    if len(words) > SHORT_BLOCK or not COUNTER.search(block):
        return False
    is_sentence = len(words) > 4 and block.rstrip().endswith((".", "!", "?"))
    if is_sentence and not _OF_THE_PAGE.search(block):
        return False
    return _number_of_content(COUNTER, words) <= MOST_CONTENT


def _number_of_content(pattern: re.Pattern[str], words: Sequence[ReadWord]) -> int:
    """Words that are neither of the pattern nor function words."""
    text = pattern.sub(" ", " ".join(word.key for word in words))
    return sum(word not in _FUNCTION_WORDS for word in text.split())


def _is_of_the_clock(old: ReadWord, new: ReadWord, times: VisitTimes | None) -> bool:
    before = old.day or (day_in(old.text, times.before.date()) if times else None)
    after = new.day or (day_in(new.text, times.after.date()) if times else None)
    if before is None or after is None:
        # A time to the second is that of a clock; `9:00` may be when something opens.
        return new.text.count(":") > 1
    return times is None or before == after or times.is_followed_by(before, after)


def is_passing(words: Sequence[ReadWord]) -> Noise | None:
    """Why a whole block, come or gone, is none of the text: it is a stamp or a counter alone."""
    block = "".join(word.text for word in words)
    values = [word for word in keyed(words) if word.value]
    plain = [word for word in keyed(words) if not word.value]
    if not values:
        return None
    dates = all(word.value in ("date", "ago") for word in values)
    if not plain or (dates and STAMP.search(block) and _number_of_content(STAMP, plain) <= 1):
        return Noise.DATE
    is_counter = _is_counter(block, plain) and _number_of_content(COUNTER, plain) <= 1
    return Noise.COUNTER if is_counter else None
