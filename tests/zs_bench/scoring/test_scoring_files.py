"""Prediction files scored against reference files: what is refused, scored and reported, and by which rules."""

import pytest
from counted_calls import counted_calls
from written_files import official_csv, reported, score, write, write_folder, write_zip

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.errors import UnknownName
from zs_bench.files import limits, paths
from zs_bench.post_processing import find_rule
from zs_bench.problems import lines
from zs_bench.reports import report
from zs_bench.scoring.score_files import read_references, score_files, score_predictions, score_systems
from zs_bench.scoring.swapped import role_of
from zs_bench.validation.validate import repair
from zs_metric import ZeroScrollsError

#: What answers that are the references probably are, and what to do.
AS_ANSWERS = (
    "Probably the references are read as the answers; then give the file, or name the column, of the model's answers"
)

QUALITY = {"1": "A", "2": "B", "3": "C"}
REFERENCES = {"quality": QUALITY, "qasper": {"7": ["yes", "no"], "8": "a cat"}}
NOTHING = {"qasper.json": {"7": "none", "8": "x"}}
REFERENCE_OF = {"quality": "B", "space_digest": "60%", "book_sum_sort": "1, 2, 3"}


def scores(scored):
    return {name: task.score for name, task in scored.tasks.items()}


def answers(quality=QUALITY):
    return {"preds_quality.json": quality, "preds_qasper.json": {"7": "no", "8": "a dog"}}


def test_answers_are_joined_by_id_whatever_their_order_and_scored_in_that_of_the_references(tmp_path):
    scored = score(tmp_path, answers({"3": "C", "1": "A", "2": "D"}), REFERENCES)
    assert scores(scored) == {"qasper": 50.0, "quality": pytest.approx(200 / 3)}
    quality = scored.tasks["quality"]
    assert [(answer.id, answer.text) for answer in quality.answers] == [("1", "A"), ("2", "D"), ("3", "C")]
    assert (quality.texts[1], scored.problems, scored.refused) == ([["A"], ["B"], ["C"]], [], {})


def test_only_says_the_task_of_a_lone_file_whose_name_and_rows_do_not(tmp_path):
    rows = [{"id": id_, "prediction": text} for id_, text in QUALITY.items()]
    against = write(tmp_path / "references.json", {"quality": QUALITY, "qasper": QUALITY})
    file = write(tmp_path / "out.json", rows)
    assert score_files(file, against).scored == {}
    assert scores(score_files(file, against, only=["quality"])) == {"quality": 100.0}
    of_other = write(tmp_path / "other.json", [{**row, "task": "qasper"} for row in rows])
    assert score_files(of_other, against, only=["quality"]).scored == {}


@pytest.mark.parametrize(("count", "average"), [(10, 100.0), (9, None)])
def test_ten_tasks_give_the_benchmarks_average_and_nine_do_not(tmp_path, count, average):
    rows = [(task, "1", REFERENCE_OF.get(task, "a few words")) for task in TASKS]
    references = {task: {"1": text} for task, _, text in rows}
    result = score(tmp_path, {"a.csv": official_csv(rows[-count:])}, references).result
    assert (result.score, result.mean_of_tasks) == (average, 100.0)
    assert result.missing_tasks == list(TASKS)[:-count]


def test_files_a_folder_and_a_zip_score_alike_against_the_split_that_has_the_ids(tmp_path):
    rows = [{"id": key, "pid": f"{key}_0", "input": "…", "output": text} for key, text in QUALITY.items()]
    splits = {"quality/test.jsonl": [{**row, "id": f"x{row['id']}"} for row in rows], "quality/validation.jsonl": rows}
    forms = {
        "a.csv": official_csv([("quality", key, text) for key, text in QUALITY.items()]),
        "preds_quality.json": QUALITY,
        "answers.jsonl": [{"task": "quality", "id": key, "prediction": text} for key, text in QUALITY.items()],
    }
    folder, zipped = write_folder(tmp_path / "known", splits), write_zip(tmp_path / "hub" / "quality.zip", splits)
    for name, content in forms.items():
        run = write_folder(tmp_path / name / "run", {name: content})
        archive = write_zip(tmp_path / name / "run.zip", {name: content, "__MACOSX/._x": b"\0\5"})
        for paths_ in ((run / name, folder), (run, zipped), (archive, zipped.parent)):
            scored = score_files(*([path] for path in paths_))
            assert (scores(scored), scored.refused) == ({"quality": 100.0}, {})


