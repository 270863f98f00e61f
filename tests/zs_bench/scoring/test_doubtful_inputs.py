"""Files that could be scored wrongly without a word are refused, or it is said; those like them are scored."""

import json

import pytest
from written_files import write_folder

from zs_bench import score
from zs_bench.benchmarks import find_benchmark
from zs_bench.problems import lines
from zs_bench.scoring.score_files import read_references, score_files
from zs_metric.scoring import score_texts

#: What answers that are the references probably are, and what to do.
AS_ANSWERS = (
    "Probably the references are read as the answers; then give the file, or name the column, of the model's answers"
)

GOLD = {"a": "red fox", "b": "blue cat", "c": "green"}
ANSWERS = {"a": "red fox", "b": "nothing", "c": "zzz"}
ROWS = [{"id": id_, "input": "x", "output": text} for id_, text in GOLD.items()]
OTHER = [{"id": id_, "input": "x", "output": "nothing"} for id_ in GOLD]
LETTERS = {"quality.jsonl": [{"id": "a", "output": "A"}, {"id": "b", "output": "C"}]}
MUSIQUE = [{"id": "2hop__1_2", "paragraphs": [], "answer": "United States", "answer_aliases": ["US", "USA"]}]
TWICE = '{"a": ["red fox"], "b": ["blue cat"], "c": ["green"], "b": ["nothing"]}'


def csv_of(*columns):
    """A table with the columns of `ROWS`, each a name and its cells."""
    names, cells = zip(*columns, strict=True)
    return "".join(f"{','.join(row)}\n" for row in (names, *zip(*cells, strict=True)))


def rows_of(**fields):
    return [dict(zip(fields, values, strict=True)) for values in zip(*fields.values(), strict=True)]


