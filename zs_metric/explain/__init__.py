"""Why this score: what the scorer read, where the points went, what would have scored more. For diagnosis only.

>>> from zs_metric.explain import explain
>>> explain("quality", "A good answer is B", ["B"]).losses.format
100.0
"""

from .explanation import Explanation, WhatIf, explain
from .loss_breakdown import PARTS, ExampleLosses, Losses, TaskLosses, losses_of_task

__all__ = ["PARTS", "ExampleLosses", "Explanation", "Losses", "TaskLosses", "WhatIf", "explain", "losses_of_task"]