def test_everything_that_is_wrong_is_reported_at_once(tmp_path):
    rows = "quality,1,A\nquality,1,B\nquality,9,C\nQasper,7,yes\nqasper,7,\n"
    scored = score(tmp_path, {"a.csv": f"Task,ID,Prediction\n{rows}", "musique.json": {"5": None}}, REFERENCES)
    assert reported(scored) == [
        ("task-name", "qasper", None),
        ("unknown", "quality", "9"),
        ("null", "musique", "5"),
        ("conflict", "quality", "1"),
        ("conflict", "qasper", "7"),
        ("missing", "qasper", "8"),
        ("missing", "quality", "2"),
        ("missing", "quality", "3"),
        ("no-references", "musique", None),
    ]
    assert reported(scored, is_error=False) == [("empty", "qasper", "7")]
    assert scores(scored) == {"qasper": None, "quality": None, "musique": None}


def test_a_warning_about_an_answer_that_is_in_two_files_is_given_once(tmp_path):
    rows = official_csv([("quality", "1", ""), ("quality", "2", "<think> so"), ("quality", "3", "A")])
    files = {"preds_quality.json": {"1": "", "2": "<think> so", "3": "A"}, "all.csv": rows}
    scored = score(tmp_path, files, {"quality": {"1": "A", "2": "B", "3": "A"}})
    found = reported(scored, is_error=False)
    assert found.count(("empty", "quality", "1")) == found.count(("unfinished-think", "quality", "2")) == 1
    assert [row for row in found if row[0] == "doubled"] == [("doubled", "quality", id_) for id_ in "123"]


def test_partial_scores_the_ids_on_both_sides_and_says_so(tmp_path):
    scored = score(tmp_path, answers({"1": "A", "2": "C", "x": "B"}), REFERENCES, partial=True)
    assert scores(scored) == {"qasper": 50.0, "quality": 50.0}
    assert [(name, task.partial) for name, task in scored.tasks.items()] == [("qasper", False), ("quality", True)]
    assert reported(scored, is_error=False) == [("unknown", "quality", "x"), ("missing", "quality", "3")]
    assert (scored.refused, scored.partial) == ({}, True)
    none = score(tmp_path / "x", {"qasper.json": {"x": "yes"}}, REFERENCES, partial=True)
    (problem,) = (problem for problem in none.problems if problem.is_error)
    assert (problem.kind, problem.task) == ("no-overlap", "qasper")
    assert problem.message == "No ID is in both files. Are the references of this split?"


def test_ids_that_all_differ_in_one_way_are_not_missing(tmp_path):
    scored = score(tmp_path, {"qasper.json": {"zs-7": "yes", "zs-8": "a cat"}}, REFERENCES)
    assert [problem.kind for problem in scored.problems if problem.is_error] == ["ids-differ"]
    assert (scores(scored), scored.tasks["qasper"].missing) == ({"qasper": None}, [])


@pytest.mark.parametrize("partial", [False, True])
def test_a_shifted_series_is_never_scored_against_its_neighbours(tmp_path, *, partial):
    references = {"qasper": {f"q-{n}": [f"answer {n}"] for n in range(20)}, "quality": {"1": ["A"]}}
    shifted = {"qasper": {f"q-{n + 1}": f"answer {n}" for n in range(20)}, "quality": {"1": "A"}}
    scored = score(tmp_path, {"all.json": shifted}, references, partial=partial)
    assert (scores(scored), reported(scored)) == ({"qasper": None, "quality": 100.0}, [("shifted", "qasper", None)])
    repaired = repair(scored.validation, ["shifted"])
    against = read_references([tmp_path / "references.json"])
    assert scores(score_predictions(repaired, against)) == {"qasper": 100.0, "quality": 100.0}


TEXTS, LISTS = {"7": "yes", "8": "a dog"}, {"7": ["yes", "no"], "8": ["a cat"]}
ROWS = [{"id": "7", "prediction": "yes"}, {"id": "8", "prediction": "a cat"}]


