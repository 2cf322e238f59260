"""Blocks that are no text of a page, though an extraction may leave them in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apps.watches.text_changes.passing_values import Noise

MOST_COOKIE_WORDS = 90
"""A longer block that names cookies is an article about them."""
_ADVERTISEMENT = re.compile(
    r"(?i)\W*(?:advertisements?|advert|sponsored|promoted|paid (?:content|partnership)|ad\s*[:|–—-]"
    r"|ads by|anzeige|werbung|gesponsert|publicité|sponsorisé|publicidad|patrocinado|pubblicità"
    r"|sponsorizzato|advertentie|reklama|annons|annonce|mainos|реклама)(?!\w)"
    r"|\W*(?:广告|廣告|広告|광고)"
)
_COOKIE = re.compile(r"(?i)(?<!\w)(?:cookies?|файлы cookie)(?!\w)|クッキー|쿠키")
_CONSENT = re.compile(
    r"(?i)(?<!\w)(?:accept|agree|consent|settings|preferences|polic|experience|analytics|we use"
    r"|uses? cookies|akzept|zustimm|einstellung|verwende|nutz|datenschutz|acept|utiliz|configur"
    r"|utilis|accepte|paramètre|accett|accord|accepteren|gebruik|akceptuj)|同意|使用|동의|сайт"
)
_RELATED = re.compile(
    r"(?i)\W*(?:related(?: \w+)?|see also|you (?:may|might) (?:also )?like|recommended(?: for you)?"
    r"|trending|most (?:read|popular)|popular now|read next|more from \w+|mehr zum thema"
    r"|lesen sie auch|meistgelesen|à lire aussi|lire aussi|más leídas)\s*[:|–—]"
)
_SIGNS = re.compile(r"(?<!\s)\s+[|·•›»>/→←-]\s+|\t")
_SENTENCE_END = re.compile(r"[.!?。！？]\s*$")
_MENU_WORDS = frozenset(
    "home start startseite accueil inicio contact kontakt contacto contatti about imprint impressum"
    " privacy datenschutz login logout register search suche recherche menu sitemap newsletter help"
    " hilfe faq news terms rss print share top next previous back more".split()
)


def boilerplate_kind(text: str) -> Noise | None:
    """Why a block is none of the text, by itself; None for a block of the text."""
    if _ADVERTISEMENT.match(text):
        return Noise.ADVERTISEMENT
    is_short = len(text.split()) <= MOST_COOKIE_WORDS
    if is_short and _COOKIE.search(text) and _CONSENT.search(text):
        return Noise.COOKIES
    return Noise.MENU if _RELATED.match(text) or _is_menu(text) else None


def boilerplate_kinds(blocks: Sequence[str]) -> list[Noise | None]:
    """The kinds of all blocks of a text: the block after one that reads only “Advertisement” is an
    advertisement."""
    kinds: list[Noise | None] = []
    is_label = False
    for text in blocks:
        kind = Noise.ADVERTISEMENT if is_label else boilerplate_kind(text)
        is_label = not is_label and kind is Noise.ADVERTISEMENT and len(text.split()) == 1
        kinds.append(kind)
    return kinds


def _is_menu(text: str) -> bool:
    words = re.findall(r"\w+", text.casefold())
    if words and len(words) <= 12 and all(word in _MENU_WORDS for word in words):
        return True
    if "\t" in text or _SENTENCE_END.search(text):
        return False  # a row of a table, or a sentence
    parts = [part for part in _SIGNS.split(text) if part]
    return len(parts) >= 4 and all(
        len(part.split()) <= 4 and not re.search(r"\d", part) for part in parts
    )