GOLD_COLUMN = csv_of(("id", GOLD), ("answer", GOLD.values()), ("gpt-4", ANSWERS.values()))
TWENTY = {f"q{n}": f"red fox {n}" for n in range(20)}
TWENTY_ROWS = {"qasper.jsonl": [{"id": id_, "input": "x", "output": text} for id_, text in TWENTY.items()]}
#: What is given: answers and references by file, the points, and the errors and warnings that name what is doubtful.
CASES = {
    "one file of references": ({"qasper.json": ANSWERS}, {"qasper.jsonl": ROWS}, 100 / 3, []),
    "two shards of references": (
        {"qasper.json": ANSWERS}, {"qasper_1.jsonl": ROWS[:2], "qasper_2.jsonl": ROWS[2:]}, 100 / 3, [],
    ),
    "rows of one file are alternatives": ({"qasper.json": ANSWERS}, {"qasper.jsonl": [*ROWS, *OTHER]}, 200 / 3, []),
    "two files with the same ids": (
        {"qasper.json": ANSWERS}, {"qasper.jsonl": ROWS, "qasper_old.jsonl": OTHER}, None,
        [("qasper: Two files have references of the same IDs. Give one of them: r/qasper.jsonl and r/qasper_old.jsonl: "
         "3 IDs, such as 'a'")],
    ),
    "a list and rows of the same ids": (
        {"qasper.json": ANSWERS}, {"qasper.jsonl": ROWS, "qasper.json": {"b": ["nothing"]}}, None,
        [("qasper: Two files have references of the same IDs. Give one of them: r/qasper.json and "
         "r/qasper.jsonl: 1 ID, such as 'b'")],
    ),
    "an id twice in an object": (
        {"qasper.json": ANSWERS}, {"qasper.json": TWICE}, None,
        ["qasper: The object has a key twice. Keep one: r/qasper.json: 1 ID, such as 'b'"],
    ),
    "a task twice in an object": (
        {"qasper.json": ANSWERS}, {"all.json": '{"qasper": {"a": "x"}, "qasper": {"b": "y"}}'}, None,
        ["qasper: Unknown ID: c (p/qasper.json)", "qasper: The object has a key twice. Keep one: r/all.json"],
    ),
    "an id twice in an object of rows": (
        {"qasper.json": {"a": "x"}}, {"qasper.json": '{"a": {"answer": "x"}, "a": {"answer": "y"}}'}, None,
        ["qasper: The object has a key twice. Keep one: r/qasper.json"],
    ),
    "two splits with the same ids": (
        {"qasper.json": ANSWERS}, {"qasper_validation.jsonl": ROWS, "qasper_test.jsonl": OTHER}, None,
        ["qasper: The IDs are in the references of test split and of validation split alike. Give one of them"],
    ),
    "a split that has more of the ids": (
        {"qasper.json": ANSWERS}, {"qasper_validation.jsonl": ROWS, "qasper_test.jsonl": OTHER[:2]}, 100 / 3, [],
    ),
    "a split without references": (
        {"qasper.json": ANSWERS},
        {"qasper_validation.jsonl": ROWS, "qasper_test.jsonl": [{**row, "output": None} for row in ROWS]}, 100 / 3, [],
    ),
    "empty references": (
        {"qasper.json": ANSWERS}, {"qasper.json": {"a": "", "b": [""], "c": [" "]}}, None,
        [("qasper: The reference is empty, as where a split has none. Take references of a split that has them: a "
         "(r/qasper.json), b (r/qasper.json), c (r/qasper.json)")],
    ),
    "an empty one beside another": (
        {"qasper.json": ANSWERS}, {"qasper.json": {**GOLD, "a": ["", "red fox"]}}, 100 / 3, [],
    ),
    "the gold in the column that is read": (
        {"qasper.csv": GOLD_COLUMN}, {"qasper.jsonl": ROWS}, 100,
        ["The answers are read from 'answer'; not read: 'gpt-4'. Say so if another holds them: p/qasper.csv",
         f"Every answer equals a reference, word for word. {AS_ANSWERS}"],
    ),
    "an answer beside the one of our name": (
        {"qasper.csv": csv_of(("id", GOLD), ("prediction", GOLD.values()), ("clean prediction", ANSWERS.values()))},
        {"qasper.jsonl": [*ROWS, *OTHER]}, 100,
        [("The answers are read from 'prediction'; not read: 'clean prediction'. Say so if another holds them: "
          "p/qasper.csv"),
         f"Every answer equals a reference, word for word. {AS_ANSWERS}"],
    ),
    "the gold in rows": (
        {"qasper.jsonl": rows_of(id=GOLD, answer=["Red fox.", *list(GOLD.values())[1:]], mine=ANSWERS.values())},
        {"qasper.jsonl": ROWS}, 100,
        ["The answers are read from 'answer'; not read: 'mine'. Say so if another holds them: p/qasper.jsonl",
         f"3 of 3 answers equal a reference, capitals and punctuation aside. {AS_ANSWERS}"],
    ),
    "letters that are all right": (
        {"quality.json": {"a": "A", "b": "C"}}, LETTERS, 100,
        [f"Every answer equals a reference, word for word. {AS_ANSWERS}"],
    ),
    "letters that are right and not typed so": ({"quality.json": {"a": "(A)", "b": "C"}}, LETTERS, 100, []),
    "columns of the data beside the answer": (
        {"qasper.csv": csv_of(*((name, GOLD) for name in ("id", "question", "model_name", "answerType")),
                              ("output", ANSWERS.values()), ("latency", "123"))},
        {"qasper.jsonl": ROWS}, 100 / 3, [],
    ),
    "the answer beside that of the data": (
        {"qasper.csv": csv_of(("id", GOLD), ("answer", GOLD.values()), ("pred", ANSWERS.values()))},
        {"qasper.jsonl": ROWS}, 100 / 3, [],
    ),
    "two columns of one name": (
        {"qasper.csv": csv_of(("id", GOLD), ("prediction", ANSWERS.values()), ("prediction", GOLD.values()))},
        {"qasper.jsonl": ROWS}, None,
        ["qasper: two columns are called 'prediction' and 'prediction'. Keep the one with the answers: p/qasper.csv"],
    ),
    "two columns of one name in other capitals": (
        {"qasper.csv": csv_of(("id", GOLD), ("Prediction", ANSWERS.values()), ("prediction", GOLD.values()))},
        {"qasper.jsonl": ROWS}, None,
        ["qasper: two columns are called 'Prediction' and 'prediction'. Keep the one with the answers: p/qasper.csv"],
    ),
    "answers in another order": (
        {"qasper.json": dict(zip(TWENTY, [*list(TWENTY.values())[1:], "red fox 0"], strict=True))},
        TWENTY_ROWS, 200 / 3,
        ["qasper: 20 of 20 answers equal the reference of another example. Are they in order? q0 has that of q1"],
    ),
    "the error of a server as half of the answers": (
        {"qasper.json": {id_: text if n % 2 else "Error: 429" for n, (id_, text) in enumerate(TWENTY.items())}},
        TWENTY_ROWS, 50,
        ["qasper: 10 of 20 answers are one text, and no reference is. Did the run fail there? 'Error: 429'"],
    ),
    "answers that begin alike": (
        {"qasper.json": {id_: f"The answer of the model is {text}" for id_, text in TWENTY.items()}}, TWENTY_ROWS,
        60, [],
    ),
    "one text with other punctuation, in ASCII and not": (
        {"qasper.json": {id_: ("No — none:", "No, none")[n % 2 == 0] + " in the text" for n, id_ in enumerate(TWENTY)}},
        TWENTY_ROWS, 0,
        ["qasper: 20 of 20 answers are one text, and no reference is. Did the run fail there? 'No, none in the text'"],
    ),
    "pandas' word for a missing answer": (
        {"qasper.csv": csv_of(("id", TWENTY), ("prediction", ["nan"] * 20))}, TWENTY_ROWS, 0,
        ["qasper: 20 of 20 answers are one text, and no reference is. Did the run fail there? 'nan'"],
    ),
    "one text that is a reference": (
        {"qasper.json": dict.fromkeys(TWENTY, "no")},
        {"qasper.json": {id_: ["no" if n < 2 else "yes"] for n, id_ in enumerate(TWENTY)}}, 10, [],
    ),
    "the index of pandas": (
        {"qasper.csv": csv_of(("", "123"), ("id", GOLD), ("prediction", ANSWERS.values()))}, {"qasper.jsonl": ROWS},
        100 / 3, [],
    ),
    "a key without a name": (
        {"qasper.jsonl": rows_of(**{"": [1, 2, 3]}, id=GOLD, prediction=ANSWERS.values())}, {"qasper.jsonl": ROWS},
        100 / 3, [],
    ),
    "ids under another name": (
        {"qasper.jsonl": rows_of(instance_id=reversed(GOLD), prediction=reversed(ANSWERS.values()))},
        {"qasper.jsonl": ROWS}, 100 / 3,
        [("qasper: The IDs are read from 'instance_id', since it holds those that answers and references share: "
         "p/qasper.jsonl: 3 answers")],
    ),
    "ids under another name in a table": (
        {"qasper.csv": csv_of(("uid", reversed(GOLD)), ("prediction", reversed(ANSWERS.values())))},
        {"qasper.jsonl": ROWS}, 100 / 3,
        [("qasper: The IDs are read from 'uid', since it holds those that answers and references share: "
         "p/qasper.csv: 3 answers")],
    ),
    "ids under another name beside numbers": (
        {"qasper.jsonl": rows_of(id="012", uuid=reversed(GOLD), prediction=reversed(ANSWERS.values()))},
        {"qasper.jsonl": ROWS}, 100 / 3,
        [("qasper: The IDs are read from 'uuid', since it holds those that answers and references share: "
         "p/qasper.jsonl: 3 answers")],
    ),
    "ids of the references under another name": (
        {"qasper.json": ANSWERS}, {"qasper.jsonl": rows_of(sample_id=GOLD, input="xyz", output=GOLD.values())}, 100 / 3,
        [("qasper: The IDs are read from 'sample_id', since it holds those that answers and references share: "
          "r/qasper.jsonl: 3 rows")],
    ),
    "ids of both sides under another name": (
        {"qasper.jsonl": rows_of(uid=GOLD, question="xyz", prediction=ANSWERS.values())},
        {"qasper.jsonl": rows_of(uid=GOLD, question="xyz", answer=GOLD.values())}, 100 / 3,
        [("qasper: The IDs are read from 'uid', since it holds those that answers and references share: "
          "p/qasper.jsonl: 3 answers, r/qasper.jsonl: 3 rows")],
    ),
    "ids of both sides under two other names": (
        {"qasper.csv": csv_of(("uid", GOLD), ("prediction", ANSWERS.values()))},
        {"qasper.jsonl": rows_of(sample=GOLD, answer=GOLD.values())}, 100 / 3,
        [("qasper: The IDs are read from 'uid', since it holds those that answers and references share: "
          "p/qasper.csv: 3 answers"),
         ("qasper: The IDs are read from 'sample', since it holds those that answers and references share: "
          "r/qasper.jsonl: 3 rows")],
    ),
    "two columns of references": (
        {"qasper.json": ANSWERS}, {"qasper.jsonl": rows_of(id=GOLD, target="xyz", gold=GOLD.values())}, 0,
        ["The references are read from 'target'; not read: 'gold'. Say so if another holds them: r/qasper.jsonl"],
    ),
    "a column of references that holds one of the others": (
        {"qasper.json": ANSWERS},
        {"qasper.jsonl": rows_of(id=GOLD, answers=[["x", text] for text in GOLD.values()],
                                 answer=[text.title() for text in GOLD.values()], label="xyz")}, 100 / 3, [],
    ),
    "lists of references as texts": (
        {"qasper.json": ANSWERS},
        {"qasper.jsonl": rows_of(id=GOLD, output=[f"['{text}', 'x']" for text in GOLD.values()])}, 80 / 3,
        ["qasper: 3 of 3 references are lists written as texts. Write them as JSON's lists: ['red fox', 'x']"],
    ),
    "two fields of the references with the ids": (
        {"qasper.json": ANSWERS}, {"qasper.jsonl": rows_of(uid="abc", sid="bca", answer=GOLD.values())}, None,
        [("qasper: no column is known to hold the IDs; the columns are 'uid,sid,answer'. Call the one with the IDs "
          "'id': r/qasper.jsonl: 3 rows")],
    ),
    "a field of the references with some of the ids": (
        {"qasper.json": ANSWERS}, {"qasper.jsonl": rows_of(uid="abx", answer=GOLD.values())}, None,
        [("qasper: no column is known to hold the IDs; the columns are 'uid,answer'. Call the one with the IDs 'id': "
          "r/qasper.jsonl: 3 rows")],
    ),
    "some of the ids under another name": (
        {"qasper.jsonl": rows_of(instance_id="ba", prediction="xy")}, {"qasper.jsonl": ROWS}, None,
        ["qasper: All values of 'instance_id' are known IDs. Say that it holds the IDs: p/qasper.jsonl: 2 answers"],
    ),
    "two fields with the ids": (
        {"qasper.jsonl": rows_of(uid="abc", sid="bca", prediction=ANSWERS.values())}, {"qasper.jsonl": ROWS}, None,
        ["qasper: All values of 'uid' and of 'sid' are known IDs. Say which holds the IDs: p/qasper.jsonl: 3 answers"],
    ),
    "ids that are the answers": (
        {"quality.jsonl": rows_of(prediction="ab")}, LETTERS, None,
        [("quality: The rows have no IDs, or only their numbers. There are as many as references, perhaps in the same "
          "order: p/quality.jsonl: 2 answers")],
    ),
    "an answer that a later row has": (
        {"qasper.csv": csv_of(("id", GOLD), ("answer", ANSWERS.values()), ("llama", ["", "7", "a cat"]))},
        {"qasper.jsonl": ROWS}, 100 / 3,
        ["The answers are read from 'answer'; not read: 'llama'. Say so if another holds them: p/qasper.csv"],
    ),
    "an answer beside a label": (
        {"quality.json": {"a": "A", "b": "B"}},
        {"quality.jsonl": rows_of(id="ab", answer="AC", label=[0, 1])}, 50, [],
    ),
    "aliases": ({"musique.json": {"2hop__1_2": "USA"}}, {"musique_ans_v1.0_dev.jsonl": MUSIQUE}, 100, []),
    "two kinds of answers and the gold": (
        {"quality.jsonl": rows_of(_id="ab", answer="AC", response=["A", "B"])}, LETTERS, None,
        ["quality: 'response' and 'answer' may both hold the answers. Say which one does: p/quality.jsonl"],
    ),
    "references that are named like answers": (
        {"qasper.jsonl": ROWS[:2]}, {"answers_qasper.jsonl": rows_of(id=GOLD, answer=GOLD.values())}, None, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_doubtful_input_is_refused_or_said(case, tmp_path, zero_scrolls):
    predictions, references, points, said = CASES[case]
    given, against = write_folder(tmp_path / "p", predictions), write_folder(tmp_path / "r", references)
    done = zero_scrolls("score", given, "--references", against, "--json", tmp_path / "out.json")
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    (task,) = report["tasks"].values() or [{"score": None}]
    assert task["score"] == (points if points is None else pytest.approx(points))
    assert done.status == (points is None)
    assert all(problem["kind"] != "swapped" for problem in report["problems"])
    said = lines(score_files([given], [against]).problems) if said is None else said
    assert [line for line in said if line not in done.out] == []
    assert lines(score_files([given], [against]).problems) == said


def test_a_misspelt_id_is_no_shift_and_the_id_that_is_meant_is_named(tmp_path, zero_scrolls):
    ids = [f"squality_{number:03d}" for number in range(51)]
    references = write_folder(tmp_path / "r", {"squality.json": {id_: ["a dog"] for id_ in ids}})
    for name, meant in (("squality_2", "squality_002"), ("squalty_002", "squality_002")):
        answers = {(name if id_ == meant else id_): "a dog ran" for id_ in ids}
        given = write_folder(tmp_path / name, {"squality.json": answers})
        done = zero_scrolls("score", given, "--references", references)
        assert done.status == 1
        assert f"did you mean {meant}?" in done.out.replace("'", "")
        assert "shifted" not in done.out
    unpadded = write_folder(tmp_path / "all", {"squality.json": {f"squality_{n}": "a dog" for n in range(1, 51)}})
    assert "shifted" not in zero_scrolls("score", unpadded, "--references", references, "--partial").out


@pytest.mark.parametrize("name", ["gold_answers", "ground_truth", "expected", "targets", "label", "summary", "gt"])
def test_references_are_read_under_their_usual_names_in_rows_of_their_own_and_beside_answers(name, tmp_path):
    rows = rows_of(**{"id": GOLD, name: GOLD.values()})
    both = [{**row, "prediction": ANSWERS[row["id"]]} for row in rows]
    given = write_folder(tmp_path / "p", {"qasper.json": ANSWERS})
    for references in (rows, both):
        against = write_folder(tmp_path / "r", {"qasper.jsonl": references})
        assert score_files([given], [against]).tasks["qasper"].score == pytest.approx(100 / 3)
    for row in both:
        del row["id"]
    without = write_folder(tmp_path / "w", {"qasper.jsonl": both})
    assert score_files([without], [without]).tasks["qasper"].score == pytest.approx(100 / 3)


def test_any_field_can_be_named_for_any_role(tmp_path, zero_scrolls):
    rows = rows_of(nr=GOLD, says=ANSWERS.values(), right=GOLD.values(), of=["qasper"] * 3, points=[1, 0, 0])
    both = write_folder(tmp_path / "p", {"a.jsonl": rows})
    names = "id=nr,prediction=says,references=right,task=of,score=points"
    done = zero_scrolls("score", both, "--references", both, "--columns", names)
    assert (done.status, "qasper  33.33" in done.out) == (0, True)
    answers = write_folder(tmp_path / "a", {"qasper.json": ANSWERS})
    done = zero_scrolls("score", answers, "--references", both, "--columns", "references=right,id=nr,task=of")
    assert (done.status, "qasper  33.33" in done.out) == (0, True)
    done = zero_scrolls("score", answers, "--references", both)
    said = "--columns id=nr,references=says says it, where 'nr' holds the IDs and 'says' holds the references."
    assert said in done.out
    done = zero_scrolls("score", answers, "--references", both, "--columns", "references=wrong")
    assert "there is no column 'wrong'; the columns are 'nr,says,right,of,points'" in done.out
    assert zero_scrolls("score", answers, "--references", both, "--columns", "references=").status == 2


@pytest.mark.parametrize("command", ["score", "verify"])
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_column_of_ids_is_named_for_the_files_that_have_it(ending, command, tmp_path, zero_scrolls):
    answers, own = tmp_path / f"qasper.{ending}", {"qid": GOLD, "prediction": ANSWERS.values()}
    if ending == "csv":
        answers.write_text("qid,prediction\n" + "".join(f"{id_},{text}\n" for id_, text in ANSWERS.items()))
    else:
        write_folder(tmp_path, {answers.name: rows_of(**own)})
    references = write_folder(tmp_path / "r", {"qasper.jsonl": rows_of(nr=GOLD, output=GOLD.values())})
    for name in ("nr", "qid"):
        done = zero_scrolls(command, answers, "--references", references, "--columns", f"id={name}")
        assert (done.status, "no column" in done.out + done.err) == (0, False)
    done = zero_scrolls(command, answers, "--references", references, "--columns", "id=number")
    assert (done.status, "there is no column 'number'; the columns are 'qid,prediction'" in done.out) == (1, True)


@pytest.mark.parametrize(
    ("name", "fields", "option"),
    [
        ("a", {"id": GOLD, "prediction": GOLD.values(), "prediction_2": ANSWERS.values()}, "prediction=prediction_2"),
        ("a", {"instance id": "ab", "prediction": "xy"}, "'id=instance id'"),
        ("a", {"id": GOLD, "answer": GOLD.values(), "response": "xyz"}, "prediction=response"),
        ("r", {"id": GOLD, "right": GOLD.values()}, "references=right"),
    ],
)
def test_the_option_that_helps_names_the_column(name, fields, option, tmp_path, zero_scrolls):
    given = {"a": {"qasper.json": ANSWERS}, "r": {"qasper.jsonl": ROWS}, name: {"qasper.jsonl": rows_of(**fields)}}
    answers, references = (write_folder(tmp_path / each, given[each]) for each in "ar")
    assert f"--columns {option} says it, where" in zero_scrolls("score", answers, "--references", references).out


def test_the_column_of_answers_is_named_for_the_files_of_answers_alone(tmp_path):
    given = write_folder(tmp_path / "p", {"qasper.jsonl": rows_of(id=GOLD, output=ANSWERS.values())})
    references = write_folder(tmp_path / "r", {"qasper.jsonl": rows_of(id=GOLD, output=GOLD.values(), answer="xyz")})
    scored = score_files([given], [references], columns={"prediction": "output"})
    assert scored.tasks["qasper"].score == pytest.approx(100 / 3)


def test_the_fields_of_a_benchmark_are_read_beside_those_of_other_tools(tmp_path):
    definition = tmp_path / "team.toml"
    tasks = '[tasks.qasper]\nmetric = "f1"\n'
    definition.write_text(f'name = "team"\n[fields]\nid = "_id"\nprediction = "pred"\nreferences = "answers"\n{tasks}')
    rows = rows_of(pred=ANSWERS.values(), answers=[[text] for text in GOLD.values()])
    own = write_folder(tmp_path / "own", {"qasper.jsonl": rows})
    replies = [
        {"custom_id": id_, "response": {"body": {"choices": [{"message": {"content": text}}]}}}
        for id_, text in ANSWERS.items()
    ]
    batch = write_folder(tmp_path / "batch", {"qasper.jsonl": replies})
    references = write_folder(tmp_path / "r", {"qasper.jsonl": [{"_id": id_, "answers": [GOLD[id_]]} for id_ in GOLD]})
    for given, against in ((own, own), (batch, references)):
        scored = score_files([given], [against], benchmark=definition)
        assert (scored.tasks["qasper"].score, scored.refused) == (pytest.approx(100 / 3), {})


def test_rows_are_counted_as_rows_and_files_as_files(tmp_path, zero_scrolls):
    rows = rows_of(pred="xyz", question="abc")
    given, against = (write_folder(tmp_path / name, {"qasper.jsonl": rows}) for name in "pr")
    said = zero_scrolls("score", given, "--references", against).out
    assert "qasper, 2 files: the row has no 'id'" in said
    own = [{**row, "answers": ["x"]} for row in rows]
    (file,) = score_files([write_folder(tmp_path / "own", {"qasper.jsonl": own})], [tmp_path / "own"]).files
    assert file.rows == 3


def test_the_metric_itself_scores_an_empty_reference_as_released(tmp_path):
    task = find_benchmark("zero_scrolls").tasks["qasper"]
    assert score_texts(task.metric, ["a"], [[""]]).score == 0
    against = read_references(write_folder(tmp_path / "r", {"qasper.json": {"a": ""}}))
    assert [each.kind for each in against.faults(task, None)] == ["null-reference"]


def test_answers_in_another_order_and_one_text_for_many_have_a_kind_each():
    moved = dict(zip(TWENTY, [*list(TWENTY.values())[1:], "red fox 0"], strict=True))
    for answers, kind in ((moved, "other-reference"), (dict.fromkeys(TWENTY, "Error: 429"), "same-text")):
        (problem,) = score({"qasper": answers}, {"qasper": {id_: [text] for id_, text in TWENTY.items()}}).problems
        assert (problem.kind, problem.is_error) == (kind, False)