def test_a_file_is_of_predictions_or_references_by_its_name_else_by_what_it_holds(tmp_path):
    for name, content, role in (
        ("a/qasper.json", TEXTS, "predictions"),
        ("a/qasper.json", LISTS, "references"),
        ("preds_qasper.json", LISTS, "predictions"),
        ("gold.json", TEXTS, "references"),
        ("a.csv", "Task,ID,Prediction\nqasper,7,yes\n", "predictions"),
        ("qasper.jsonl", ROWS, "predictions"),
        ("qasper.jsonl", [{"id": "7", "pid": "7_0", "output": "yes"}], "references"),
        ("own.csv", "dataset,example,model_output\nqasper,7,yes\n", "predictions"),
        ("empty.json", "", "predictions"),
        ("all.json", {"own_task": TEXTS, "another": TEXTS}, "predictions"),
        ("all.json", {"own_task": LISTS, "another": LISTS}, "references"),
    ):
        assert role_of(write(tmp_path / name, content)) == role


@pytest.mark.parametrize(
    ("predictions", "references", "is_swapped"),
    [
        (("gold/qasper.json", LISTS), ("mine/qasper.json", TEXTS), True),
        (("a/qasper.json", LISTS), ("b/qasper.json", TEXTS), True),
        (("qasper.json", LISTS), ("a.csv", "Task,ID,Prediction\nqasper,7,yes\nqasper,8,a dog\n"), True),
        (("gold/qasper.json", LISTS), ("mine/qasper.json", {"7": "yes", "8": "a cat"}), False),
        (("a/qasper.jsonl", [{"id": "7", "input": "?", "output": "yes"}]), ("b/qasper.jsonl", ROWS[:1]), True),
        (("references_qasper.json", {"7": "no", "8": "a cat"}), ("preds_qasper.json", TEXTS), True),
        (("a/qasper.json", {"7": ["yes"], "8": ["no"]}), ("b/qasper.json", TEXTS), False),
        (("preds_qasper.json", LISTS), ("qasper.json", TEXTS), False),
        (("a/qasper.json", TEXTS), ("b/qasper.json", TEXTS), False),
        (("qasper.json", LISTS), ("qasper.json", LISTS), False),
        (("a/qasper.json", {"7": None, "8": None}), ("b/qasper.json", LISTS), False),
    ],
)  # fmt: skip
def test_predictions_and_references_in_each_others_place_are_recognised(
    tmp_path, predictions, references, *, is_swapped
):
    paths = [write(tmp_path / name, content) for name, content in (predictions, references)]
    scored = score_files([paths[0]], [paths[1]])
    assert ("swapped" in {problem.kind for problem in scored.problems}) == is_swapped
    if is_swapped:
        (problem,) = scored.problems
        where = f"the answers are in {paths[1].name}, the references in {paths[0].name}"
        assert problem.message == f"The two files look swapped: {where}. Give them the other way round"
        assert not score_files([paths[1]], [paths[0]]).refused


@pytest.mark.parametrize(("partial", "quality"), [(False, None), (True, 100.0)])
def test_two_predictions_for_an_id_refuse_the_task_and_a_null_only_when_all_are_asked_for(
    tmp_path, *, partial, quality
):
    wrong = {"quality.json": '{"1": null, "2": "B", "3": "C"}', "qasper.json": '{"7": "a", "7": "b", "8": "c"}'}
    assert scores(score(tmp_path, wrong, REFERENCES, partial=partial)) == {"qasper": None, "quality": quality}


def test_references_that_are_all_the_word_for_nothing_or_cannot_be_read_refuse_the_task(tmp_path):
    scored = score(tmp_path, NOTHING, {"qasper": {"7": "None", "8": "None"}})
    (problem,) = scored.problems
    assert problem.message == "Every reference is 'None', written for a missing one. Take a split that has them"
    assert scores(scored) == {"qasper": None}
    assert scores(score(tmp_path, NOTHING, {"qasper": {"7": "None", "8": "yes"}})) == {"qasper": 50}
    unread = score(tmp_path / "x", {"quality.json": {"1": "A", "2": "B"}}, {"quality": {"1": "A", "2": "(E)"}})
    assert (scores(unread), reported(unread)) == ({"quality": None}, [("unreadable-reference", "quality", "2")])


