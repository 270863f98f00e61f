"""Why this score: what the scorer read, where the points went, what would have scored more. For diagnosis only.

>>> from zs_metric.explain import explain
>>> explain("quality", "A good answer is B", ["B"])["ledger"]["format"]
100.0
"""

from .explanation import explain
from .ledger import PARTS, ledger_of_task

__all__ = ["PARTS", "explain", "ledger_of_task"]
