"""The estimates of a check, against known truths and other implementations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.errors import UnusableInput
from zs_lab.audit.sampling import (
    Quantity,
    Sample,
    agreement,
    allocate,
    draw,
    estimate,
    expected_widths,
    judge_help,
    strata_of,
)

N, LABELLED = 500, 100


def population(random, systems=1):
    """Scores and verdicts of as many answers as a task has: right answers more often where the score is higher."""
    kinds = random.choice(4, (N, systems), p=[0.35, 0.20, 0.15, 0.30])
    scores = np.choose(
        kinds, [0.0, random.uniform(0.02, 0.5, kinds.shape), random.uniform(0.51, 0.98, kinds.shape), 1.0]
    )
    chances = np.choose(kinds, [0.25, 0.35 + 0.4 * scores, 0.88, 0.99])
    return scores, (random.random(kinds.shape) < chances).astype(float)


def right_or_wrong(random, systems=1):
    """Scores of 0 and 100, of which people agree with 90 and 97 of 100."""
    scores = (random.random((N, systems)) < 0.6).astype(float)
    return scores, (random.random(scores.shape) < np.where(scores > 0, 0.97, 0.1)).astype(float)


def sample_of(scores, verdicts, seed, size=LABELLED, judged=None):
    places = np.array(draw(strata_of(scores), scores.shape[1], None, size, seed))
    return Sample(scores, places, verdicts[places], judged)


def truths_of(scores, verdicts):
    """By quantity, its value for each answer."""
    lost, wrong = 1 - scores, 1 - verdicts
    lost_by = {"P": lost * verdicts, "W": lost * wrong}
    return {"A": verdicts, "F": scores, "L": lost, **lost_by, "U": scores * wrong}


@pytest.mark.parametrize(
    ("runs", "systems", "seed", "coverage", "error"),
    [
        pytest.param(100, 1, 5, 0.9, 0.034, marks=pytest.mark.slow),  # of a random sample: .044
        pytest.param(1_000, 1, 5, 0.93, 0.031, marks=pytest.mark.slow),
        pytest.param(200, 2, 8, 0.93, 0.030, marks=pytest.mark.slow),
    ],
)
def test_intervals_hold_the_truth_and_the_error_is_small_in_simulated_checks(runs, systems, seed, coverage, error):
    random, held, errors = np.random.default_rng(seed), {"A": [], "P": [], "U": []}, []
    for run in range(runs):
        scores, verdicts = population(random, systems)
        quantities = estimate(sample_of(scores, verdicts, run, 50 + 50 * systems), seed=run)
        truths = truths_of(scores, verdicts)
        for name, rows in held.items():
            means = truths[name].mean(axis=0)
            difference = means[:1] - means[1:]
            for quantity, truth in zip(quantities[name], [*means, *difference], strict=True):
                rows.append(quantity.low <= truth <= quantity.high)
        errors.append(quantities["A"][0].least - verdicts[:, 0].mean())
    assert min(map(np.mean, held.values())) >= coverage
    assert np.mean(np.square(errors)) ** 0.5 <= error


@pytest.mark.slow
def test_intervals_hold_the_truth_less_often_where_scores_are_0_or_100_and_people_mostly_agree():
    random, held = np.random.default_rng(3), []
    for run in range(200):
        scores, verdicts = right_or_wrong(random, 2)
        quantities, truths = estimate(sample_of(scores, verdicts, run), seed=run), truths_of(scores, verdicts)
        for name in "APU":
            means = truths[name].mean(axis=0)
            rows = zip(quantities[name], [*means, *(means[:1] - means[1:])], strict=True)
            held.append([quantity.low <= truth <= quantity.high for quantity, truth in rows])
    assert 0.85 <= np.mean(np.reshape(held, (200, 3, 3)), axis=0).min() <= np.mean(held) <= 0.97


points = st.sampled_from([0.0, 0.1, 0.4, 0.5, 0.7, 0.99, 1.0])
verdict = st.sampled_from([0.0, 1.0])


@given(st.lists(st.tuples(points, verdict), min_size=1, max_size=40), st.integers(0, 99))
def test_the_identities_hold_for_the_estimates_and_with_all_labels_the_estimates_are_exact(rows, seed):
    scores, verdicts = (np.array(column)[:, None] for column in zip(*rows, strict=True))
    strata = strata_of(scores)
    places = np.array([place for place in range(len(rows)) if place % 2 == 0 or strata[place] not in strata[:place:2]])
    value = {name: row[0].least for name, row in estimate(Sample(scores, places, verdicts[places]), seed=seed).items()}
    assert abs(value["L"] - value["P"] - value["W"]) < 1e-12
    assert abs(value["A"] - value["F"] - value["P"] + value["U"]) < 1e-12
    everything = estimate(Sample(scores, np.arange(len(rows)), verdicts), seed=seed)
    for name, truth in truths_of(scores, verdicts).items():
        assert everything[name] == [pytest.approx(Quantity(*[truth.mean()] * 4), abs=1e-12)]


def test_a_stratum_without_a_wrong_answer_has_an_interval_and_one_without_labels_is_refused():
    scores, verdicts = np.zeros((100, 1)), np.ones((10, 1))
    right = estimate(Sample(scores, np.arange(10), verdicts))["A"][0]
    assert right.least == right.most == right.high == 1
    # The 2.5 % quantile of Beta(10.25, 0.25) is .8373; the distance from 1 is multiplied by sqrt(.9 * 11 / 9).
    assert right.low == pytest.approx(1 - 1.1**0.5 * (1 - 0.8373), abs=0.01)
    scores[50] = 1
    with pytest.raises(UnusableInput, match="no answer with a score of 100 has a label yet; label the rest"):
        estimate(Sample(scores, np.arange(10), verdicts))


def test_lost_points_of_right_answers_are_estimated_by_their_share_and_stay_within_all_that_was_lost():
    scores = np.array([0.1, 0.2, 0.4, 0.5])[:, None]
    lost = estimate(Sample(scores, np.array([0, 2]), np.array([[1.0], [0.0]])))["P"][0]
    assert lost.least == pytest.approx(0.9 / 1.5 * scores.shape[0] ** -1 * 2.8)
    assert 0 <= lost.low < lost.least < lost.high <= 0.7 + 1e-12


def test_answers_that_nobody_can_judge_widen_the_estimate_to_both_bounds():
    scores, verdicts = np.zeros((200, 1)), np.array([[1.0]] * 20 + [[0.0]] * 10 + [[np.nan]] * 10)
    right = estimate(Sample(scores, np.arange(40), verdicts))["A"][0]
    assert (right.least, right.most) == (0.5, 0.75)
    assert right.low < 0.4
    assert right.high > 0.83
    scores, verdicts = np.zeros((100, 2)), np.zeros((100, 2))
    verdicts[:10, 0] = verdicts[10:30, 1] = np.nan
    difference = estimate(Sample(scores, np.arange(100), verdicts))["A"][2]
    assert (difference.least, difference.most) == (-0.2, 0.1)


def test_the_paired_difference_has_a_narrower_interval_where_systems_are_right_together():
    random = np.random.default_rng(2)
    first = (random.random(60) < 0.5).astype(float)
    paired, apart = (
        estimate(Sample(np.zeros((300, 2)), np.arange(60), np.column_stack([first, second])))["A"][2]
        for second in (first, random.permutation(first))
    )
    assert paired.high - paired.low < (apart.high - apart.low) / 3


_PEOPLE = "1101111101111100100110110110101100101001"
_MODEL = "0100110111111110100110111100001000101000"


def test_the_estimate_with_a_judge_is_that_of_ppi_python():
    """Forty labelled and 160 other answers, 89 of which the model takes to be right."""
    people, model = (np.array(list(map(float, text))) for text in (_PEOPLE, _MODEL))
    sample = Sample(
        np.zeros((200, 1)), np.arange(40), people[:, None], np.concatenate([model, np.ones(89), np.zeros(71)])
    )
    # ppi-python 0.2.3: ppi_mean_pointestimate(people, model, unlabelled)
    assert estimate(sample)["A"][0].least == pytest.approx(0.637249053030303, abs=1e-12)
    judge = judge_help(sample)
    assert judge.correlation == pytest.approx(np.corrcoef(people, model)[0, 1])
    assert judge.needed == pytest.approx(38**-0.5)


def test_a_judge_who_agrees_narrows_the_interval_and_one_who_guesses_is_not_used():
    random = np.random.default_rng(4)
    scores, verdicts = population(random)
    good = np.where(random.random(N) < 0.95, verdicts[:, 0], 1 - verdicts[:, 0])
    guess = random.random(N).round()
    with_good, with_guess, alone = (sample_of(scores, verdicts, 3, judged=judge) for judge in (good, guess, None))
    assert judge_help(with_guess).slope == 0
    assert estimate(with_guess) == estimate(alone)
    helped, before = estimate(with_good)["P"][0], estimate(alone)["P"][0]
    assert helped.high - helped.low < 0.85 * (before.high - before.low)
    assert helped.low <= ((1 - scores) * verdicts).mean() <= helped.high


def test_agreement_needs_two_labels_and_counts_pairs_of_any_number_of_annotators():
    assert agreement([["right"], []]) is None
    assert agreement([["right", "right"]] * 5) == (5, 1.0, None, 1.0)
    # Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, example C: four observers, missing labels
    table = ["111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555", "11", "3"]
    result = agreement(list(map(list, table)))
    assert (result.answers, round(result.alpha, 3)) == (11, 0.743)


def test_every_stratum_gets_five_or_all_of_its_answers_and_the_rest_goes_where_verdicts_vary():
    assert allocate([3, 400, 400, 7], [0.4, 0.5, 0.1, 0.1], 100) == [3, 77, 15, 5]
    assert allocate([3, 4], [0.4, 0.4], 100) == [3, 4]
    assert allocate([50, 50], [0.4, 0.4], 11) == [6, 5]
    with pytest.raises(UnusableInput, match="a sample of 9 is too small for 2 strata; draw at least 10"):
        allocate([50, 50], [0.4, 0.4], 9)


@pytest.mark.parametrize(("size", "most"), [(30, 1), (45, 2), (60, 2)])
def test_a_second_answer_of_a_document_is_drawn_only_when_all_documents_have_one(size, most):
    documents = [f"document {place // 3}" for place in range(90)]
    drawn = draw(strata_of(np.zeros((90, 1))), 1, documents, size, seed=7)
    counts = [[documents[place] for place in drawn].count(name) for name in set(documents)]
    assert (len(set(drawn)), max(counts), min(counts)) == (size, most, size // 30)


def test_every_answer_has_the_same_chance_also_in_large_documents():
    scores, documents = np.zeros((20, 1)), ["large"] * 10 + [f"small {place}" for place in range(10)]
    drawn = [place for seed in range(2_000) for place in draw(strata_of(scores), 1, documents, 6, seed)]
    counts = np.bincount(drawn, minlength=20)
    assert 520 < counts.min() <= counts.max() < 680


def test_the_expected_width_falls_with_every_label_and_ends_at_zero_with_all():
    scores, _ = population(np.random.default_rng(1))
    strata = strata_of(scores)
    widths = expected_widths(strata, 1, draw(strata, 1, None, N, seed=0))
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == 0
    assert widths[LABELLED - 1] == pytest.approx(196 * 0.028, rel=0.2)
    # 1.96 standard errors of one stratum: deviation .43, ten of forty labelled
    assert expected_widths(np.zeros(40, int), 1, range(10))[-1] == round(196 * 0.43 * (0.75 / 10) ** 0.5, 1)
