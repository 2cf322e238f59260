"""Decodes bytes like a browser: by byte order mark, then header, then meta element, then a guess.

Labels are those of the WHATWG encoding standard and not names of Python codecs:
`charset=zlib_codec` is ignored.
"""

from __future__ import annotations

import codecs
import re

import webencodings

_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_META = re.compile(rb"<meta[\s/]((?:[^>\"']|\"[^\"]*\"|'[^']*')*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"""([^\s"'>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_IN_CONTENT = re.compile(rb"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)
_XML = re.compile(rb"""\A\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)""", re.IGNORECASE)
_REPLACED = "\ufffd"
_META_WITHIN = 4096
_TAG_BORDER = re.compile(rb"[<>]")
_ASCII_LETTERS = re.compile(rb"[A-Za-z]")
_SEARCHED, _SAMPLE = 262_144, 4096
# Browsers decode the smaller sets by their larger successors (WHATWG Encoding §4.2).
_LARGER = {"gbk": codecs.lookup("gb18030").decode}
_ERRORS = {"euc-jp": "nec-rows"}
_GUESSES = {
    "cp1251": "windows-1251",
    "koi8_r": "koi8-r",
    "cp1253": "windows-1253",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "euc_jp": "euc-jp",
    "gb18030": "gb18030",
    "big5": "big5",
    "cp949": "euc-kr",
}


def decode(body: bytes, content_type: str | None = None) -> tuple[str, str]:
    """The text of a body and the WHATWG name of its encoding; never raises.

    Invalid bytes become U+FFFD; NUL characters are removed, since databases refuse them. Bytes
    without a declared encoding are decoded as UTF-8 if they are valid UTF-8 (cut or not), else as
    charset-normalizer's guess from a sample, else as windows-1252.
    """
    mark, encoding = _by_mark(body)
    encoding = encoding or _by_header(content_type) or _by_meta(body) or _by_looks(body)
    decode = _LARGER.get(encoding.name, encoding.codec_info.decode)
    text = decode(body[mark:], _ERRORS.get(encoding.name, "replace"))[0]
    # A byte is looked for: in a wide string each ASCII letter has a byte that is 0 too.
    return (text.replace("\0", "") if b"\0" in body else text), encoding.name


def is_exact(body: bytes, text: str) -> bool:
    """Whether the text of a body in UTF-8, as `decode` makes it, is that body in UTF-8 again."""
    return _REPLACED not in text and b"\0" not in body and not body.startswith(codecs.BOM_UTF8)


def _by_mark(body: bytes) -> tuple[int, webencodings.Encoding | None]:
    """The length of the byte order mark and its encoding."""
    for mark, label in _MARKS:
        if body.startswith(mark):
            return len(mark), webencodings.lookup(label)
    return 0, None


def _by_header(content_type: str | None) -> webencodings.Encoding | None:
    declared = _CHARSET.search(content_type or "")
    return _encoding_of(declared[1]) if declared else None


def _by_meta(body: bytes) -> webencodings.Encoding | None:
    """The encoding of a meta element, or else of the XML declaration; never UTF-16, since these are
    ASCII. Only its attribute `charset` and a content-type declare one, not a description that holds
    the word."""
    head = body[:_META_WITHIN]
    if b"<!--" in head:
        head = _COMMENT.sub(b"", head)
    declared = next(filter(None, map(_declared, _META.finditer(head))), None)
    if declared is None and (xml := _XML.match(head)):
        declared = xml[1]
    if declared is None:
        return None
    encoding = _encoding_of(declared.decode("ascii", "replace"))
    instead = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}
    return webencodings.lookup(instead.get(encoding.name, encoding.name)) if encoding else None


def _declared(meta: re.Match[bytes]) -> bytes | None:
    """The label in a meta element, if it declares an encoding."""
    values = {name.lower(): b"".join(value).strip() for name, *value in _ATTRIBUTE.findall(meta[1])}
    if values.get(b"charset"):
        return values[b"charset"].strip(b"'\"; ")
    if values.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    label = _IN_CONTENT.search(values.get(b"content", b""))
    return label[1] if label else None


def _by_looks(body: bytes) -> webencodings.Encoding:
    """UTF-8, or a guess if most letters are not ASCII.

    Western texts have too few letters beyond ASCII to detect the code page; they are decoded as
    windows-1252, as in browsers.
    """
    if _is_utf8(body):
        return webencodings.UTF8
    sample = _foreign_text(body[:_SEARCHED])
    foreign = sum(byte > 127 for byte in sample)
    western = foreign < len(_ASCII_LETTERS.findall(sample))
    return webencodings.lookup("windows-1252" if western else _guess(sample))


def _foreign_text(body: bytes) -> bytes:
    """The text between tags with bytes beyond ASCII, up to the sample size."""
    pieces = [piece for piece in _TAG_BORDER.split(body) if not piece.isascii()]
    return b" ".join(pieces)[:_SAMPLE]


def _guess(sample: bytes) -> str:
    """charset-normalizer's label for a sample whose last character may be cut."""
    # Many a crawl has no page to guess for.
    from charset_normalizer import from_bytes

    for cut in range(4 if len(sample) == _SAMPLE else 1):
        guess = from_bytes(sample[: len(sample) - cut], cp_isolation=list(_GUESSES)).best()
        if guess and guess.multi_byte_usage > 0:
            return _GUESSES[guess.encoding]
    guess = from_bytes(sample, cp_isolation=list(_GUESSES)).best()
    return _GUESSES[guess.encoding] if guess else "windows-1252"


def _is_utf8(body: bytes) -> bool:
    """Whether the bytes are valid UTF-8; the last character may be cut off, as by a size limit."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        cut_off = error.reason == "unexpected end of data" and error.end == len(body)
        return cut_off and not body[: error.start].isascii()
    return True


def _encoding_of(label: str) -> webencodings.Encoding | None:
    """The encoding of a label, or None for other labels and those that browsers replace."""
    try:
        encoding = webencodings.lookup(label)
    except (LookupError, ValueError):
        return None
    return None if encoding is None or encoding.name == "replacement" else encoding


def _decode_nec_row(error: UnicodeError) -> tuple[str, int]:
    """Decodes two bytes of EUC-JP that its codec lacks as the same characters of windows-31j, which
    browsers do; anything else becomes U+FFFD."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    row, cell = (error.object[error.start : error.start + 2] + b"\0\0")[:2]
    if min(row, cell) < 0xA1 or max(row, cell) > 0xFE:
        return "\ufffd", error.start + 1
    row, cell = row - 0xA1, cell - 0xA1
    lead = row // 2 + (0x81 if row < 62 else 0xC1)
    trail = cell + 0x9F if row % 2 else cell + 0x40 + (cell >= 0x3F)
    try:
        return bytes((lead, trail)).decode("cp932"), error.start + 2
    except UnicodeDecodeError:
        return "\ufffd", error.start + 2


codecs.register_error("nec-rows", _decode_nec_row)
