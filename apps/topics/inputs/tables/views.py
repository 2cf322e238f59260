"""Tables as strategies and measures look them up: by URL, by host, by domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from apps.engine.urls import host, registered_domain


class ByHost(Mapping[str, int]):
    """A table of hosts looked up by URL: its host's number, else that of the host without `www` or
    of its registered domain. Its length is the table's."""

    def __init__(self, table: Mapping[str, int]) -> None:
        self._table = table

    def __getitem__(self, url: str) -> int:
        name = host(url).partition(":")[0]
        for key in (name, name.removeprefix("www."), registered_domain(name)):
            value = self._table.get(key)
            if value is not None:
                return value
        raise KeyError(url)

    def __iter__(self) -> Iterator[str]:
        return (f"http://{name}/" for name in self._table)

    def __len__(self) -> int:
        return len(self._table)


class FirstOf(Mapping[str, int]):
    """Several tables as one: the first that has a key gives its number."""

    def __init__(self, tables: Sequence[Mapping[str, int]]) -> None:
        self._tables = tables

    def __getitem__(self, key: str) -> int:
        for table in self._tables:
            value = table.get(key)
            if value is not None:
                return value
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        seen: set[str] = set()
        for table in self._tables:
            fresh = [key for key in table if key not in seen]
            seen.update(fresh)
            yield from fresh

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(len(table) for table in self._tables)


class Keys(Set[str]):
    """The keys of tables as one set."""

    def __init__(self, tables: Sequence[Mapping[str, int]]) -> None:
        self._keys = FirstOf(tables)
        self._tables = tables

    @classmethod
    def _from_iterable(cls, keys: Iterable[str]) -> Set[str]:  # type: ignore[override]
        return frozenset(keys)

    def __contains__(self, key: object) -> bool:
        return any(key in table for table in self._tables)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        if len(self._tables) == 1:
            return len(self._tables[0])
        return len(self._keys)
