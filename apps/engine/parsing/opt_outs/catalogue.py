"""The forms of opt-outs."""

from __future__ import annotations

from collections.abc import Mapping

from apps.engine.parsing.opt_outs.content_signal import CONTENT_SIGNAL
from apps.engine.parsing.opt_outs.content_usage import CONTENT_USAGE
from apps.engine.parsing.opt_outs.form import OptOutForm
from apps.engine.parsing.opt_outs.no_ai import NO_AI
from apps.engine.parsing.opt_outs.rsl import RSL
from apps.engine.parsing.opt_outs.tdm_rep import TDM_REP

FORMS: Mapping[str, OptOutForm] = {
    form.id: form for form in (NO_AI, TDM_REP, CONTENT_SIGNAL, CONTENT_USAGE, RSL)
}
