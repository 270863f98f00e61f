"""Several runs of one system: their mean, its interval, what differs between them, and what is refused."""

import json
from statistics import fmean, stdev

import numpy as np
import pytest
from report_schema import validated
from written_files import write

from benchmarks import calibration
from zs_bench import compare, score
from zs_bench.benchmarks import find_task
from zs_bench.errors import UnusableInput
from zs_bench.reports import comparison, report
from zs_bench.reports.html.standalone import comparison_page, html_report, remark
from zs_bench.reports.runs import NOT_SEEN
from zs_bench.scoring.runs import spread_of
from zs_bench.statistics.intervals import columns, interval, pseudo_values, student_quantile
from zs_bench.statistics.paired_comparison import Pair
from zs_bench.statistics.randomization import randomization_p
from zs_metric import score_task

COUNT = 20
LETTERS = {f"{i}_a": "ABCD"[i % 4] for i in range(COUNT)}
SENTENCES = {f"m{i}": f"cat number {i} sat on mat {i} and slept" for i in range(COUNT)}
REFERENCES = {"quality": LETTERS, "qmsum": SENTENCES}


def run_of(number):
    """Answers in which another part is wrong in each run."""
    wrong = {i for i in range(COUNT) if (i * 7 + number * 3) % 10 < 2 + number}
    words = {i: 3 + (i + number * i) % 5 for i in range(COUNT)}
    return {
        "quality": {id_: "ABCD"["ABCD".index(text) - (i in wrong)] for i, (id_, text) in enumerate(LETTERS.items())},
        "qmsum": {id_: " ".join(text.split()[: words[i]]) for i, (id_, text) in enumerate(SENTENCES.items())},
    }


def scored_runs(*numbers, **options):
    return score([run_of(number) for number in numbers], REFERENCES, runs=True, **options)


def test_the_score_of_several_runs_is_the_mean_of_their_scores_and_an_answer_has_the_mean_of_its_points():
    averaged, alone = scored_runs(0, 1, 2), [score(run_of(number), REFERENCES) for number in range(3)]
    for name, task in averaged.scored.items():
        assert task.score == pytest.approx(fmean(each.tasks[name].score for each in alone), abs=1e-9)
        for key in ("mean_prediction_length_characters", *find_task(name).metric.display_keys):
            wanted = fmean(each.tasks[name].result.metrics[key] for each in alone)
            assert task.result.metrics[key] == pytest.approx(wanted, abs=1e-4)
        for place, answer in enumerate(task.answers):
            points = [each.tasks[name].answers[place].result.score for each in alone]
            assert answer.result.score == pytest.approx(fmean(points), abs=1e-9)
            assert answer.as_dict() == {"id": answer.id, "score": answer.result.score, "reason": None, "runs": points}
        losses = {"losses": fmean(sum(each.tasks[name].losses.mean.values()) for each in alone)}
        assert sum(task.losses.mean.values()) == pytest.approx(losses["losses"], abs=1e-9)
        assert task.losses.score + task.losses.aggregation == pytest.approx(task.score, abs=1e-9)
    assert averaged.result.mean_of_tasks == pytest.approx(fmean(each.result.mean_of_tasks for each in alone), abs=1e-9)
    assert "|n:40/40|runs:3|" in str(averaged.signature())


def test_a_task_that_no_run_answers_is_named_and_one_that_a_run_answers_is_not():
    runs = [{"quality": run_of(number)["quality"]} for number in range(2)]
    assert score(runs, REFERENCES, runs=True).unanswered == ["qmsum"]
    assert score([*runs, run_of(2)], REFERENCES, runs=True).unanswered == []


