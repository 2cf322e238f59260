from __future__ import annotations

from apps.screens.templatetags.quantities import powers


def test_exponents_are_raised_and_nothing_else_is_markup() -> None:
    assert powers("τ^α · σ^(1−α)") == "τ<sup>α</sup> · σ<sup>1−α</sup>"
    assert powers("<b>^2") == "&lt;b&gt;<sup>2</sup>"
