"""How Redis fails while it cannot be reached, or has forgotten what it held."""

from __future__ import annotations

from redis import RedisError

LOST = (RedisError, OSError, TimeoutError)
