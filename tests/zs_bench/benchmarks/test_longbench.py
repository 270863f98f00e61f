"""LongBench on texts of our own: its metrics, how its files are recognised, and what its records say."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from packaged_files import ROOT
from report_schema import validated
from written_files import write, write_zip

from zs_bench.benchmarks import BENCHMARKS, find_benchmark
from zs_bench.benchmarks.longbench import BENCHMARK, metrics
from zs_bench.benchmarks.longbench.rouge_l import rouge_l, sentences
from zs_bench.errors import MissingExtra
from zs_bench.files.recognition import recognise
from zs_bench.reports import comparison
from zs_bench.reports.html import render
from zs_bench.reports.html.standalone import comparison_page, figures, html_report, remark, task_table
from zs_bench.reports.report import as_json
from zs_bench.scoring.score_files import score_files
from zs_bench.variants import certify, matching_variants, rescore, rescored_file
from zs_metric import score_task
from zs_metric.scoring import score_text
from zs_metric.texts import RowReferences
from zs_start import cli

GOLDEN = [json.loads(line) for line in (ROOT / "tests" / "golden" / "longbench.jsonl").read_text("utf-8").splitlines()]
CHINESE = ("multifieldqa_zh", "vcsum")


def rows(*texts: tuple[str, str], **fields: Any) -> list[dict[str, Any]]:
    """Rows as LongBench's script writes them."""
    return [{"pred": text, "answers": [answer], "all_classes": None, "length": 10, **fields} for text, answer in texts]


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: f"{row['task']}: {row['why']}"[:60])
def test_every_answer_has_the_score_of_the_packages_that_define_it(row: dict[str, Any]) -> None:
    if row["task"] in CHINESE:
        pytest.importorskip("jieba", reason="Chinese needs the extra longbench")
    references = RowReferences(row["references"], {"all_classes": row["all_classes"]} if "all_classes" in row else {})
    for task in (task for task in BENCHMARK.tasks.values() if task.metric is BENCHMARK.tasks[row["task"]].metric):
        result = score_text(task.metric, row["prediction"], references)
        assert result.score == pytest.approx(row["score"], abs=1e-9), result
        assert result.reason is not None or result.score > 0


def plain_rouge_l(prediction: str, reference: str) -> tuple[float, float]:
    """Precision and recall by the whole table, word by word, without a limit."""
    mine, theirs = sentences(prediction), sentences(reference)
    found: set[str] = set()
    for x in theirs:
        for y in mine:
            table = {(i, j): 0 for i in range(len(x) + 1) for j in range(len(y) + 1)}
            for i in range(1, len(x) + 1):
                for j in range(1, len(y) + 1):
                    longer = max(table[i - 1, j], table[i, j - 1])
                    table[i, j] = table[i - 1, j - 1] + 1 if x[i - 1] == y[j - 1] else longer
            i, j = len(x), len(y)
            while i and j:
                if x[i - 1] == y[j - 1]:
                    found.add(x[i - 1])
                    i, j = i - 1, j - 1
                elif table[i - 1, j] > table[i, j - 1]:
                    i -= 1
                else:
                    j -= 1
    words, wanted = ({word for sentence in text for word in sentence} for text in (mine, theirs))
    return (len(found) / len(words), len(found) / len(wanted)) if mine and theirs else (0.0, 0.0)


def test_rows_of_bits_give_the_rouge_of_the_whole_table() -> None:
    rng = random.Random(5)
    for _ in range(400):
        words = [f" {letter}" for letter in "abcdefgh"[: rng.randint(1, 8)]] * 4 + [".", " ", "\n"]
        prediction, reference = ("".join(rng.choices(words, k=rng.randint(0, 25))) for _ in range(2))
        score = rouge_l(prediction, reference)
        assert (score.precision, score.recall) == plain_rouge_l(prediction, reference), (prediction, reference)


