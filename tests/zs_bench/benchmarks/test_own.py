"""A benchmark of one's own: a TOML file, from the smallest form to every column of ZeroSCROLLS."""

import json
import pickle
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from itertools import pairwise

import pytest
from packaged_files import ROOT
from report_schema import validated
from written_files import write

from zs_bench import cli
from zs_bench.benchmarks import BENCHMARKS, find_benchmark, find_task
from zs_bench.benchmarks.own import benchmark_of
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import UnusableInput
from zs_bench.files.entries import canonical_task, known_task
from zs_bench.reports.html import standalone
from zs_bench.reports.report import as_latex, as_markdown
from zs_bench.scoring.score_files import read_references, score_files
from zs_metric import score_task

TEAM = """name = "team_facts"
title = "Team facts"

[tasks.who]
metric = "f1"

[tasks.digest]
title = "Digest"
metric = "rouge"
"""
REFERENCES = {"who": {"1": ["Ada"], "2": ["Grace Hopper"]}, "digest": {"1": ["It rains."], "2": ["The sun shines."]}}
PREDICTIONS = {"who": {"1": "Ada", "2": "Hopper"}, "digest": {"1": "It rains here.", "2": "Sun."}}
PROMPT = """
[tasks.who.prompt]
instruction = "You are given a text and a question."
context_header = "Text:"
query_header = "Question:"
"""
ROW = "You are given a text and a question.\n\nText:\nAda wrote it.\n\nQuestion:\nWho?\n\nAnswer:\n"
#: The smallest file with a change, and the message.
WRONG = [
    ('"rouge"', '"bleu"', "team.toml, line 9: tasks.digest.metric is 'bleu'; it may be rouge, f1, accuracy,"),
    ('"f1"', '"F-1"', "line 5: tasks.who.metric is 'F-1'; did you mean 'f1'?"),
    ('metric = "f1"', "", "line 4: tasks.who has no 'metric'; add metric"),
    ('title = "D', 'titel = "D', "line 8: tasks.digest.titel is no key of this table; did you mean 'title'?"),
    ('"Digest"', "3", "line 8: tasks.digest.title is 3; give a text"),
    ('title = "Digest"', "averaged = 1", "line 8: tasks.digest.averaged is 1; give true or false"),
    ('title = "Digest"', 'steps = ["articles"]', "digest.steps is for metrics of words, and not for rouge"),
    ('title = "Digest"', "choices = [1]", "line 8: tasks.digest.choices is [1]; give a list of texts"),
    ('title = "Digest"', "document_of_id = '('", "line 8: tasks.digest.document_of_id is no regular expression"),
    ('title = "Digest"', "document_of_id = '.*'", "line 8: tasks.digest.document_of_id has 0 groups"),
    ('"f1"', '"f1"\nsteps = ["stem"]', "line 6: tasks.who.steps has 'stem'; it may be lowercase,"),
    ('"f1"', '"f1"\nprompt.instruction = "x"', "tasks.who.prompt has no 'context_header'"),
    ('title = "Team facts"', "fields.id = 1", "line 2: fields.id is 1; give a text"),
    ('title = "Team facts"', "averages.x = 1", "line 2: averages.x is no table; write [averages.x]"),
    ('title = "Team facts"', "averages.x.mean_of = ['x']", "line 2: averages.x.mean_of has 'x'; it may be who, digest"),
    ('title = "Team facts"', "averages.x.mean_of = []", "line 2: averages.x.mean_of is empty; name some of who, dig"),
    ('"rouge"', '"rouge"\n[averages.who]\nmean_of = ["who"]', "line 10: averages.who has the name of a task; take an"),
    ("team_facts", "Team", "line 1: name is 'Team'; take another, of lowercase letters, digits and _"),
    ("team_facts", "scrolls", "line 1: name is 'scrolls'; take another"),
    ("[tasks.who]", "[tasks.average]", "line 4: tasks.average cannot name a task; take another"),
    ('name = "team_facts"', "", "line 1: the file has no 'name'; add name"),
    ("[tasks.who]", "[tasks.who", "it is not TOML: "),
    (TEAM[42:], "", "line 1: the file has no 'tasks'; add tasks"),
]


