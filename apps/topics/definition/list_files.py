"""Uploaded lists of addresses, in any format that `apps.lists` reads.

A table may have, for each address, a `label` (positive, negative) or a `role` (train, evaluate,
seed, target). Each row goes to the list for these, whichever list the file was uploaded to; other
columns are ignored. Rows that are not accepted stay in the list as marked lines, so that they can
be corrected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import IO, Annotated, Literal

from pydantic import BeforeValidator, ValidationError

from apps.lists.counts import read_counts
from apps.lists.limits import FILE_BYTES
from apps.lists.reading import ListEntry, ListReading, read_list
from apps.schemas.input import Input
from apps.topics.definition.lines import LABEL_MARK

LABELS: Mapping[str, bool | None] = {
    **dict.fromkeys(("positive", "pos", "relevant", "yes", "true", "1", "+"), True),
    **dict.fromkeys(("negative", "neg", "irrelevant", "not", "no", "false", "0", "-"), False),
    "": None,
}
ROLES: Mapping[str, str] = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("evaluate", "evaluation", "judge", "judging", "test"), "evaluate"),
    **dict.fromkeys(("seed", "seeds"), "seeds"),
    **dict.fromkeys(("target", "targets"), "targets"),
    "": "",
}
OWN = {
    "positives": (True, "train"),
    "negatives": (False, "train"),
    "evaluation_positives": (True, "evaluate"),
    "evaluation_negatives": (False, "evaluate"),
}
UNLABELLED = frozenset({"backlinks", "corpus"})
_LIST_OF = {parts: name for name, parts in OWN.items()}


class ListRow(Input):
    """The label and the role of an address: whether it is about the topic, and what it is for."""

    label: Annotated[bool | None, BeforeValidator(lambda word: LABELS.get(word, word))]
    role: Annotated[
        Literal["train", "evaluate", "seeds", "targets", ""],
        BeforeValidator(lambda word: ROLES.get(word, word)),
    ]


@lru_cache(maxsize=1_000)
def _read_words(label: str, role: str) -> ListRow | None:
    """The label and role of a row's words; None where one of them has no meaning. A role may stand
    in the column of the label."""
    if label in ROLES and not role:
        label, role = "", label
    try:
        return ListRow.model_validate({"label": label, "role": role})
    except ValidationError:
        return None


def below(before: str, text: str) -> str:
    """A list with the lines of a file appended."""
    before = before.rstrip()
    return f"{before}\n{text.lstrip()}" if before else text


def lists_of_file(file: IO[bytes], name: str) -> dict[str, str]:
    """The lines of a file uploaded for the list `name`, by list. Raises BadList."""
    content = file.read(FILE_BYTES + 1)
    if name == "inlinks":
        return {name: _count_lines(content)}
    return sort_by_list(read_list(content), name)


def sort_by_list(reading: ListReading, name: str) -> dict[str, str]:
    """The lines of a list uploaded for the list `name`, by the list that each belongs to.

    Line numbers of the list are the file's as long as all rows go there: a heading leaves an empty
    line.
    """
    lines: dict[int, list[str]] = defaultdict(list)
    others: dict[str, list[str]] = {}
    for entry in reading.entries:
        where, line = _list_of(entry, name)
        if where == name:
            lines[entry.line].append(line)
        else:
            others.setdefault(where, []).append(line)
    for refused in reading.refused:
        lines[refused.line].append(refused.text)
    for duplicate in reading.duplicates:
        lines[duplicate.line].append(duplicate.url)
    own = [" ".join(lines.get(number, ())) for number in range(1, max(lines, default=0) + 1)]
    texts = {name: own, **others}
    return {where: "\n".join(rows) for where, rows in texts.items() if any(rows)}


def sort_entries(reading: ListReading, name: str) -> dict[str, list[str]]:
    """The accepted addresses of a list that is taken as the list `name`, by the list that each
    belongs to."""
    lists: dict[str, list[str]] = {}
    for entry in reading.entries:
        where, line = _list_of(entry, name)
        lists.setdefault(where, []).append(line)
    return lists


def _list_of(entry: ListEntry, name: str) -> tuple[str, str]:
    """The list of an entry, and its line there."""
    if name in UNLABELLED:
        return name, entry.url
    words = (entry.answer.lower(), entry.role.lower())
    row = _read_words(*words)
    if row is None:
        return name, f"{entry.url}\t{LABEL_MARK}{' '.join(filter(None, words))}"
    if row.role in ("seeds", "targets"):
        return row.role, entry.url
    if row.label is None and not row.role:
        return name, entry.url
    relevant, use = OWN.get(name, (True, "train"))
    return _LIST_OF[relevant if row.label is None else row.label, row.role or use], entry.url


def _count_lines(content: bytes) -> str:
    """The lines of a file with counts: first the lines read as `url,count`, then the others
    unchanged."""
    reading = read_counts(content)
    lines = [f"{url},{count}" for url, count in reading.counts.items()]
    lines += [line.text for line in reading.refused]
    lines += [",".join(row.cells) for row in reading.uncounted]
    return "\n".join(lines)
