"""Whatever is sent to the operations that the API describes, there is never an internal error. The
answer is JSON of the described shape, or a refusal with field and message.

What comes back is JSON of the shape described, or a refusal with field and message.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.crawls.commands.catalogue import COMMANDS
from tests.api.openapi import SCHEMA
from tests.crawl_rows import grow, made_crawl, made_event, made_host, made_topic
from tests.people import Program, person

pytestmark = pytest.mark.django_db
OPERATIONS = [
    (method, path.removeprefix("/api/v1/"), message)
    for path, operations in SCHEMA["paths"].items()
    for method, message in operations.items()
    if method in ("get", "post", "put", "patch", "delete")
]
ODD = [
    None,
    True,
    0,
    -1,
    1,
    2**31,
    2**63,
    10**30,
    0.5,
    "",
    "1",
    "x",
    "\x00",
    "'\"<b>",
    "é" * 300,
    [],
    ["x"],
    [1],
    {},
    {"a": 1},
]


def odd(schema: dict[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """Values that fit a schema, and values that do not; no object within four others."""
    schema = resolved(schema)
    if "properties" in schema and depth < 4:
        required = {n: odd(s, depth + 1) for n, s in schema["properties"].items()}
        whole = st.fixed_dictionaries(required)
        some = st.fixed_dictionaries({}, optional=required)
        return st.one_of(whole, some, st.sampled_from(ODD))
    fitting = [st.sampled_from(schema["enum"])] if "enum" in schema else []
    kinds = [o.get("type") for o in schema.get("anyOf", [schema])]
    by_kind = {
        "integer": st.integers(-2, 100),
        "number": st.floats(allow_nan=False, allow_infinity=False),
        "string": st.text(max_size=20),
        "boolean": st.booleans(),
        "array": st.lists(st.sampled_from(["http://a.test/", "a.test", "*", "", "x"]), max_size=3),
        "object": st.dictionaries(st.text(max_size=5), st.sampled_from(ODD), max_size=3),
    }
    fitting += [by_kind[kind] for kind in kinds if kind in by_kind]
    return st.one_of(*fitting, st.sampled_from(ODD)) if fitting else st.sampled_from(ODD)


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = SCHEMA["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def test_each_operation_has_an_id_of_its_own() -> None:
    ids = [message["operationId"] for _, _, message in OPERATIONS]
    assert len(set(ids)) == len(ids)


@pytest.fixture
def program() -> Program:
    crawl = grow(made_crawl(made_topic(person("ada"))), 20)
    made_event(crawl, 1, "delta", value=0.5, before=0.6)
    made_host(crawl, "a.test")
    return Program(crawl.owner)


@pytest.mark.parametrize(
    ("method", "path", "message"), OPERATIONS, ids=lambda value: value if type(value) is str else ""
)
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_it_answers_or_refuses_in_words(
    program: Program, method: str, path: str, message: dict[str, Any], data: st.DataObject
) -> None:
    parameters = {
        p["name"]: p["schema"] for p in message.get("parameters", []) if p["in"] == "path"
    }
    queries = {p["name"]: p["schema"] for p in message.get("parameters", []) if p["in"] == "query"}
    for name, schema in parameters.items():
        number = st.one_of(st.integers(0, 3), st.just(2**63), st.just(10**30))
        words = st.sampled_from(["csv", "hcla", "pause", "undo", "nonsense", "%00"])
        fits = number if schema.get("type") == "integer" else words
        path = path.replace(f"{{{name}}}", str(data.draw(fits, label=name)))
    body = message.get("requestBody")
    if method == "get":
        chosen = data.draw(
            st.fixed_dictionaries({}, optional={n: odd(s) for n, s in queries.items()})
        )
        answer = program.get(
            path, **{n: v for n, v in chosen.items() if v is not None and not isinstance(v, dict)}
        )
    else:
        # Files are sent as forms; what is no form is refused as well.
        schema = next(iter(body["content"].values()))["schema"] if body else {}
        answer = program.send(method, path, data.draw(odd(schema)) if body else None)
    assert answer.status_code < 500
    if answer.status_code >= 400:
        refusal = answer.json()
        assert set(refusal) == {"field", "message"} and refusal["message"]
    elif answer.status_code != 204 and not answer.streaming:
        json.loads(answer.content)


@pytest.mark.parametrize("odd_text", ["\x00", "\ud800"])
def test_text_that_no_database_takes_is_refused_or_left_out(program, odd_text: str) -> None:
    query, word = {"page": 1}, f"a{odd_text}b"
    if odd_text == "\x00":
        query |= {"strategy": word, "kind": word, "q": word, "host": word}
    crawl = {"topic": 1, "strategy": "breadth_first", "budget": 5}
    for method, path, body in (
        ("post", "topics", {"name": word, "keywords": [word], "seeds": [f"http://{word}/"]}),
        ("post", "topics", {"name": "x", "web": word, "description": word}),
        ("post", "crawls", {**crawl, "web": word}),
        ("post", "crawls", {**crawl, "strategy": word, "judge": word}),
        ("post", "crawls", {**crawl, "scope": {"deny_patterns": [word]}}),
        ("post", "recipes", {"format": 1, "strategy": word}),
        *(("post", f"crawls/1/actions/{verb}", {"value": word}) for verb in COMMANDS),
    ):
        answer = program.send(method, path, body)
        assert answer.status_code < 500, (path, body)
    for path in ("crawls", "crawls/1/failures", "crawls/1/pages"):
        assert program.get(path, **query).status_code < 500


def test_every_operation_is_described() -> None:
    assert len(OPERATIONS) > 30
    for method, path, message in OPERATIONS:
        assert message.get("summary") and message.get("description"), f"{method} {path}"
        assert message["security"] == [{"Token": []}, {"Session": []}]