@pytest.fixture
def team(tmp_path):
    write(tmp_path / "preds.json", PREDICTIONS)
    write(tmp_path / "refs.json", REFERENCES)
    return write(tmp_path / "team.toml", TEAM)


def test_the_smallest_file_is_scored_to_a_report_with_its_tasks_and_their_average(team, tmp_path, zero_scrolls):
    given = ["--benchmark", team, "--references", tmp_path / "refs.json"]
    done = zero_scrolls("score", tmp_path / "preds.json", *given, "--json", tmp_path / "out.json")
    assert (done.status, "Team facts score" in done.out) == (0, True)
    report = validated(json.loads((tmp_path / "out.json").read_text(encoding="utf-8")))
    scores = {
        name: score_task(task, [*PREDICTIONS[name].values()], [*REFERENCES[name].values()]).score
        for name, task in find_benchmark(team).tasks.items()
    }
    assert {name: task["score"] for name, task in report["tasks"].items()} == scores
    assert report["score"] == sum(scores.values()) / 2
    assert (report["benchmark"], find_benchmark(report["definition"])) == ("team_facts", find_benchmark(team))
    assert report["signature"].startswith(f"team_facts|def:{find_benchmark(team).hash}|tasks:all|")


@pytest.mark.parametrize(("old", "new", "said"), WRONG)
def test_a_wrong_file_is_a_sentence_with_line_table_and_key_and_what_would_be_right(old, new, said, team, zero_scrolls):
    assert TEAM.count(old) == 1
    write(team, TEAM.replace(old, new))
    done = zero_scrolls("score", "x.json", "--references", "r.json", "--benchmark", team)
    assert (done.status, said in done.err.replace("\n", " ")) == (2, True), done.err


def test_a_benchmark_of_the_package_written_as_toml_and_read_is_the_same_field_by_field():
    def written(value):
        return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)

    ours = BENCHMARKS["zero_scrolls"]
    names = ("title", "short_title", "kind", "domain", "asks", "document_of_id", "options", "answerability")
    names = (*names, "averaged", "answer_budget")
    about = ("title", "code", "repo", "splits")
    lines = ['name = "own"', *(f"{name} = {written(getattr(ours, name))}" for name in about)]
    for name, task in ours.all_tasks.items():
        lines += [f"[tasks.{name}]", f'metric = "{task.metric.name}"']
        lines += [f"{each} = {written(value)}" for each in names if (value := getattr(task, each)) is not None]
        prompt = ((each.name, getattr(task.template, each.name)) for each in fields(task.template))
        lines += [f"[tasks.{name}.prompt]", *(f"{key} = {written(text)}" for key, text in prompt if text is not None)]
    own = benchmark_of("\n".join(lines))
    for name in (*about, "normalization"):
        assert getattr(own, name) == getattr(ours, name)
    assert list(own.tasks) == list(ours.tasks)
    for name, task in own.tasks.items():
        for column in (*names, "metric", "template"):
            assert getattr(task, column) == getattr(ours.tasks[name], column), (name, column)


def test_it_is_one_object_in_a_process_and_found_in_another_by_its_definition(team):
    benchmark = find_benchmark(str(team))
    assert find_benchmark(team) is find_benchmark(benchmark.key) is benchmark
    task = find_task("who", benchmark=team)
    assert pickle.loads(pickle.dumps(task)) is task
    script = "import pickle, sys; task = pickle.load(sys.stdin.buffer); print(task.benchmark.hash, task.title)"
    done = subprocess.run([sys.executable, "-c", script], input=pickle.dumps(task), capture_output=True, check=True)
    assert done.stdout.decode().split() == [benchmark.hash, "who"]


def test_the_names_of_its_tasks_mean_its_tasks_also_where_another_benchmark_has_nearly_the_same(tmp_path):
    own = benchmark_of('name = "own"\n[tasks.narrativeqa]\nmetric = "f1"\n')
    assert (canonical_task("NarrativeQA", own), canonical_task("NarrativeQA")) == ("narrativeqa", "narrative_qa")
    assert [known_task("narrativeqa", each) for each in (own, None)] == ["narrativeqa", None]
    assert known_task("narrative_qa", own) == "narrative_qa"
    paths = [write(tmp_path / each / "narrativeqa.json", {"1": "Ada"}) for each in ("p", "r")]
    assert score_files([paths[0]], [paths[1]], benchmark=own).tasks["narrativeqa"].score == 100


