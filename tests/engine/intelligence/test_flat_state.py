from __future__ import annotations

from apps.engine.intelligence.flat_state import joined, part_of


def test_parts_are_taken_out_as_they_were_put_in_also_parts_of_parts():
    inner = joined({"a": {"x": 1}, "ab": {"x": 2}})
    state = {**joined({"in": inner, "b": {"y": 3}}), "z": 4}
    assert state == {"in.a.x": 1, "in.ab.x": 2, "b.y": 3, "z": 4}
    assert part_of(part_of(state, "in"), "a") == {"x": 1}
    assert part_of(state, "b") == {"y": 3}