def test_references_that_are_not_asked_for_may_be_wrong(tmp_path):
    references = {"quality": {"1": "A", "2": "(E)", "3": None}}
    scored = score(tmp_path, {"quality.json": {"1": "A"}}, references, partial=True)
    assert (scores(scored), scored.refused) == ({"quality": 100.0}, {})
    folder = write_folder(tmp_path / "known", {"quality.json": QUALITY, "qasper.json": "{"})
    scored = score_files([write(tmp_path / "quality.json", QUALITY)], [folder])
    assert (scores(scored), scored.refused) == ({"quality": 100.0}, {})
    assert ("unreadable", "qasper", None) in reported(scored, is_error=False)


def test_the_columns_of_a_file_are_known_too_where_it_holds_answers_and_references(tmp_path):
    rows = [{"nr": key, "says": text, "output": text} for key, text in QUALITY.items()]
    path = write(tmp_path / "quality.jsonl", rows)
    assert scores(score_files([path], [path], columns={"id": "nr", "prediction": "says"})) == {"quality": 100}


def test_answers_that_are_all_references_get_a_warning_and_answers_without_references_an_error(tmp_path):
    (warning,) = score(tmp_path, {"qasper.json": {"7": "no", "8": "a cat"}}, REFERENCES).problems
    assert warning.message == f"Every answer equals a reference, word for word. {AS_ANSWERS}"
    assert not score(tmp_path / "x", {"qasper.json": {"7": "no", "8": "cat"}}, REFERENCES).problems
    with pytest.raises(ZeroScrollsError, match=r"^give what the answers are scored against: references or a source$"):
        score_files([write(tmp_path / "qasper.json", {"7": "no"})])


@pytest.mark.parametrize(
    ("answer", "reference", "are_equal"),
    [("[A] _Cat~", "a cat", True), ("STRASSE", "Straße.", True), ("!", "?", False), ("…", "—", False)],
)
def test_capitals_and_punctuation_do_not_tell_an_answer_from_a_reference_but_where_there_is_nothing_else(
    answer, reference, are_equal
):
    scored = score_files({"qasper": dict.fromkeys("ab", answer)}, {"qasper": {id_: [reference] for id_ in "ab"}})
    assert ("equal-to-references" in {problem.kind for problem in scored.problems}) is are_equal


@pytest.mark.parametrize(("named", "clusters"), [(15, 5), (14, None)])
def test_documents_count_only_if_every_example_has_one(tmp_path, named, clusters):
    texts = {"qasper": {f"q{i}": "yes" if i % 2 else "no" for i in range(15)}}
    lines = "".join(f"q{i},d{i % 5}\n" for i in range(named))
    documents = write(tmp_path / "documents.csv", f"id,document\n{lines}")
    scored = score(tmp_path, {"a.json": {"qasper": dict.fromkeys(texts["qasper"], "yes")}}, texts, documents=documents)
    assert scored.tasks["qasper"].interval.clusters == clusters


def test_progress_is_reported_for_every_task_and_ends_with_one(tmp_path):
    shares = []
    for post in ([], ["strip"]):
        score(tmp_path, answers(), REFERENCES, post=post, progress=lambda *step: shares.append(step))
    assert shares[:3] == [(0.0, "qasper"), (0.5, "quality"), (1.0, "")]
    assert shares[3:] == [(0.0, "qasper"), (0.25, "quality"), (0.5, "qasper"), (0.75, "quality"), (1.0, "")]


def test_texts_so_long_that_rouge_takes_long_are_refused_in_an_upload_and_said_in_a_command(monkeypatch):
    few, shown = limits.UPLOADS._replace(word_pairs=20), []
    monkeypatch.setattr(limits, "UPLOADS", few)
    answers = {"qmsum": {"a": "word " * 5, "b": "word " * 4, "c": "word-" * 6}, "qasper": {"d": "word " * 99}}
    references = {"qmsum": {id_: ["word " * 5, "…" * 99] for id_ in "abc"}, "qasper": {"d": ["word " * 99]}}
    with limits.using(few):
        refused = score_files(answers, references)
    assert list(refused.scored) == ["qasper"]
    refusal = "qmsum: ROUGE-L compares each word of the answer with each of a reference, more than 20 pairs here. "
    refusal += "Shorten the answer, or score it with the command line: a (5 x 5 words), c (6 x 5 words)"
    assert lines(refused.problems) == [refusal]
    with limits.using(limits.COMMANDS):
        scored = score_files(answers, references, progress=lambda _, what: shown.append(what))
    long = "2 answers of up to 6 words beside references of 5"
    assert lines(scored.problems) == [f"qmsum: {long} took long: ROUGE-L compares each word with each"]
    assert f"qmsum: {long} take long" in shown
    assert list(scored.scored) == ["qmsum", "qasper"]


