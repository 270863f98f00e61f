"""LongBench as a metric of the Hugging Face `evaluate` library, where this project is installed.

There must be only one class in this module (see `zs_metric/evaluate_metric.py`). `evaluate` does not read imports that
are indented; of others it would say "pip install zs_bench", which the package index does not have.
"""

try:
    from zs_bench.benchmarks.longbench import BENCHMARK
    from zs_metric.evaluate_metric import BenchmarkMetric
    from zs_metric.version import VERSION
except ModuleNotFoundError as error:
    step = 'run this in a clone of it, in this environment: pip install ".[evaluate,longbench]"'
    raise ImportError(f"LongBench's metric needs this project ({error}), which is not on PyPI; {step}") from None

__version__ = VERSION

_DESCRIPTION = """LongBench scores predictions for 21 tasks over long texts, in English, Chinese and code.
The numbers are those of its evaluator, in points from 0 to 100.
"""
_CITATION = r"""@inproceedings{bai-etal-2024-longbench,
  title = {{LongBench}: A Bilingual, Multitask Benchmark for Long Context Understanding},
  author = {Bai, Yushi and Lv, Xin and Zhang, Jiajie and Lyu, Hongchang and Tang, Jiankai and Huang, Zhidian and
    Du, Zhengxiao and Liu, Xiao and Zeng, Aohan and Hou, Lei and Dong, Yuxiao and Tang, Jie and Li, Juanzi},
  booktitle = {Proceedings of the 62nd Annual Meeting of the Association for Computational Linguistics},
  year = {2024},
}
"""


class LongBench(BenchmarkMetric):
    """The metric. Its configuration is the name of a task; without one, `compute` takes `task=`."""

    benchmark = BENCHMARK

    def _info(self):
        return self.describe(_DESCRIPTION, _CITATION, BENCHMARK.paper)