def test_a_row_s_own_classes_count_and_must_be_texts(tmp_path: Path) -> None:
    own = rows(("red, blue", "red"), ("red", "red"), all_classes=["red", "blue"])
    path = write(tmp_path / "trec.jsonl", own)
    scored = score_files([path], [path])
    assert [answer.result.score for answer in scored.tasks["trec"].answers] == [50.0, 100.0]
    own[1]["all_classes"] = "red"
    path = write(tmp_path / "trec.jsonl", own)
    scored = score_files([path], [path])
    assert scored.tasks["trec"].score is None
    wrong = next(problem for problem in scored.problems if problem.kind == "row-field")
    assert wrong.message.startswith("The row's 'all_classes' is a text, not a list of texts")


def test_its_files_are_recognised_and_said_so_in_the_first_line(tmp_path: Path, zero_scrolls: Any) -> None:
    path = write(tmp_path / "run" / "hotpotqa.jsonl", rows(("Ada", "Ada"), ("yes", "no")))
    write(path.parent / "result.json", {"hotpotqa": 50.0})
    done = zero_scrolls("score", path.parent)
    assert done.status == 0, done.out
    assert done.err.startswith("These files fit LongBench and LongBench-E; scored as LongBench. For the other, give --")
    assert "hotpotqa" in done.out
    write(path.parent / "musique.jsonl", rows(("Ada", "Ada")))
    only = zero_scrolls("score", path.parent).err
    assert only.startswith("Scored as LongBench: files named as its tasks, with 'answers' and 'pred' in each row.")
    assert "--benchmark zero_scrolls" in only
    insisted = zero_scrolls("score", path.parent, "--references", path.parent, "--benchmark", "zero_scrolls")
    assert "Scored as" not in insisted.err + insisted.out
    assert "|tasks:musique|" in insisted.out, insisted.out
    problem = next(each for each in score_files([path.parent]).problems if each.kind == "recognised")
    assert (problem.is_error, problem.message in only) == (False, True)


def test_a_report_has_no_mean_of_all_tasks_where_the_benchmark_has_none_and_no_engine_that_was_not_used(
    tmp_path: Path,
) -> None:
    english = [*BENCHMARK.weights("english")]
    for name in english:
        write(tmp_path / "whole" / f"{name}.jsonl", rows(("Paragraph 3", "Paragraph 3"), all_classes=["Paragraph 3"]))
    whole, one = score_files([tmp_path / "whole"]), score_files([tmp_path / "whole" / "qmsum.jsonl"])
    for scored, mean, done in ((whole, None, "16 of 21 tasks"), (one, 100.0, "1 of 21 tasks")):
        data = validated(as_json(scored))
        assert (data["score"], data["mean_of_tasks"], data["interval"]) == (None, pytest.approx(mean), None)
        assert (data["engine"], data["rouge_aggregation"]) == (None, None)
        assert remark(scored).partition(" · ")[0] == done
        page = html_report(scored)
        assert "; ROUGE-L as rouge-1.0.1.</p>" in page
        assert "rouge-score" not in page
    assert whole.averages["english"][1] is not None
    without = score_files([tmp_path / "whole" / "trec.jsonl"])
    assert "ROUGE" not in html_report(without)


def test_a_threshold_without_a_name_says_which_averages_there_are(tmp_path: Path, zero_scrolls: Any) -> None:
    path = write(tmp_path / "musique.jsonl", rows(("Ada", "Ada")))
    done = zero_scrolls("score", path, "--fail-under", "35", "--quiet")
    assert done.status == 1
    assert "LongBench has no one average; give --fail-under english=35 or --fail-under chinese=35" in done.err


def test_the_hub_s_one_zip_has_the_references_of_all_tasks(tmp_path: Path, hub: Any) -> None:
    data = {
        "_id": "x1",
        "input": "Who?",
        "context": "Ada came.",
        "answers": ["Ada"],
        "length": 10,
        "dataset": "musique",
        "language": "en",
        "all_classes": None,
    }
    members = {f"data/{name}.jsonl": [data] for name in ("musique", "hotpotqa", "hotpotqa_e")}
    packed = write_zip(tmp_path / "data.zip", members).read_bytes()
    hub.repo("datasets", "THUDM/LongBench").commit({"data.zip": packed})
    path = write(tmp_path / "run" / "musique.jsonl", rows(("Ada", "Ada")))
    scored = score_files([path], source="hub", benchmark="longbench")
    assert (scored.tasks["musique"].score, [answer.id for answer in scored.tasks["musique"].answers]) == (100, ["x1"])
    path = write(tmp_path / "run" / "hotpotqa.jsonl", rows(("Ada", "Ada")))
    of_e = score_files([path], source="hub", benchmark="longbench_e")
    assert any("LongBench-E names no dataset on the Hub; take a folder or ZIP" in row.message for row in of_e.problems)