def test_steps_of_a_metric_and_texts_of_a_prompt_are_its_own(tmp_path):
    own = benchmark_of(TEAM.replace('"f1"', '"f1"\nsteps = ["whitespace"]') + PROMPT)
    assert score_task(own.tasks["who"], ["the Ada"], ["Ada"]).score == pytest.approx(200 / 3)
    assert score_task(own.tasks["who"], ["ada"], ["Ada"]).score == 0
    write(tmp_path / "who" / "validation.jsonl", [{"id": "1", "pid": "1_0", "input": ROW, "output": "Ada"}])
    (example,) = load_examples(str(tmp_path), own.tasks["who"]).examples
    assert (example.document, example.query) == ("Ada wrote it.", "Who?")
    with pytest.raises(UnusableInput, match="Team facts names no dataset on the Hub"):
        load_examples("hub", own.tasks["who"])


FIELDS = """
[fields]
id = "number"
prediction = "said"
references = "truth"
input = "asked"
"""


def test_fields_of_rows_may_have_the_names_that_the_file_says(tmp_path):
    own = benchmark_of(TEAM + PROMPT + FIELDS)
    data = [{"number": "1", "asked": ROW, "truth": ["Ada", "Lovelace"], "output": "", "answer": ""}]
    folder = write(tmp_path / "data" / "who" / "test.jsonl", data).parents[1]
    (example,) = load_examples(folder, own.tasks["who"]).examples
    assert (example.id, example.references, example.query) == ("1", ["Ada", "Lovelace"], "Who?")
    assert read_references([folder], benchmark=own).of("who", "test")["1"].document == example.document_name
    row = {"number": "1", "said": "Ada", "answer": "?", "output": "?"}
    table = "number,answer,said\n1,?,Ada\n"
    log = {"doc": {"id": "1"}, "resps": [["Ada"]], "filtered_resps": ["Ada"]}
    for name, content in (("a.jsonl", [row]), ("a.json", json.dumps([row])), ("a.csv", table), ("b.jsonl", [log])):
        answers = write(tmp_path / "answers" / "who" / name, content)
        scored = score_files([answers], [folder], benchmark=own)
        assert (scored.refused, scored.tasks["who"].score) == ({}, 100), name


AVERAGES = """
[tasks.where]
metric = "f1"

[averages.facts]
title = "All facts"
mean_of = ["who", "where"]

[averages.both]
mean_of = ["facts", "digest"]

[averages.twice]
mean_of = ["who", "facts"]
"""


def test_averages_of_averages_many_deep_are_counted_once_each():
    names = ["who", *(f"a{n}" for n in range(60))]
    tables = (f'[averages.{name}]\nmean_of = ["{of}", "{of}"]\n' for of, name in pairwise(names))
    assert benchmark_of(TEAM + "".join(tables)).weights("a59") == {"who": 1.0}