def test_the_interval_leaves_out_an_example_with_all_its_runs():
    task = scored_runs(0, 1, 2).tasks["qmsum"]
    texts = [run_of(number)["qmsum"].values() for number in range(3)]
    results = [score_task("qmsum", [*each], [*SENTENCES.values()]).examples for each in texts]
    points = np.array([columns(each) for each in results])  # runs, types, examples
    total, sums = points.sum(axis=2), points.transpose(2, 0, 1)

    def of(means):
        return float(np.mean(np.prod(means, axis=-1) ** (1 / 3), axis=-1))

    whole = of(total / COUNT)
    values = [COUNT * whole - (COUNT - 1) * of((total - left) / (COUNT - 1)) for left in sums]
    share, error = whole / 100, np.std(values, ddof=1) / np.sqrt(COUNT) / 100
    reach = student_quantile(COUNT - 1) * error / (share * (1 - share))
    ends = [100 / (1 + np.exp(-(np.log(share / (1 - share)) + side * reach))) for side in (-1, 1)]
    lowest = whole * 0.05 ** (1 / COUNT)
    assert (task.interval.low, task.interval.high) == pytest.approx((min(ends[0], lowest), ends[1]), abs=1e-9)
    flat = [[*column] for run in points for column in run]
    assert pseudo_values(flat, None) == pytest.approx(values, abs=1e-9)
    letters = scored_runs(0, 1, 2).tasks["quality"]
    assert letters.interval == interval([[answer.result.score for answer in letters.answers]])


def test_a_run_three_times_has_the_numbers_of_the_run():
    once, thrice = score(run_of(1), REFERENCES), scored_runs(1, 1, 1)
    for name, task in once.scored.items():
        again = thrice.tasks[name]
        assert (again.score, again.answers[0].text) == (pytest.approx(task.score, abs=1e-9), task.answers[0].text)
        ends = again.interval.low, again.interval.high
        assert ends == pytest.approx((task.interval.low, task.interval.high), abs=1e-9)
        assert (again.spread.deviation, again.spread.share) == (pytest.approx(0, abs=1e-9), 0)
    match = compare({"once": once, "thrice": thrice}).comparisons[0]
    assert {outcome.kind for outcome in match.tasks.values()} == {"identical"}
    assert not match.differ


def test_what_differs_between_runs_is_their_standard_deviation_and_the_share_of_examples_that_score_differently():
    averaged, alone = scored_runs(0, 1, 2), [score(run_of(number), REFERENCES) for number in range(3)]
    spread = averaged.tasks["quality"].spread
    scores = [each.tasks["quality"].score for each in alone]
    assert (spread.scores, spread.deviation) == (scores, stdev(scores))
    points = [[answer.result.score for answer in each.tasks["quality"].answers] for each in alone]
    assert spread.share == sum(len({*row}) > 1 for row in zip(*points, strict=True)) / COUNT
    assert 0 < spread.share < 1
    mean = spread_of(averaged)
    assert mean.scores == pytest.approx([each.result.mean_of_tasks for each in alone], abs=1e-9)
    assert mean.examples == 2 * COUNT
    assert scored_runs(0, 1).tasks["quality"].spread.deviation is None
    assert spread_of(alone[0]) is None


def test_systems_with_other_numbers_of_runs_are_compared_by_the_means_of_each_example():
    systems = {"two": scored_runs(0, 1), "three": scored_runs(2, 3, 4)}
    result = compare(systems, test="randomization")
    for name, outcome in result.comparisons[0].tasks.items():
        scores = [scored.tasks[name].score for scored in systems.values()]
        assert outcome.comparison.difference == pytest.approx(scores[1] - scores[0], abs=1e-9)
        assert outcome.randomization is not None
    examples = {row.first.id: row.difference for row in result.comparisons[0].tasks["quality"].examples}
    points = {
        side: {row.id: row.result.score for row in scored.tasks["quality"].answers} for side, scored in systems.items()
    }
    assert examples == {id_: points["three"][id_] - points["two"][id_] for id_ in LETTERS}
    assert not result.comparisons[0].differ


def test_randomisation_exchanges_all_runs_of_an_example_and_repeated_runs_change_nothing():
    one, two = ([column for number in numbers for column in of_run(number)] for numbers in ((0, 1), (2, 3, 4)))
    p = randomization_p({"": Pair(one, two)})
    assert p == randomization_p({"": Pair(one * 3, two * 2)})
    assert 0.0001 < p < 1


