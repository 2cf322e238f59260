"""Bodies: detecting text, decompressing within bounds, and classifying answers."""

from __future__ import annotations

from dataclasses import replace

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.kinds import declared_document

MAX_BODY = 10 * 2**20
MAX_DOCUMENT = 20 * 2**20
SNIFFED = 512
ENCODINGS = "gzip, deflate"

_TEXT_TYPES = frozenset(
    {"application/xhtml+xml", "application/xml", "application/rss+xml", "application/atom+xml"}
)
# They are text, and nobody reads them as pages.
_NO_PAGES = frozenset(
    "calendar css csv directory ecmascript event-stream javascript jscript livescript"
    " tab-separated-values vcard vnd.wap.wmlscript vtt x-component x-csv x-ecmascript x-javascript"
    " x-vcalendar x-vcard".split()
)
# What servers send documents as if they do not know better.
_ANY_FILE = frozenset(
    {
        "application/binary",
        "application/download",
        "application/force-download",
        "application/msword",
        "application/octet-stream",
        "application/x-download",
        "application/x-zip-compressed",
        "application/zip",
        "binary/octet-stream",
    }
)
_UNDEFINED = frozenset({"*/*", "unknown/unknown", "application/unknown"})
_CONTAINER = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Signatures of WHATWG MIME Sniffing §6 and of common archives and programs. The unmistakable ones
# have bytes that no text has, or too many letters for chance.
_UNMISTAKABLE = (
    b"%PDF-",
    b"%!PS-Adobe-",
    b"GIF87a",
    b"GIF89a",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"\0\0\1\0",
    b"\0\0\2\0",
    b"OggS\0",
    b"MThd\0\0\0\6",
    b"\x1a\x45\xdf\xa3",
    b"fLaC\0",
    b"\0\1\0\0",
    b"OTTO\0",
    b"ttcf\0",
    b"wOFF\0",
    b"wOF2\0",
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf\x27\x1c",
    b"\xfd7zXZ\0",
    b"\x28\xb5\x2f\xfd",
    b"\x7fELF",
    b"SQLite format 3\0",
    _CONTAINER,
)
# Words may begin like this, so a binary byte nearby is needed as well.
_MISTAKABLE = (b"BM", b"RIFF", b"FORM", b"ID3", b"MZ", b"BZh", b"II*\0", b"MM\0*")
_TEXT_MARKS = (b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe")
_BINARY_BYTES = bytes(code for code in range(32) if code not in (0x09, 0x0A, 0x0C, 0x0D, 0x1B))


def is_text_type(content_type: str | None) -> bool | None:
    """Whether a Content-Type is text that may be a page; None if it is undefined and the body must
    decide."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    if "/" not in kind or kind in _UNDEFINED:
        return None
    if kind.startswith("text/"):
        return kind[5:] not in _NO_PAGES
    return kind in _TEXT_TYPES


def may_be_document(content_type: str | None) -> bool:
    """Whether a body of this type may be a document, which its first bytes decide."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    is_undefined = "/" not in kind or kind in _UNDEFINED
    return is_undefined or kind in _ANY_FILE or declared_document(content_type) is not None


def document_failure(content_type: str | None, head: bytes) -> Failure:
    """Why a body that does not begin like a document is none."""
    if declared_document(content_type) is None:
        return Failure.NOT_TEXT
    # Office programs keep an encrypted document in a container of the format before.
    return Failure.ENCRYPTED if head.startswith(_CONTAINER) else Failure.BROKEN_DOCUMENT


def looks_like_text(head: bytes) -> bool:
    """Whether the first bytes of a body of unknown type are text (WHATWG MIME Sniffing §7.2)."""
    head = head[:SNIFFED]
    if head.startswith(_TEXT_MARKS):
        return True
    if head.startswith(_UNMISTAKABLE) or head.startswith(b"%!PS"):
        return False
    return not _has_binary(head)


def is_disguised(head: bytes) -> bool:
    """Whether a body declared as text begins like a picture, an archive or a program.

    Text with stray control bytes still counts as text.
    """
    head = head[:SNIFFED]
    if head.startswith(_UNMISTAKABLE):
        return True
    return (head.startswith(_MISTAKABLE) or head[4:8] == b"ftyp") and _has_binary(head)


def _has_binary(head: bytes) -> bool:
    return len(head.translate(None, _BINARY_BYTES)) < len(head)


def is_text(content_type: str | None, head: bytes) -> bool:
    """Whether a body is text, by its type and its first bytes, which take precedence."""
    named = is_text_type(content_type)
    if named is None:
        return looks_like_text(head)
    return named and not is_disguised(head)


def judge(answer: Answer) -> Answer:
    """The answer, with its failure set if its status, type or body show that it is not a page."""
    if answer.failure or answer.status is None:
        return answer
    if not 200 <= answer.status < 300:
        return replace(answer, failure=f"http_{answer.status}")
    if not answer.body:
        return replace(answer, failure=str(Failure.EMPTY))
    if answer.converted is not None or is_text(answer.header("Content-Type"), answer.body):
        return answer
    return replace(answer, failure=str(Failure.NOT_TEXT), body=b"")
