"""SCROLLS as a metric of the Hugging Face `evaluate` library.

See `zero_scrolls.py` for why every module is imported, and why there is only one class.
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
from .tasks import SCROLLS
from .texts import clean_text
from .version import VERSION

__version__ = VERSION

_DESCRIPTION = """SCROLLS scores predictions for tasks over long texts: seven tasks, three metrics, one average.
The numbers are those of the released evaluator, in points from 0 to 100.
"""
_CITATION = r"""@inproceedings{shaham-etal-2022-scrolls,
  title = {{SCROLLS}: Standardized CompaRison Over Long Language Sequences},
  author = {Shaham, Uri and Segal, Elad and Ivgi, Maor and Efrat, Avia and Yoran, Ori and Haviv, Adi and Gupta, Ankit
    and Xiong, Wenhan and Geva, Mor and Berant, Jonathan and Levy, Omer},
  booktitle = {Proceedings of the 2022 Conference on Empirical Methods in Natural Language Processing},
  year = {2022},
}
"""


class Scrolls(BenchmarkMetric):
    """The metric. Its configuration is one of the seven task names; without one, `compute` takes `task=`.

    Another is `quality_hard`, the hard questions of QuALITY: not part of the average, its `scrolls_score` is `None`.
    """

    benchmark = SCROLLS

    def _info(self):
        return self.describe(_DESCRIPTION, _CITATION, "https://arxiv.org/abs/2201.03533")