@pytest.mark.slow
def test_without_the_extra_a_folder_is_scored_but_for_its_chinese_tasks_as_the_command_says(tmp_path: Path) -> None:
    for name in ("vcsum", "musique"):
        write(tmp_path / f"{name}.jsonl", rows(("Ada", "Ada"), ("b", "c")))
    code = f"import sys; sys.modules['jieba'] = None; from zs_start.cli import main; main(['score', {str(tmp_path)!r}])"
    done = subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True)
    assert 'needs jieba; install it with: pip install "jieba==0.42.1"' in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_the_folder_pred_e_tells_longbench_e_and_other_files_are_of_no_benchmark(tmp_path: Path) -> None:
    path = write(tmp_path / "pred_e" / "model" / "hotpotqa.jsonl", rows(("Ada", "Ada")))
    for given in (path, path.parent, path.parents[1]):
        assert recognise([given]).benchmark.name == "longbench_e", given
    for name, content in {
        "hotpot.jsonl": rows(("Ada", "Ada")),
        "musique.jsonl": [{"id": "1", "prediction": "Ada"}],
        "qasper.json": {"1": "Ada"},
        "lcc.jsonl": "not JSON\n",
    }.items():
        found = recognise([write(tmp_path / "other" / name, content)])
        assert (found.benchmark.name, found.sentence) == ("zero_scrolls", ""), name
        (tmp_path / "other" / name).unlink()
    assert recognise(["-", tmp_path / "missing"]).benchmark.name == "zero_scrolls"


def test_two_folders_are_compared_by_the_references_in_them(tmp_path: Path, zero_scrolls: Any) -> None:
    texts = [(str(number), str(number)) for number in range(40)]
    for name, answers in {"a": texts, "b": [("no", answer) for _, answer in texts]}.items():
        write(tmp_path / "pred_e" / name / "hotpotqa.jsonl", rows(*answers))
        write(tmp_path / "pred_e" / name / "2wikimqa.jsonl", rows(*answers))
    done = zero_scrolls("compare", tmp_path / "pred_e" / "a", tmp_path / "pred_e" / "b", "--margin", "mean=1")
    assert done.status == 1
    assert "b is worse than a" in done.out, done.out


def test_a_task_in_chinese_is_refused_with_the_extra_that_it_needs(tmp_path: Path, monkeypatch: Any) -> None:
    metrics.cut.cache_clear()
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(MissingExtra, match=r'needs jieba; install it with: pip install "jieba==0\.42\.1"'):
        score_task("vcsum", ["会议"], ["会议"], benchmark=BENCHMARK)
    for name in ("vcsum", "musique"):
        write(tmp_path / f"{name}.jsonl", rows(("Ada", "Ada"), ("b", "c")))
    scored = score_files([tmp_path])
    assert scored.tasks["musique"].score == 50.0
    assert 'pip install "jieba==0.42.1"' in scored.refused["vcsum"]
    assert "jieba" not in str(scored.signature())


def test_nothing_of_the_extra_is_imported_at_the_start() -> None:
    code = "import sys, zs_bench.benchmarks, zs_start.cli; assert 'jieba' not in sys.modules"
    assert cli.__file__
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_averages_are_those_of_the_paper_for_the_published_systems() -> None:
    published = json.loads((BENCHMARK.folder / "published.json").read_text(encoding="utf-8"))
    printed = {"GPT-3.5-Turbo-16k": (44.0, 44.5), "Llama2-7B-chat-4k": (31.0, 14.3)}
    for row in published:
        averages = [
            sum(weight * row["scores"][task] for task, weight in BENCHMARK.weights(name).items())
            for name in BENCHMARK.headline
        ]
        if row["model"] in printed:
            assert [round(each, 1) for each in averages] == pytest.approx(printed[row["model"]], abs=0.11)
    assert len(published) == 8
    assert [len(BENCHMARK.weights(name)) for name in ("english", "chinese", "english_tasks")] == [16, 7, 16]
    hidden = [row for row in BENCHMARK.averages.values() if row.hidden]
    assert len(hidden) == 12