def test_a_source_gives_the_references_of_the_split_and_of_the_tasks_of_every_system(tmp_path, monkeypatch):
    rows = {
        f"{task}/{split}.jsonl": [{"id": "7", "input": "Why?", "output": text}]
        for split, text in (("test", "yes"), ("validation", "no"))
        for task in ("qasper", "musique")
    }
    data = write_folder(tmp_path / "data", rows)
    path = write(tmp_path / "all.json", {"qasper": {"7": "yes"}, "quality": {"1": "A"}, "squality": {}})
    other = write(tmp_path / "other.json", {"musique": {"7": "yes"}})
    listed, walk = [], paths._walk
    monkeypatch.setattr(paths, "_walk", lambda path, *rest, **how: listed.append(path.name) or walk(path, *rest, **how))
    for name, points in (("test", 100), ("validation", 0), (None, 0)):
        systems = score_systems({"one": [path], "other": [other]}, source=data, split=name)
        assert (systems["one"].tasks["qasper"].score, scores(systems["other"])) == (points, {"musique": points})
        assert reported(systems["one"]) == [("no-data", "quality", None), ("no-data", "squality", None)]
    assert listed == ["all.json", "other.json", "data"] * 3, "a folder is listed once for all tasks"
    misspelt = write(tmp_path / "misspelt.json", {"Musique": {"7": "yes"}})
    assert repair(score_files([misspelt], source=data).validation).predictions["musique"]["7"] == "yes"
    references = write(tmp_path / "qasper.json", {"7": "a"})
    for reference_files in (None, [references]):
        with pytest.raises(ZeroScrollsError, match="has no revisions"):
            score_systems({"": [path]}, reference_files, source=data, revision="main")
    unread = score_files([path], [references], source=data, split="x").problems
    assert [problem.kind for problem in unread if "no split 'x'" in problem.message] == ["no-inputs"]


PROMPTS = {
    "zero_scrolls": "Read.\n\nArticle:\nIt rains on day {}.\n\nQuestion:\nWhat is {}?\n\nAnswer:\n",
    "scrolls": "What is {1}?\n\nIt rains on day {0}.",
}


