"""Student's distribution, by the continued fraction of the incomplete beta function (DLMF 8.17.22)."""

import math
from functools import lru_cache


def two_sided_p(t: float, freedom: float) -> float:
    """Return the probability of a value at least as far from 0 as `t`.

    >>> round(two_sided_p(2.776445, 4), 6), round(two_sided_p(1.959964, math.inf), 6)
    (0.05, 0.05)
    """
    if freedom > 1e7 or math.isinf(t):  # the normal distribution
        return math.erfc(abs(t) / math.sqrt(2))
    near = t * t / (freedom + t * t)
    if t * t < 3 * freedom / (freedom + 2):  # where the fraction converges fast
        return 1 - _incomplete_beta(near, 1 - near, 0.5, freedom / 2)
    return _incomplete_beta(freedom / (freedom + t * t), near, freedom / 2, 0.5)


@lru_cache(maxsize=4096)
def student_quantile(freedom: float) -> float:
    """Return the t whose two-sided p-value is 0.05, by bisection of its logarithm.

    >>> round(student_quantile(4), 3), round(student_quantile(math.inf), 3)
    (2.776, 1.96)
    """
    low, high = 0.0, 300.0
    while high - low > 1e-13:
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(math.exp(middle), freedom) > 0.05 else (low, middle)
    return math.exp(low)


def _incomplete_beta(x: float, rest: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function at x, which is 1 - `rest`, by Lentz's method."""
    if x <= 0:
        return 0.0
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    c, d, value = 2.0, 1.0, 2.0  # after the first step, from 1
    for m in range(1, 10_000):
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        for term in (odd, even):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(front) * (value - 1) / a
