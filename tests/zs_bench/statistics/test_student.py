"""Student's distribution has the values of another implementation."""

import math

import pytest

from zs_bench.statistics.intervals import student_quantile, two_sided_p

# From scipy 1.17.1: `stats.t.isf(0.025, freedom)`, and `2 * stats.t.sf(t, freedom)` by t and freedom.
QUANTILES = {
    0.5: 164.55767348048846,
    1: 12.706204736174705,
    2: 4.302652729749464,
    4: 2.7764451051977943,
    9: 2.2621571627982053,
    19.5: 2.0893976209722465,
    99: 1.9842169515864176,
    499: 1.964729390987689,
    4377: 1.9605061175561562,
    math.inf: 1.959963984540054,
}
P_VALUES = {
    (0.001, 3): 0.9992648949694609,
    (1, 1): 0.5,
    (1.5, 9): 0.16785065605707505,
    (2.0, 4377): 0.045561946351073655,
    (5, 2.5): 0.02345118997086185,
    (30, 20): 4.1952253239996544e-18,
    (0.7, 1e6): 0.48392746728654146,
    (0, 5): 1.0,
    (math.inf, 5): 0.0,
    (1.959963984540054, math.inf): 0.05,
}


@pytest.mark.parametrize("freedom", QUANTILES)
def test_the_quantiles_are_those_of_the_distribution(freedom):
    assert student_quantile(freedom) == pytest.approx(QUANTILES[freedom], rel=1e-11)


@pytest.mark.parametrize(("t", "freedom"), P_VALUES)
def test_the_p_values_are_those_of_both_tails(t, freedom):
    expected = pytest.approx(P_VALUES[t, freedom], rel=1e-8, abs=1e-300)
    assert two_sided_p(t, freedom) == two_sided_p(-t, freedom) == expected


def test_so_few_degrees_of_freedom_that_nothing_is_known_have_a_quantile_beyond_any_score():
    assert student_quantile(0.001) > 1e100
