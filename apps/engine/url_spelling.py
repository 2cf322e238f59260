"""The canonical spelling of a URL that ada has resolved: the full algorithm of `canonical`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from w3lib.url import canonicalize_url

PARTS = re.compile(r"(https?)://(?:[^/?#@]*@)?([^/?#]+)([^?#]*)(?:\?([^#]*))?")

_TRACKING = re.compile(
    r"(?:utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|ysclid|twclid|ttclid"
    r"|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_(?:anon|enc)_id|li_fat_id"
    r"|(?:mtm|piwik|pk)_(?:campaign|kwd|keyword|source|medium|content))=.*",
    re.IGNORECASE,
)
_HEXADECIMAL = r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{16,}"
_SESSION = (
    r"(?:(?:phpsessid|jsessionid|aspsessionid\w*)=[^;&/]*"
    rf"|(?:sessid|sessionid)={_HEXADECIMAL})"
)
_SESSION_PARAMETER = re.compile(_SESSION, re.IGNORECASE)
_SESSION_IN_PATH = re.compile(rf";{_SESSION}(?=[;/]|$)", re.IGNORECASE)
_DOTS_AT_THE_END = re.compile(r"\.+(?=:\d|$)")
_NAME_AND_PORT = re.compile(r"[a-z0-9._-]++(?::[0-9]++)?+")
_ORDINARY_PATH = re.compile(r"[A-Za-z0-9_.~!$&'()*+,;=:@/%\[\]|-]++")
_ENCODED_IN_PARAMETERS = re.compile(r"[][|]")
_DOT_SEGMENT = re.compile(r"/\.\.?(?:[/;]|$)")
# Escapes that may be spelled in another way: of ASCII characters, or in lower case.
_SPELLED = re.compile(r"%([0-7][0-9A-Fa-f]|[89A-Fa-f][a-f]|[a-f][0-9A-F])")
_UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"


def spell_canonically(address: str) -> str | None:
    """The canonical spelling of a URL as ada spells it."""
    parts = PARTS.match(address)
    if not parts:
        return None
    scheme, authority, path, query = parts.groups("")
    authority = _DOTS_AT_THE_END.sub("", authority)
    if not authority:
        return None
    path = _SESSION_IN_PATH.sub("", path)
    page = _page(f"{scheme}://{authority}", authority, path)
    parameters = _query(query)
    return f"{page}?{parameters}" if parameters else page


def _page(origin: str, authority: str, path: str) -> str:
    """w3lib's spelling of a URL without query: escapes in upper case, and only where needed.

    It leaves the parameters of the last segment, after its first semicolon, as they are.
    """
    plain, parameters = path, ""
    if ";" in path:
        folder, slash, file = path.rpartition("/")
        file, semicolon, parameters = file.partition(";")
        plain, parameters = f"{folder}{slash}{file}", parameters and f"{semicolon}{parameters}"
    if "%" in plain:
        plain = _SPELLED.sub(_spell_in_path, plain)
    if (
        not _NAME_AND_PORT.fullmatch(authority)
        or not _ORDINARY_PATH.fullmatch(path)
        or ("/." in plain and _DOT_SEGMENT.search(plain))
        or (parameters and _ENCODED_IN_PARAMETERS.search(parameters))
    ):
        spelling: str = canonicalize_url(f"{origin}{path}")
        return spelling
    return f"{origin}{plain}{parameters}"


def _query(query: str) -> str:
    """The query without tracking and session parameters, with normalized escapes."""
    if "%" in query:
        query = _SPELLED.sub(_spell_in_query, query)
    return "&".join(
        parameter
        for parameter in query.split("&")
        if parameter
        and not _TRACKING.fullmatch(parameter)
        and not _SESSION_PARAMETER.fullmatch(parameter)
    )


def _spellings(plain: str) -> Mapping[str, str]:
    """The spelling of each escape, by its two digits: the character itself if it is plain, else the
    escape in upper case."""
    digits = "0123456789abcdefABCDEF"
    spellings = {}
    for escape in (f"{high}{low}" for high in digits for low in digits):
        character = chr(int(escape, 16))
        spellings[escape] = character if character in plain else f"%{escape.upper()}"
    return spellings


_IN_PATH = _spellings(f"{_UNRESERVED}:[]@!$&'()*+,=|")
_IN_QUERY = _spellings(_UNRESERVED)


def _spell_in_path(match: re.Match[str]) -> str:
    return _IN_PATH[match[1]]


def _spell_in_query(match: re.Match[str]) -> str:
    return _IN_QUERY[match[1]]
