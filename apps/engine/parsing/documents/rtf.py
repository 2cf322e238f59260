"""Rich Text Format (Microsoft, version 1.9.1): text, links, title, author and date."""

from __future__ import annotations

import codecs
import locale
import re
from dataclasses import dataclass, replace

from apps.engine.codes import Failure
from apps.engine.parsing.documents.conversion import Conversion
from apps.engine.parsing.documents.dates import iso_date
from apps.engine.parsing.documents.limits import DocumentFailed
from apps.engine.parsing.documents.paragraphs import Paragraphs

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+"
    rb"|([^\\{}\r\n]+)"
)
_FIELD_LINK = re.compile(r'\s*HYPERLINK\s+"?([^"\s]+)')
# Groups whose content is no text of the document.
_NO_TEXT = frozenset(
    "annotation atnauthor atndate atnid colortbl datafield datastore filetbl fonttbl footer footerf"
    " footerl footerr generator header headerf headerl headerr info latentstyles listtable"
    " listoverridetable nonshppict objdata pict pntext revtbl rsidtbl shppict stylesheet themedata"
    " xmlnstbl".split()
)
_CHARACTERS = {
    "par": "\n", "line": "\n", "tab": "\t", "cell": " | ", "emdash": "—", "endash": "–",
    "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "emspace": " ", "enspace": " ",
}  # fmt: skip
_SYMBOLS = {b"~": "\xa0", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n"}
_LINK = "fldinst"
_SHOWN = frozenset({"fldrslt", "shptxt"})  # though marked as skippable
_DATES = frozenset({"creatim", "revtim"})
_NAMED = frozenset({"title", "author"})
_DECLARED = _DATES | _NAMED
_DATE_WORDS = {"yr": 0, "mo": 1, "dy": 2}
_PARAGRAPH_ENDS = frozenset({"par", "sect", "row"})


@dataclass(frozen=True, slots=True)
class _Group:
    """The state inside a pair of braces: the destination of its text (`into` is empty for the
    document itself), and how many fallback characters follow a Unicode one."""

    into: str = ""
    fallback: int = 1


class _RtfReader:
    """The state between two control words."""

    def __init__(self, conversion: Conversion) -> None:
        self.conversion = conversion
        self.paragraphs = Paragraphs(conversion)
        self.codec = "cp1252"
        self.group = _Group()
        self.groups: list[_Group] = []
        self.collected: dict[str, str] = {}
        self.dates: dict[str, list[int]] = {}
        self.bytes = b""
        self.skipped = 0
        self.is_marked = False
        self.field_depth = 0

    def word(self, word: str, number: int | None) -> None:
        """A control word."""
        self.flush()
        is_marked, self.is_marked = self.is_marked, False
        into = self.group.into
        if not into and (word in _NO_TEXT or word == _LINK or (is_marked and word not in _SHOWN)):
            self.group = replace(self.group, into=word)
        elif into == "info":
            self.group = replace(self.group, into=word if word in _DECLARED else into)
        elif into in _DATES and word in _DATE_WORDS:
            self.dates.setdefault(into, [0, 1, 1])[_DATE_WORDS[word]] = number or 0
        elif word == "u" and number is not None:
            self.put(chr(number % 0x10000))
            self.skipped = self.group.fallback
        elif word == "uc":
            self.group = replace(self.group, fallback=min(max(number or 0, 0), 8))
        elif word == "ansicpg":
            self.codec = _codec(number or 0)
        elif word == "deflang" and not self.conversion.language:
            self.conversion.language = locale.windows_locale.get(number or 0, "").replace("_", "-")
        elif not into and word == "page":
            self.paragraphs.break_page()
        elif not into and word in _PARAGRAPH_ENDS:
            self.paragraphs.end()
        elif word in _CHARACTERS:
            self.put(_CHARACTERS[word])

    def put(self, text: str) -> None:
        """Text for wherever the group sends it."""
        into = self.group.into
        if not into:
            self.paragraphs.text(text)
        elif into in _NAMED or into == _LINK:
            self.collected[into] = (self.collected.get(into, "") + text)[:10_000]

    def flush(self) -> None:
        """Decodes the bytes since the last control word: a character may have two."""
        if self.bytes:
            self.put(self.bytes.decode(self.codec, "replace"))
            self.bytes = b""

    def plain(self, data: bytes) -> None:
        """Bytes of text, without those that stand in for a Unicode character before them."""
        dropped = min(self.skipped, len(data))
        self.skipped -= dropped
        self.bytes += data[dropped:]

    def open(self) -> None:
        self.flush()
        self.skipped = 0
        self.groups.append(self.group)

    def close(self) -> None:
        self.flush()
        self.skipped = 0
        self.is_marked = False
        ended = self.group
        if self.groups:
            self.group = self.groups.pop()
        if ended.into == _LINK and self.group.into != _LINK:
            link = _FIELD_LINK.match(self.collected.pop(_LINK, ""))
            self.paragraphs.link(link[1] if link else "")
            self.field_depth = len(self.groups)
        elif self.paragraphs.href and len(self.groups) < self.field_depth:
            self.paragraphs.link("")


def convert(body: bytes) -> Conversion:
    """Reads a document. Raises DocumentFailed."""
    if not body.startswith(b"{\\rtf"):
        raise DocumentFailed(Failure.BROKEN_DOCUMENT, "no Rich Text")
    conversion = Conversion()
    reader = _RtfReader(conversion)
    reader.paragraphs.break_page()
    at, steps = 0, 0
    while match := _TOKEN.match(body, at):
        at = match.end()
        word, number, code, symbol, brace, text = match.groups()
        if word:
            count = int(number) if number else None
            reader.word(word.decode().lower(), count)
            if word == b"bin":
                at += max(count or 0, 0)
        elif code:
            reader.plain(bytes.fromhex(code.decode()))
        elif symbol == b"*":
            reader.is_marked = True
        elif symbol:
            reader.flush()
            reader.put(_SYMBOLS.get(symbol, ""))
        elif brace == b"{":
            reader.open()
        elif brace:
            reader.close()
        elif text:
            reader.plain(text)
        steps += 1
        if not steps % 1_000 and not conversion.has_room():
            break
    reader.flush()
    reader.paragraphs.end()
    conversion.title = reader.collected.get("title", "").strip()
    conversion.author = reader.collected.get("author", "").strip()
    conversion.published = _date(reader.dates.get("creatim"))
    conversion.modified = _date(reader.dates.get("revtim"))
    return conversion


def _date(numbers: list[int] | None) -> str:
    return iso_date("{:04d}-{:02d}-{:02d}".format(*numbers)) if numbers else ""


def _codec(page: int) -> str:
    name = f"cp{page}"
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name