def of_run(number):
    return columns(score_task("qmsum", [*run_of(number)["qmsum"].values()], [*SENTENCES.values()]).examples)


def without(run, task, *ids):
    return {**run, task: {id_: text for id_, text in run[task].items() if id_ not in ids}}


def test_runs_that_do_not_answer_the_same_examples_are_refused_or_scored_on_those_that_all_answered():
    runs = [run_of(0), without(run_of(1), "quality", "3_a"), without(run_of(2), "quality", "3_a", "4_a")]
    scored = score(runs, REFERENCES, runs=True)
    assert list(scored.scored) == ["qmsum"]
    assert scored.refused["quality"].count("run 2: ") == 1
    partial = score(runs, REFERENCES, runs=True, partial=True)
    task = partial.tasks["quality"]
    assert (task.answered, task.partial, task.missing) == (18, True, ["3_a", "4_a"])
    (warning,) = (problem for problem in partial.problems if problem.kind == "runs-differ")
    assert warning.message == (
        "2 examples are not answered in every run (run 2 lacks 3_a; run 3 lacks 3_a); the others are scored"
    )
    alone = score(runs[0], REFERENCES).tasks["quality"]
    assert task.scores[0] == pytest.approx(fmean(a.result.score for a in alone.answers if a.id not in task.missing))
    lacks = [run_of(0), {"qmsum": run_of(1)["qmsum"]}]
    scored = score(lacks, REFERENCES, runs=True)
    assert list(scored.scored) == ["qmsum"]
    assert "run 2 has no answers to this task, and other runs have" in scored.refused["quality"]
    apart = [{"quality": {"1_a": "A"}}, {"quality": {"2_a": "A"}}]
    with pytest.raises(UnusableInput, match="No example was answered in every run"):
        score(apart, REFERENCES, runs=True, partial=True)


def test_one_run_has_no_mean():
    for given in ([run_of(0)], run_of(0)):
        with pytest.raises(UnusableInput, match="one run has no mean; give two runs or more"):
            score(given, REFERENCES, runs=True)
    with pytest.raises(UnusableInput, match="there are no runs"):
        score([], REFERENCES, runs=True)


def test_every_report_of_several_runs_says_what_is_not_in_the_intervals_and_what_differs_between_the_runs():
    scored = scored_runs(0, 1, 2)
    deviation = f"{stdev(scored.tasks['quality'].scores):.1f}"
    for text in (report.as_text(scored), report.as_markdown(scored, "ours")):
        assert NOT_SEEN in text
        assert deviation in text
    page = html_report(scored, name="ours")
    assert NOT_SEEN.replace("'", "&#39;") in page
    assert "in run 2</span>" in page
    table = report.as_latex(scored, "ours")
    assert (
        "means of 3 runs; intervals are over examples and hold no differences between runs; standard deviation" in table
    )
    assert f"QuALITY {deviation}" in table
    assert "standard deviation" not in report.as_latex(scored_runs(0, 1), "ours")
    data = validated(report.as_json(scored, losses=True))
    assert data["runs"]["names"] == ["run 1", "run 2", "run 3"]
    assert data["tasks"]["quality"]["runs"]["scores"] == scored.tasks["quality"].scores
    assert data["runs"]["mean_of_tasks"]["standard_deviation"] == stdev(spread_of(scored).scores)
    lines = report.as_csv(scored).splitlines()
    assert lines[0].endswith(",run")
    assert len([line for line in lines if line.endswith(",run 2")]) == 2 * COUNT
    assert "run" not in report.as_csv(score(run_of(0), REFERENCES)).splitlines()[0].split(",")


