"""Every kind of thing that can be wrong with an answer file, with its repair: one table, walked by aspect."""

from __future__ import annotations

from collections.abc import Mapping

from zs_bench.doctor.id_rules import FORM_RULES, ID_RULES
from zs_bench.doctor.rules import Rule
from zs_bench.doctor.task_rules import ROW_RULES, TASK_RULES
from zs_bench.doctor.text_rules import TEXT_RULES, TWICE_RULES

#: The rules by aspect, in the order in which a row is looked at. A row goes on to the next aspect repaired.
RULES: Mapping[str, tuple[Rule, ...]] = {
    "row": ROW_RULES,
    "task": TASK_RULES,
    "form": FORM_RULES,
    "id": ID_RULES,
    "text": TEXT_RULES,
    "twice": TWICE_RULES,
}
#: The aspects without which nothing more can be said of a row.
FIRST = ("row", "task", "form")
#: The repairs that are made only when their kind is accepted: what they do, by kind.
OFFERED: Mapping[str, str] = {
    rule.kind: rule.repair for rules in RULES.values() for rule in rules if rule.repair and not rule.safe
}
