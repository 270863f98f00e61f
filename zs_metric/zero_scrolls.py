"""ZeroSCROLLS as a metric of the Hugging Face `evaluate` library.

`evaluate.load` finds the imports below with a regular expression and copies exactly the modules they name. So every
module is imported here, even one that only another module uses, on a line of its own without a comment. There must be
only one class in this module (see `evaluate_metric.py`).
"""

from .accuracy import score_accuracy
from .concordance_index import score_concordance_index
from .errors import ZeroScrollsError
from .evaluate_metric import BenchmarkMetric
from .exact_match import score_exact_match
from .exp_similarity import score_exp_similarity
from .f1 import score_f1
from .metrics import METRICS
from .results import ExampleResult
from .rouge import engine, score_rouge
from .scoring import score_texts
from .tasks import ZERO_SCROLLS
from .texts import clean_text
from .version import VERSION

__version__ = VERSION

_DESCRIPTION = """ZeroSCROLLS scores predictions for tasks over long texts: ten tasks, five metrics, one average.
The numbers are those of the released evaluator, in points from 0 to 100.
"""
_CITATION = r"""@inproceedings{shaham-etal-2023-zeroscrolls,
  title = {{ZeroSCROLLS}: A Zero-Shot Benchmark for Long Text Understanding},
  author = {Shaham, Uri and Ivgi, Maor and Efrat, Avia and Berant, Jonathan and Levy, Omer},
  booktitle = {Findings of the Association for Computational Linguistics: EMNLP 2023},
  year = {2023},
}
"""


class ZeroScrolls(BenchmarkMetric):
    """The metric. Its configuration is one of the ten task names; without one, `compute` takes `task=`."""

    benchmark = ZERO_SCROLLS

    def _info(self):
        return self.describe(_DESCRIPTION, _CITATION, "https://arxiv.org/abs/2305.14196")