def test_averages_are_of_tasks_and_of_other_averages_and_so_are_their_intervals(tmp_path, zero_scrolls):
    team = write(tmp_path / "team.toml", TEAM + AVERAGES)
    ids = [str(number) for number in range(12)]
    texts = {"who": "a b c", "where": "b c d e", "digest": "it rained all day"}
    known = {task: dict.fromkeys(ids, "a b c d e") for task in texts} | {"digest": dict.fromkeys(ids, "it rained")}
    answers = {task: {id_: text[: 3 + int(id_)] for id_ in ids} for task, text in texts.items()}
    given = [write(tmp_path / "a.json", answers), "--references", write(tmp_path / "r.json", known)]
    done = zero_scrolls("score", *given, "--benchmark", team, "--json", tmp_path / "out.json")
    report = validated(json.loads((tmp_path / "out.json").read_text(encoding="utf-8")))
    scores = {name: task["score"] for name, task in report["tasks"].items()}
    facts, both = report["averages"]["facts"], report["averages"]["both"]
    assert facts["score"] == pytest.approx((scores["who"] + scores["where"]) / 2)
    assert both["score"] == pytest.approx((facts["score"] + scores["digest"]) / 2)
    assert (both["title"], both["mean_of"]) == ("both", ["facts", "digest"])
    line = f"All facts: {facts['score']:.4f} ["
    assert line in done.out, done.out
    assert find_benchmark(team).weights("twice") == {"who": 0.75, "where": 0.25}
    assert both["interval"]["low"] < both["score"] < both["interval"]["high"]
    scored = score_files(answers, known, benchmark=team)
    assert f"\n\n{line}" in as_markdown(scored, "a")  # a paragraph of its own
    head, row, _ = (line.split(" & ") for line in as_latex(scored, "a").splitlines() if " & " in line)
    assert row[head.index("All facts")] == f"{facts['score']:.1f}"
    figures = [title for _, _, title in standalone.figures(scored)]
    assert figures == ["Team facts score", "All facts", "both", "twice"]
    plain = write(tmp_path / "plain.toml", TEAM.replace("digest", "where").replace('"rouge"', '"f1"'))
    two = {task: answers[task] for task in ("who", "where")}
    alone = score_files(two, {task: known[task] for task in two}, benchmark=plain).interval
    assert (facts["interval"]["low"], facts["interval"]["high"]) == pytest.approx((alone.low, alone.high))
    write(tmp_path / "a.json", two)
    assert "\nboth: not all scored (mean of facts, digest).\n" in zero_scrolls("score", *given, "--benchmark", team).out


def test_verify_of_ones_own_speaks_of_no_paper_and_of_no_submission(team, tmp_path, zero_scrolls):
    done = zero_scrolls("verify", tmp_path / "preds.json", "--references", tmp_path / "refs.json", "--benchmark", team)
    said = "Complete for the 2 tasks of the references. --fix OUT.csv writes one file of all answers."
    assert done.out.splitlines()[-1] == said
    assert not re.search("paper|submi|official", done.out)


#: Every command with a benchmark of one's own: the exit status, and words of what it says.
COMMANDS = [
    ("compare preds.json preds.json --references refs.json --name a --name b --margin 5 --html c.html", 1, "who"),
    ("verify preds.json --references refs.json --fix fixed.csv", 0, "fixed.csv: 4 answers"),
    ("explain digest --prediction rain --reference drizzle", 0, "digest: 0.00"),
    ("study preds.json --references refs.json --tokens 512", 0, "digest"),
    ("variants preds.json --references refs.json", 0, "set-F1"),
    ("score preds.json --references refs.json --html r.html --latex r.tex --csv r.csv --losses", 0, "Where the points"),
    ("score preds.json --source rows", 1, "digest"),
    ("prompt who --source rows --budget 60", 0, "Ada wrote it."),
    ("data who --source rows", 0, "who"),
    ("board init --board b.sqlite --references refs.json", 0, "Team facts board: 2 tasks"),
    ("tasks lm-eval harness --source rows", 0, "--tasks team_facts"),
    ("run --write-batch batch --model m --source rows --tasks who --out run", 0, ""),
    ("demo", 2, "Team facts has no sample"),
]


def test_the_example_of_the_page_works_as_it_stands(tmp_path, zero_scrolls, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "own-benchmark.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w+\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    for name, text in zip(("team.toml", "preds.json", "refs.json"), blocks, strict=False):
        write(tmp_path / name, text)
    lines = blocks[3].splitlines()
    assert len(lines) == 4
    for line in lines:
        if line.split()[1] not in cli.COMMANDS:
            continue
        done = zero_scrolls(*shlex.split(line)[1:])
        assert done.status == 0, done.err
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["benchmark"] == "team_facts"


@pytest.mark.parametrize("case", COMMANDS, ids=[line.split()[0] for line, *_ in COMMANDS])
def test_every_command_takes_it(case, team, zero_scrolls, monkeypatch):
    (line, status, said), folder = case, team.parent
    if line.split()[0] not in cli.COMMANDS:
        pytest.skip("its annex is missing")
    monkeypatch.chdir(folder)
    write(team, TEAM + PROMPT)
    write(folder / "rows" / "who" / "validation.jsonl", [{"id": "1", "pid": "1_0", "input": ROW, "output": "Ada"}])
    done = zero_scrolls(*line.split(), "--benchmark", "team.toml")
    assert (done.status, said in done.out + done.err) == (status, True), done.out + done.err