@pytest.mark.parametrize("benchmark", PROMPTS)
@pytest.mark.parametrize("form", ["qasper", "{}_qasper"])
def test_examples_that_share_a_document_stay_together_however_their_task_is_spelt(tmp_path, form, benchmark):
    prompts = [PROMPTS[benchmark].format(i // 3, i) for i in range(15)]
    rows = [
        {"task": form.format(benchmark), "id": f"q{i}", "input": prompt, "output": "yes" if i % 2 else "no"}
        for i, prompt in enumerate(prompts)
    ]
    references = write(tmp_path / "references.jsonl", rows)
    answers = write(tmp_path / "answers.json", {"qasper": {row["id"]: "yes" for row in rows}})
    assert score_files([answers], [references], benchmark=benchmark).tasks["qasper"].interval.clusters == 5


def test_hard_questions_have_the_documents_of_the_source_too(tmp_path):
    rows = [
        {"id": str(i), "input": f"Why {i}?\n\n (A) a\n (B) b\n (C) c\n (D) d\n\n\nStory {i // 3}.", "output": "yes"}
        for i in range(30)
    ]
    data = write(tmp_path / "data" / "quality" / "validation.jsonl", rows).parents[1]
    texts, hard = {"quality": {row["id"]: "yes" for row in rows}}, {row["id"] for row in rows[:20]}
    scored = score(tmp_path, {"a.json": texts}, texts, source=data, benchmark="scrolls", hard_ids=hard)
    assert scored.tasks["quality_hard"].interval.clusters == 7
    assert "no-inputs" not in {problem.kind for problem in scored.problems}


def test_a_file_is_opened_read_and_scored_once_for_its_report_problems_and_repairs(tmp_path, monkeypatch):
    calls = counted_calls(monkeypatch)
    references = write(tmp_path / "references.json", REFERENCES)
    good = write(tmp_path / "good.json", {"quality": QUALITY, "qasper": {"7": "yes", "8": "x"}})
    scored = score_files([good], [references])
    report.as_json(scored)
    assert scored.validation.verdict == "complete for the 2 tasks of the references"
    assert len(repair(scored.validation).answers) == 5
    assert (calls["opened"], calls["read"], calls["scored"]) == (2, 2, 2)
    calls.clear()
    sick = write(tmp_path / "sick.json", {"Quality": QUALITY, "qasper": {"7_0": "yes", "8": "x"}})
    scored = score_files([sick], [references])
    repaired = repair(scored.validation).predictions
    assert {task: set(texts) for task, texts in repaired.items()} == {"quality": {*QUALITY}, "qasper": {"7", "8"}}
    assert (calls["opened"], calls["read"], calls["scored"], scored.result) == (2, 2, 0, None)
    calls.clear()
    systems = score_systems({"one": [good], "two": [good], "three": [good]}, [references])
    assert len({str(scored.signature()) for scored in systems.values()}) == 1
    assert (calls["opened"], calls["read"], calls["scored"], calls["hashed"]) == (4, 4, 6, 1)


def test_a_rule_leaves_what_it_says():
    for rule, answer, left in (
        ("cut-at:\\n", "yes\nQuestion: no", "yes"),
        ("cut-at:\n", "yes\nQuestion: no", "yes"),
        ("cut-at:\\n\\nQuestion:", "yes\n\nQuestion: no", "yes"),
        ("cut-at:\\t", "a\tb", "a"),
        ("cut-at:\\\\n", "a\\n\nb", "a"),
        ("cut-at:\\x", "a\\xb", "a"),
        ("cut-at::", "Answer: yes", "Answer"),
        ("cut-at:stop", "never", "never"),
        ("cut-at-tag", " yes</answer> because", " yes"),
        ("drop-think", "<think>A? No.</think>\nB", "\nB"),
        ("drop-think", "analysisA? No.assistantfinalB", "B"),
        ("drop-label", "(C) Not mentioned", "Not mentioned"),
        ("drop-label", " **D.** Not mentioned", "Not mentioned"),
        ("drop-label", "A) no", "no"),
        ("drop-label", "B: no", "no"),
        *(("drop-label", text, text) for text in ("Beta", "U.S. troops", "(E) no", "not (C) it", "A plan", "(A)")),
        ("unescape", "b'It\\'s caf\\xc3\\xa9\\n'", "It's café\n"),
        ("unescape", 'b"yes"', "yes"),
        ("unescape", 'One.\\nTwo \\"three\\".\\n', 'One.\nTwo "three".\n'),
        *(("unescape", text, text) for text in ("the \\nabla", "a\\nb\nc", "b'open", "bob's", "b'é'", "C:\\new")),
        ("unescape", "R&amp;D &#39;so&#39; &quot;x&quot;", "R&D 'so' \"x\""),
        *(("unescape", text, text) for text in ("R&D; so", "a & b", "&copy it", "&ampere;")),
        ("unescape", "na\\u00efve \\ud83d\\ude00 caf\\u00E9", "naïve \U0001f600 café"),
        *(("unescape", text, text) for text in ("\\u12", "\\universe", "\\up")),
        ("drop-tags", "<p>The <B>old</B> mill<br />stood.</p>\n<ul><li>It</li></ul>", "The old mill\nstood.\n\n\n\nIt"),
        *(("drop-tags", text, text) for text in (" a <b c> ", "1 < i > 0", "<think>x</think>", "<px>", "x <1> ")),
        ("drop-invisible", "\ufeffthe com\u200bmit\u00adtee\u2060", "the committee"),
        *(("drop-invisible", text, text) for text in ("a\u00a0b", " plain ", "会议")),
        ("drop-tokens", "<s> Paris</s><pad><pad>", "Paris"),
        ("drop-tokens", "Paris<|im_end|>\n<|endoftext|>", "Paris"),
        ("drop-tokens", "[CLS] Paris <end_of_turn> [PAD]", "Paris"),
        *(("drop-tokens", text, text) for text in (" a < s > b ", "<strong>b</strong>", "[A] x", "<|a b|>")),
        *(("drop-tokens", f"{mark}the{mark}old{mark}mill", "the old mill") for mark in "▁Ġ"),
        *(("drop-tokens", f"{mark}the {mark}old m ill", "the oldmill") for mark in "▁Ġ"),
        ("drop-tokens", "ĠtheĠcafÃ©Ċhere,Ġ会", "the café\nhere, 会"),
        ("drop-tokens", "com ##mit ##tee", "committee"),
        *(("drop-tokens", text, text) for text in ("the island of Ġgantija", "text\n## Title", "a ▁ b c d", "\ud800")),
        *(("decode", text, "the old mill") for text in ("dGhlIG9sZCBtaWxs", "the%20old%20mill", " the+old+mill ")),
        ("decode", "Y2Fmw6kgaGVyZQ==", "café here"),
        *(("decode", text, text) for text in ("Mississippian", "McDonaldsXyz", "50% off", "C+A", "a+b + c", "x%2", "")),
        ("fix-encoding", "cafÃ© â\x80\x9chereâ\x80\x9d, donâ€™t", "café “here”, don’t"),
        *(("fix-encoding", text, text) for text in ("café", "Ünal Ãé", "会议", "ASCII")),
        ("after:Final answer:", "A or B? final answer: A. No. Final answer: B", " B"),
        ("after:the answer is", "So the answer is (C)", " (C)"),
        ("after:<answer>", "A? <answer>B", "B"),
        ("after:\\boxed{", "so $\\boxed{B", "B"),
        ("after:\\n", "A\n\nB", "B"),
        ("after:Answer:", "never", "never"),
        ("strip", " \n yes \t", "yes"),
    ):
        name, change = find_rule(rule)
        assert (name, change(answer, TASKS["qasper"])) == ("drop-think:3" if rule == "drop-think" else rule, left)
        assert find_rule(name)[0] == name
    letter = find_rule("drop-label")[1]("(C) Not mentioned", TASKS["quality"])
    assert letter == "(C) Not mentioned", "accuracy reads the letter"


def test_a_rule_that_does_not_exist_is_reported_with_the_likely_name():
    for name, says in (
        ("cut_at:x", r"no rule 'cut_at:x' for answers; did you mean 'cut-at'\?"),
        ("upper", "the rules are after:<mark>, cut-at:<stop string>, cut-at-tag, drop-think, drop-label"),
        ("strip:x", r"did you mean 'strip'\?"),
        *((name, "needs a text; the rules are after:<mark>") for name in ("cut-at", "cut-at:", "after", "after:")),
    ):
        with pytest.raises(UnknownName, match=says):
            find_rule(name)


def test_rules_are_applied_in_order_and_what_they_empty_is_a_warning(tmp_path):
    answers = {"a.json": {"quality": {"1": "\n A"}, "qasper": {"7": "yes"}}}
    references = {"quality": {"1": "A"}, "qasper": {"7": "yes"}}
    good = score(tmp_path, answers, references, post=["strip", "cut-at:\\n"])
    assert (good.tasks["quality"].score, good.problems, good.processed.changed) == (100, [], 1)
    emptied = score(tmp_path, answers, references, post=["cut-at:\\n", "strip"])
    assert (emptied.post, emptied.tasks["quality"].score) == (("cut-at:\\n", "strip"), 0)
    assert (emptied.processed.before, emptied.processed.changed) == ({"qasper": 100, "quality": 100}, 1)
    (problem,) = emptied.problems
    assert (problem.kind, problem.task, problem.id, problem.is_error) == ("emptied", "quality", "1", False)
    assert (problem.message, problem.place.row) == ("Post-processing leaves nothing of the answer (scores 0)", None)


def test_answers_that_never_leave_think_are_counted_and_drop_think_says_that_it_left_them(tmp_path):
    thoughts = {str(n): "<think>\nOkay, let me see" for n in range(5)} | {"5": "<think>B?</think> A"}
    for post, ending in (([], "so it is cut off; "), (["drop-think"], "so drop-think leaves it as it is; ")):
        scored = score(tmp_path, {"quality.json": thoughts}, {"quality": dict.fromkeys(thoughts, "A")}, post=post)
        (line,) = lines(scored.problems)
        assert line.startswith(f"quality, 5 answers: The answer never ends its thinking, {ending}")
