"""Unpacks gzipped lists, never more than the limit."""

from __future__ import annotations

import gzip
import io
import zlib

from apps.lists.limits import UNPACKED_BYTES, BadList, check_size, check_unpacked

_GZIP = b"\x1f\x8b"


def unpack(data: bytes) -> bytes:
    """The content of a gzipped file, other files unchanged. Raises BadList."""
    check_size(len(data))
    if not data.startswith(_GZIP):
        return data
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            content = stream.read(UNPACKED_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise BadList("Its gzip data is damaged. Pack it again, or upload it unpacked.") from None
    check_unpacked(len(content))
    return content