def test_the_heading_of_the_page_says_that_a_score_is_the_mean_of_runs_and_how_far_these_differ():
    runs = [{"quality": run_of(number)["quality"]} for number in range(3)]
    one, two = score(runs, REFERENCES, runs=True), score(runs[:2], REFERENCES, runs=True)
    heading = f"mean of 3 runs ± {stdev(one.tasks['quality'].scores):.1f} · 1 of 10 tasks; the "
    assert remark(one).startswith(heading)
    assert heading in html_report(one)
    assert remark(two).startswith("mean of 2 runs · 1 of 10 tasks")
    assert remark(scored_runs(0, 1, 2)).startswith("mean of 3 runs · 2 of 10 tasks"), "two figures"
    assert "runs" not in remark(score(run_of(0), REFERENCES))


def test_every_report_of_a_comparison_says_how_many_runs_its_systems_have():
    result = compare({"ours": scored_runs(0, 1, 2), "theirs": score(run_of(3), REFERENCES)})
    words = "ours: 3 runs of one system (run 1, run 2, run 3): points are the means over the runs."
    for text in (comparison.as_text(result), comparison.as_markdown(result), comparison.as_latex(result)):
        assert words in text
        assert "theirs: 1 run" not in text
    assert words in comparison_page(result)
    ours, theirs = validated(comparison.as_json(result), "comparison")["systems"]
    assert ours["runs"]["names"] == ["run 1", "run 2", "run 3"]
    assert "runs" not in theirs
    assert "lower (" in comparison.as_text(result)
    assert "right to wrong" not in comparison.as_text(result)


def test_the_command_takes_each_path_as_a_run(tmp_path, zero_scrolls):
    paths = [write(tmp_path / f"seed{number}_preds.json", run_of(number)) for number in range(3)]
    against = ("--references", write(tmp_path / "references.json", REFERENCES))
    done = zero_scrolls("score", *paths, "--runs", *against, "--format", "json")
    assert done.status == 0
    wanted = report.as_json(score(paths, tmp_path / "references.json", runs=True))
    assert json.loads(done.out) == json.loads(json.dumps(wanted))
    assert wanted["runs"]["names"] == ["seed0", "seed1", "seed2"]
    for arguments, why in (
        ((paths[0],), "--runs needs two runs or more"),
        ((*paths, "--eee", tmp_path), "--eee writes the records of one run"),
        ((paths[0], paths[0]), f"the same path is given twice: {paths[0]}, {paths[0]}; give each once\n"),
    ):
        done = zero_scrolls("score", *arguments, "--runs", *against)
        assert done.status == 2
        assert why in done.err


def test_a_comparison_takes_what_is_inside_a_folder_as_its_runs(tmp_path, zero_scrolls):
    for number in range(3):
        write(tmp_path / "base" / f"seed{number}" / "answers.json", run_of(number))
    write(tmp_path / "base" / ".hidden.json", {})
    write(tmp_path / "base" / "report.html", "no answers")
    single = write(tmp_path / "new.json", run_of(3))
    (tmp_path / "empty").mkdir()
    against = ("--references", write(tmp_path / "references.json", REFERENCES))
    done = zero_scrolls("compare", tmp_path / "base", single, "--runs", *against, "--format", "json")
    assert done.status == 0
    data = json.loads(done.out)
    assert data["systems"][0]["runs"]["names"] == ["seed0", "seed1", "seed2"]
    assert "runs" not in data["systems"][1]
    assert data["systems"][0]["mean_of_tasks"] == pytest.approx(scored_runs(0, 1, 2).result.mean_of_tasks)
    done = zero_scrolls("compare", tmp_path / "base", tmp_path / "empty", "--runs", *against)
    assert done.status == 2
    assert "there are no files of answers in" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("kind", calibration.WORTH)
@pytest.mark.parametrize("runs", calibration.RUNS)
def test_the_mean_of_several_runs_is_covered_and_shows_more_than_one_but_no_shift_of_whole_runs(kind, runs):
    for size in calibration.RUN_SIZES:
        cell = calibration.several_runs(kind, runs, size)
        held, _, one, several, shifted = cell.numbers
        assert not cell.failed, str(cell)
        assert several > one + 30
        assert shifted < held - 2
