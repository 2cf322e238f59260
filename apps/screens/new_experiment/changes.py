"""Changes that buttons make to a form before it is sent: they draw topics and add strategies."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import QueryDict

from apps.engine.intelligence.strategies import strategy
from apps.screens.new_experiment.forms import NewExperimentForm
from apps.screens.new_experiment.needs import Lacking, missing
from apps.screens.new_experiment.starting_points import leaderboard_rows
from apps.screens.new_experiment.strategy_rows import next_key, sent_rows
from apps.screens.new_experiment.topic_rows import draw_topics

DRAWN = 20


def change(
    sent: QueryDict, person: User, do: str, without: frozenset[str] = frozenset()
) -> QueryDict:
    """The form as it was sent, with what a button does: `all`, `none` or `random` topics (but those
    named in `without`), `add:ID`, `remove:KEY`, `leaderboard`, or nothing."""
    values = sent.copy()
    verb, _, what = do.partition(":")
    match verb:
        case "all" | "none" | "random":
            _choose_topics(values, NewExperimentForm(values, person, without), verb)
        case "add":
            key = next_key(NewExperimentForm(values, person).rows)
            values.appendlist("row", key)
            values[f"strategy-{key}"] = what
        case "remove":
            values.setlist("row", [key for key in values.getlist("row") if key != what])
        case "leaderboard":
            _all_at_defaults(values, person)
    return values


def _choose_topics(sent: QueryDict, form: NewExperimentForm, verb: str) -> None:
    ready = form.topics.ready
    chosen = [str(row.pk) for row in ready] if verb == "all" else []
    if verb == "random":
        chosen = draw_topics(
            ready, _whole(sent.get("draw", ""), DRAWN), _whole(sent.get("random_seed", ""), 1)
        )
    sent["topics_sent"] = "yes"
    sent.setlist("topic", chosen)


def _all_at_defaults(sent: QueryDict, person: User) -> None:
    """Every strategy whose needs all topics chosen meet."""
    form = NewExperimentForm(sent, person)
    lacking = Lacking(row.choice.topic for row in form.topics.selected)
    baseline = next((row.cls.id for row in form.rows if row.key == form.baseline), "full_page")
    able = [row for row in leaderboard_rows() if not missing(strategy(row.strategy), lacking)]
    for name in [name for name in sent if name.startswith(("strategy-", "value-", "parents-"))]:
        del sent[name]
    sent.setlist("row", [])
    for name, value in sent_rows(able):
        sent.appendlist(name, value)
    ids = [row.strategy for row in able]
    sent["baseline"] = str(ids.index(baseline)) if baseline in ids else "0"


def _whole(text: str, otherwise: int) -> int:
    return int(text[:9]) or otherwise if text.isdecimal() else otherwise