def test_longbench_e_has_13_of_its_tasks_with_the_same_metrics() -> None:
    of_e = BENCHMARKS["longbench_e"]
    assert len(of_e.tasks) == 13
    assert all(task.metric is BENCHMARK.tasks[name].metric for name, task in of_e.tasks.items())
    assert find_benchmark("longbench_e").length_bins == {"0-4k": 4000, "4-8k": 8000, "8k+": float("inf")}


ANSWERS = {
    "lcc": [
        ("    return total", "    return total"),
        ("\n \nx = 1", "x = 1"),
        ("return self.value(key)", "self.key(value) return"),
    ],
    "trec": [("Color\nFood", "Color"), (" Color", "Color"), ("Food", "Color")],
    "samsum": [
        ("Ann will come.\nBob won't.", "Ann will come. Bob comes."),
        ("They meet.", "They met."),
        ("A b", "a b"),
    ],
    "triviaqa": [("Café\nQuestion: Who?", "Cafe"), ("Ada", "Ada"), ("the Ada Ada", "Ada Ada")],
}


def test_each_copy_has_a_signature_of_its_own_and_gives_what_it_says(tmp_path: Path) -> None:
    classes = {"trec": ["Color", "Food"]}
    paths = [
        write(tmp_path / f"{task}.jsonl", rows(*texts, all_classes=classes.get(task)))
        for task, texts in ANSWERS.items()
    ]
    scored = score_files(paths)
    assert set(scored.scored) == set(ANSWERS)
    found = rescored_file(scored)["variants"]
    assert {copy.name for copy in BENCHMARK.copies()} <= found.keys()
    assert len({row["signature"] for row in found.values()}) == len(found)
    changed = {
        name: {task: delta for task, delta in row["deltas"].items() if delta and task != "average"}
        for name, row in found.items()
    }
    assert changed["leading blanks stripped"].keys() == {"lcc"}
    assert changed["no first line"].keys() == {"lcc", "trec", "samsum"}
    assert changed["python-Levenshtein for difflib"].keys() == changed["RapidFuzz for fuzzywuzzy"].keys() == {"lcc"}
    assert changed["rouge-score for rouge"].keys() == {"samsum"}
    assert found["transliteration"]["scores"]["triviaqa"] == 100, "the step of the first line stays"
    scores = {name: row["scores"] for name, row in found.items()}
    for name in ("leading blanks stripped", "no first line", "rouge-score for rouge"):
        reported = {task: f"{scores[name][task]:.4f}" for task in changed[name]}
        assert name in rescored_file(scored, reported)["given_by"]
    rng, named = random.Random(3), 0
    close = {round(row["lcc"], 2) for row in scores.values()}
    for _ in range(100):
        number = round(rng.uniform(0, 100), 2)
        named += bool(number not in close and rescored_file(scored, {"lcc": f"{number:.2f}"})["given_by"])
    assert named == 0


def test_a_copy_is_named_by_the_scores_that_a_file_has_recorded(tmp_path: Path) -> None:
    texts = [(f"    return {number}", f"    return {number}") for number in range(5)]
    recorded = [{**row, "score": metrics.ratio(row["pred"].lstrip(), row["answers"][0]) / 100} for row in rows(*texts)]
    path = write(tmp_path / "lcc.jsonl", recorded)
    (given,) = (task["given_by"] for task in certify(score_files([path]))["tasks"].values())
    assert (given["variant"], given["agree"]) == ("leading blanks stripped", 5)
    assert "reported of kvpress" in given["does"]


