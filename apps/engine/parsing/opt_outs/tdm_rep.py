"""The TDM Reservation Protocol (TDMRep): a header or a meta element."""

from __future__ import annotations

from collections.abc import Iterator

from apps.engine.parsing.opt_outs.form import OptOutForm, PageHead, SignParts

NAME, POLICY = "tdm-reservation", "tdm-policy"


def _read(head: PageHead) -> Iterator[SignParts]:
    for value in head.header_values(NAME):
        yield "header", _with_policy(value, head.header_values(POLICY)), value.strip() == "1"
    for value in head.meta_values(NAME):
        yield "page", _with_policy(value, head.meta_values(POLICY)), value.strip() == "1"


def _with_policy(value: str, policies: Iterator[str]) -> str:
    policy = next(policies, "")
    return f"{NAME}: {value}" + (f", {POLICY}: {policy}" if policy else "")


TDM_REP = OptOutForm(
    "tdmrep", "TDMRep", "text and data mining, in tdm-reservation as header or meta element", _read
)