def test_the_average_of_16_tasks_and_that_of_six_categories_are_told_apart() -> None:
    tasks = {name: (["Ada"], ["Ada"]) for name in BENCHMARK.tasks if name in BENCHMARK.weights("english")}
    tasks |= {"passage_retrieval_en": (["Paragraph 1"], ["Paragraph 1"]), "musique": (["no"], ["Ada"])}
    tasks |= {"trec": (["Color"], ["Color"]), "passage_count": (["1"], ["1"])}
    found = rescore(tasks, benchmark=BENCHMARK)
    six, sixteen = 100 * (5 + 2 / 3) / 6, 100 * 15 / 16
    assert [found[name]["average"] for name in ("official", "english_tasks")] == pytest.approx([six, sixteen])
    assert matching_variants(found, {"average": "93.75"}) == ["english_tasks"]
    assert found["chinese"]["average"] is None


def english_run(folder: Path, wrong: str) -> Path:
    """A run of the 16 tasks in English and code: two right answers to each, but one to `wrong`."""
    right = {"trec": "Food", "passage_count": "1", "passage_retrieval_en": "Paragraph 1"}
    for name in BENCHMARK.weights("english_tasks"):
        answer = right.get(name, "Ada")
        texts = "" if name == wrong else answer, answer
        classes = ["Food", "Date"] if name == "trec" else None
        found = [rows((text, answer), length=n, all_classes=classes)[0] for n, text in enumerate(texts)]
        write(folder / f"{name}.jsonl", found)
    return folder


def test_html_and_the_page_have_the_paper_s_average_and_beside_it_the_mean_of_16(tmp_path: Path) -> None:
    scored = score_files([english_run(tmp_path, "lcc")])
    assert not scored.refused, scored.refused
    table = render("file_table.html", static=True, **task_table(scored))
    assert "Published" not in table, "no system's scores of each task were published to stand beside these"
    (paper, _, english), (mean, _, of_tasks) = figures(scored)
    assert (english, of_tasks) == ("English, mean of six categories", "English and code, mean of 16 tasks")
    assert (paper, mean) == (pytest.approx(100 - 50 / 2 / 6), pytest.approx(100 - 50 / 16))


def test_a_comparison_has_the_mean_of_16_beside_the_paper_s_average_in_every_form(tmp_path: Path) -> None:
    folders = {name: english_run(tmp_path / name, wrong) for name, wrong in (("a", "lcc"), ("b", "musique"))}
    compared = comparison.compare({name: score_files([folder]) for name, folder in folders.items()})
    (match,) = compared.comparisons
    beside, paper = "English and code, mean of 16 tasks", "English, mean of six categories"
    assert [name for name, _, outcome in comparison.outcomes(match)][-2:] == [beside, paper]
    assert match.beside[beside].scores == pytest.approx([100 - 50 / 16] * 2)
    assert match.headline[paper].scores == pytest.approx([100 - 50 / 2 / 6, 100 - 50 / 3 / 6])
    assert comparison.headline(match).startswith(paper), "the benchmark's score is what is decided"
    both = " (32 of 3,750)"
    assert f"\n{beside}  96.8750{both}  96.8750{both}  " in comparison.as_text(compared)
    assert f"\n| {beside} | 96.8750{both} | 96.8750{both} |" in comparison.as_markdown(compared)
    assert f'<th scope="row">{beside}</th>' in comparison_page(compared)
    latex = comparison.as_latex(compared)
    upright = " & ".join(rf"\rotatebox{{90}}{{{title}~}}" for title in ("Mean of 16", "English", "minus a"))
    assert f" & {upright} & " in latex
    assert "Avg" not in latex, "there is no mean of all tasks"
    assert r" & \textbf{96.9$^\dagger$} & 95.8$^\dagger$ &  &  & \\" in latex
    data = validated(comparison.as_json(compared), "comparison")
    averages = data["matches"][0]["averages"]
    assert {name: row["title"] for name, row in averages.items()} == {"english": paper, "english_tasks": beside}
    assert averages["english_tasks"]["scores"] == pytest.approx([100 - 50 / 16] * 2)
    assert data["headline"] == ["english", "chinese"]
