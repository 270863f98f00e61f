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
from growth import grows_faster_than_linearly
from packaged_files import ROOT
from report_schema import validated
from written_files import write

from zs_bench.benchmarks import BENCHMARKS, Task, find_benchmark, find_task
from zs_bench.benchmarks.own import benchmark_of, benchmark_of_content, content_of, read_benchmark
from zs_bench.dataset.rows import read_examples
from zs_bench.dataset.sources import load_examples
from zs_bench.errors import UnusableInput
from zs_bench.files.input_files import InputFile
from zs_bench.files.names import canonical_task, known_task
from zs_bench.reports.comparison import compare, headline, outcomes
from zs_bench.reports.html import standalone
from zs_bench.reports.report import as_json, as_latex, as_markdown, as_text
from zs_bench.scoring.compare import by_row_length
from zs_bench.scoring.score_files import read_references, score_files
from zs_metric.scoring import score_texts
from zs_start import cli

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
    (
        'title = "Digest"',
        r'document_of_id = "^doc(\d+)_"',
        r"'\' in a string (at line 8, column 26); write a text that has \ between single quotes, '…'",
    ),
    (
        'title = "Digest"',
        r'document_of_id = "\bdoc(1)"',
        "line 8: tasks.digest.document_of_id has a backspace, which \\b is",
    ),
    ('"f1"', '"f1"\nsteps = ["stem"]', "line 6: tasks.who.steps has 'stem'; it may be lowercase,"),
    ('"f1"', '"f1"\nprompt.instruction = "x"', "tasks.who.prompt has no 'context_header'"),
    (
        '"f1"',
        '"f1"\nprompt.text = "{input}"',
        "line 6: tasks.who.prompt.text has not the places of a prompt; put {context}",
    ),
    ('"f1"', '"f1"\nprompt.text = "{context}{input}{input}"', "tasks.who.prompt.text has not the places of a prompt"),
    (
        '"f1"',
        '"f1"\nprompt.text = "{context}"\nprompt.instruction = "x"',
        "line 7: tasks.who.prompt.instruction stands beside the one text; write it into the text",
    ),
    (
        '"f1"',
        '"f1"\nprompt.text = "{context}"\nprompt.cut = "start"',
        "line 7: tasks.who.prompt.cut is 'start'; it may",
    ),
    (
        '"f1"',
        '"f1"\nprompt.text = "{context}"\nprompt.stop = [""]',
        "tasks.who.prompt.stop has an empty text; leave it",
    ),
    ('title = "Team facts"', "fields.id = 1", "line 2: fields.id is 1; give a text"),
    (
        'title = "Team facts"',
        "fields.length = 'words'",
        "line 2: fields.length is read by nothing here; add [length_",
    ),
    (
        'title = "Team facts"',
        "fields.all_classes = 'labels'",
        'here; give a task the metric "classification", or',
    ),
    ('title = "Team facts"', "length_bins = {a = 2, b = 2}", "length_bins.b is 2; give a number that is greater than"),
    ('title = "Team facts"', "length_bins = {a = '2'}", "length_bins.a is '2'; give a number"),
    ('title = "Team facts"', "length_bins = {a = 2}", "length_bins has no group for the longest rows; write inf"),
    ('title = "Team facts"', "averages.x = 1", "line 2: averages.x is no table; write [averages.x]"),
    ('title = "Team facts"', "averages.x.mean_of = ['x']", "line 2: averages.x.mean_of has 'x'; it may be who, digest"),
    ('title = "Team facts"', "averages.x.mean_of = []", "line 2: averages.x.mean_of is empty; name some of who, dig"),
    ('"rouge"', '"rouge"\n[averages.who]\nmean_of = ["who"]', "line 10: averages.who has the name of a task; take an"),
    ("team_facts", "Team", "line 1: name is 'Team'; take another, of lowercase letters, digits and _"),
    ("team_facts", "scrolls", "line 1: name is 'scrolls'; take another, since average, zero_scrolls, scrolls,"),
    ("[tasks.who]", "[tasks.average]", "line 4: tasks.average cannot name a task; take another"),
    ('name = "team_facts"', "", "line 1: the file has no 'name'; add name"),
    ("[tasks.who]", "[tasks.who", "it is not TOML: "),
    (TEAM[42:], "", "line 1: the file has no 'tasks'; add tasks"),
    ('"Digest"', "[" * 5_000, "it is not TOML: its tables or lists are nested too deeply; nest them less"),
    ('"Digest"', "{a=" * 3_000, "it is not TOML: its tables or lists are nested too deeply; nest them less"),
    ('"Digest"', "1" * 5_000, "it is not TOML: Exceeds the limit"),
    ('"Digest"', f'"{"a" * 2_001}"', "line 8: tasks.digest.title has 2,001 characters; give 2,000 at most"),
    ('title = "D', f'{"a." * 201}title = "D', "line 8: it has more than 200 dots; break its text into several lines"),
    ('title = "Digest"', f"choices = {['a'] * 201}", "digest.choices has 201 entries; give 200 at most"),
    ('title = "Digest"', f"choices = ['{'a' * 2_001}']", "digest.choices has 2,001 characters; give 2,000 at most"),
    ('title = "Digest"', f"document_of_id = '({'a' * 199})'", "document_of_id has 201 characters; give 200 at most"),
    ('title = "Digest"', "document_of_id = '(a{1,99999999999})'", "is no regular expression (the repetition number is"),
    ("[tasks.who]", f"[tasks.{'a' * 101}]", f"line 4: tasks.{'a' * 59}… cannot name a task; take another"),
    ('"rouge"', '"rouge"' + "".join(f"\n[tasks.a{n}]" for n in range(199)), "tasks has 201 entries; give 200 at most"),
    (
        '"rouge"',
        '"rouge"' + "".join(f"\n[averages.a{n}]" for n in range(201)),
        "averages has 201 entries; give 200 at m",
    ),
    (
        '"rouge"',
        '"rouge"' + "".join(f"\n[tasks.a{n}]\nmetric='f1'\ndocument_of_id='({'a' * 198})'" for n in range(21)),
        "tasks has 4,200 characters of document_of_id together; give 4,000 at most",
    ),
]
#: Hostile definitions of about a size.
HOSTILE = {
    "a line of blanks": lambda size: 'name = "x"\nwrong = 1\n' + " " * size,
    "a header of blanks": lambda size: 'name = "x"\nwrong = 1\n[a]\n[' + " " * size + "b" + " " * size + "]",
    "brackets": lambda size: 'name = "x"\n[wrong]\n' + "[a]\n" * (size // 4),
    "a key of many parts": lambda size: "a" + ".a" * (size // 2) + " = 1",
    "many keys of many parts": lambda size: "".join(f"k{n}{'.a' * 199} = 1\n" for n in range(size // 400)),
    "averages": lambda size: TEAM + "".join(f"[averages.a{n}]\nmean_of=['who']\n" for n in range(size // 30)),
    "a number": lambda size: "a = " + "1" * size,
    "a name": lambda size: TEAM.replace("team_facts", "a" * size),
}


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
        name: score_texts(task.metric, [*PREDICTIONS[name].values()], [*REFERENCES[name].values()]).score
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


DOCUMENTS = [r"^doc(\d+)_", r"(\d+)", r"doc(\d+)_q\d+"]


def by_document(tmp_path, expression):
    """The report of twelve answers about six documents, with this `document_of_id`."""
    ids = [f"doc{i // 2}_q{i % 2}" for i in range(12)]
    write(tmp_path / "r.json", {"who": {id_: ["yes"] for id_ in ids}})
    write(tmp_path / "p.json", {"who": {id_: "yes" if i % 4 < 2 else "no" for i, id_ in enumerate(ids)}})
    own = benchmark_of(f"name = 'facts'\n[tasks.who]\nmetric = 'f1'\ndocument_of_id = '{expression}'\n")
    return score_files([tmp_path / "p.json"], [tmp_path / "r.json"], benchmark=own)


@pytest.mark.parametrize("expression", DOCUMENTS)
def test_document_of_id_is_searched_for_in_an_id(expression, tmp_path):
    scored = by_document(tmp_path, expression)
    assert (scored.tasks["who"].interval.clusters, scored.tasks["who"].score) == (6, 50)
    assert "Examples of one document count together: who (6 documents)." in as_text(scored)


@pytest.mark.parametrize(
    ("expression", "count"), [("^story(1)", "12 ids"), ("doc([0-4])", "2 ids"), ("(x?)", "12 ids")]
)
def test_document_of_id_that_finds_nothing_in_an_id_is_an_error_with_the_id(expression, count, tmp_path):
    with pytest.raises(UnusableInput) as raised:
        by_document(tmp_path, expression)
    id_ = "doc5_q0" if count == "2 ids" else "doc0_q0"
    said = f"document_of_id of who finds no document in {count} of 12, such as {id_!r}: {expression} is searched for"
    assert said in str(raised.value)


@pytest.mark.parametrize("name", HOSTILE)
def test_the_time_for_a_hostile_file_grows_with_its_size_and_not_with_the_square(name):
    assert not grows_faster_than_linearly(benchmark_of.__wrapped__, HOSTILE[name], 160_000)


def test_what_a_server_shows_of_a_benchmark_is_made_of_its_tables_without_compiling_an_expression(monkeypatch):
    text = TEAM.replace('"f1"', "\"f1\"\nsteps = ['articles']\ndocument_of_id = '(.+)_.'") + AVERAGES + PROMPT + FIELDS
    own, tables = benchmark_of(text), json.loads(json.dumps(content_of(text)))
    monkeypatch.setattr(re, "compile", None)
    shown = benchmark_of_content(tables)
    for each in fields(Task):
        if each.name not in ("benchmark", "metric"):
            assert [getattr(row, each.name) for row in shown.rows] == [getattr(row, each.name) for row in own.rows]
    assert [row.metric.steps for row in shown.rows] == [row.metric.steps for row in own.rows]
    for name in ("name", "title", "score_key", "averages", "fields", "splits"):
        assert getattr(shown, name) == getattr(own, name)


def test_an_uploaded_definition_names_nothing_that_the_server_would_read(tmp_path):
    path = write(tmp_path / "team.toml", TEAM.replace("[tasks.who]", 'repo = "owner/private"\n[tasks.who]'))
    assert read_benchmark(path).repo == "owner/private"
    said = "team.toml, line 4: repo would be read by the server, with its own rights; leave the line out, and give the"
    with pytest.raises(UnusableInput, match=said):
        read_benchmark(path, uploaded=True)
    assert read_benchmark(write(path, TEAM), uploaded=True) is find_benchmark(path)
    path.write_bytes(TEAM.encode("utf-16"))
    for uploaded, name in ((True, "team.toml"), (False, str(path))):
        with pytest.raises(UnusableInput) as refused:
            read_benchmark(path, uploaded=uploaded)
        assert str(refused.value).startswith(f"{name} cannot be read (it is not UTF-8)")


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
    own = benchmark_of('name = "own"\n[tasks.spacedigest]\nmetric = "f1"\n')
    assert (canonical_task("SpaceDigest", own), canonical_task("SpaceDigest")) == ("spacedigest", "space_digest")
    assert [known_task("spacedigest", each) for each in (own, None)] == ["spacedigest", None]
    assert known_task("space_digest", own) == "space_digest"
    paths = [write(tmp_path / each / "spacedigest.json", {"1": "Ada"}) for each in ("p", "r")]
    assert score_files([paths[0]], [paths[1]], benchmark=own).tasks["spacedigest"].score == 100


def test_steps_of_a_metric_and_texts_of_a_prompt_are_its_own(tmp_path):
    own = benchmark_of(TEAM.replace('"f1"', '"f1"\nsteps = ["whitespace"]') + PROMPT)
    assert score_texts(own.tasks["who"].metric, ["the Ada"], ["Ada"]).score == pytest.approx(200 / 3)
    assert score_texts(own.tasks["who"].metric, ["ada"], ["Ada"]).score == 0
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


CLASSES = """
[fields]
all_classes = "labels"
length = "words"

[length_bins]
short = 100
long = inf

[tasks.kind]
metric = "classification"
"""


def test_the_fields_that_a_metric_and_groups_read_have_the_names_that_the_file_says_and_are_checked(tmp_path):
    own = benchmark_of('name = "own"' + CLASSES)
    rows = [
        {"id": "1", "prediction": "red or blue", "answers": ["red"], "labels": ["red", "blue"], "words": 99},
        {"id": "2", "prediction": "red", "answers": ["red"], "labels": ["red"], "words": 100},
    ]
    data = [
        {"id": row["id"], "input": "?", "output": "red", "labels": row["labels"], "words": row["words"]} for row in rows
    ]
    sources = write(tmp_path / "kind.jsonl", rows), write(tmp_path / "data" / "kind" / "test.jsonl", data).parents[1]
    for source in sources:
        given = {"source": source} if source.is_dir() else {"references": [source]}
        task = score_files([sources[0]], benchmark=own, **given).tasks["kind"]
        assert [answer.result.score for answer in task.answers] == [50, 100], source
        assert by_row_length(task) == {"1": "short", "2": "long"}
    for changes, says in (
        ({"labels": "red"}, "The row's 'labels' is a text, not a list of texts. Give it as"),
        ({"words": "many"}, "The row's 'words' is a text, not a number. Give it as"),
        ({"labels": None}, "The row's 'labels' is null, not a list of texts. Give it as"),
        ({"": 1}, "The row has no 'labels', which the metric of its task reads. Give it as"),
    ):
        for path, of_file in zip(("kind.jsonl", "data/kind/test.jsonl"), (rows, data), strict=True):
            wrong = of_file[1] | changes
            write(tmp_path / path, [of_file[0], {k: v for k, v in wrong.items() if k != "labels" or "" not in wrong}])
        for source in sources:
            given = {"source": source} if source.is_dir() else {"references": [source]}
            refused = score_files([sources[0]], benchmark=own, **given).refused["kind"]
            assert says in refused, (source, refused)
            assert "2" in refused
    choices = benchmark_of('name = "own"' + CLASSES + 'choices = ["red", "blue", "or"]')
    write(sources[0], [{name: value for name, value in rows[0].items() if name != "labels"}])
    scored = score_files([sources[0]], [sources[0]], benchmark=choices)
    assert scored.tasks["kind"].score == pytest.approx(100 / 3), "the task's choices"


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


def test_the_headline_is_the_averages_that_are_named_and_hidden_ones_are_not_shown(tmp_path, zero_scrolls):
    named = TEAM.replace('title = "T', 'headline = ["facts", "both"]\ntitle = "T', 1)
    hidden = AVERAGES.replace('title = "All facts"', 'title = "All facts"\nshort_title = "Facts"')
    team = write(tmp_path / "team.toml", named + hidden.replace("[averages.twice]", "[averages.twice]\nhidden = true"))
    ids = [str(number) for number in range(12)]
    known = {task: dict.fromkeys(ids, "it rained all day") for task in ("who", "where", "digest")}
    answers = {task: {id_: "it rained all day"[: 4 + int(id_)] for id_ in ids} for task in known}
    worse = {task: {id_: text[:4] for id_, text in by_id.items()} for task, by_id in answers.items()}
    scored = score_files(answers, known, benchmark=team)
    (facts, both), report = (scored.averages[name][1] for name in ("facts", "both")), as_json(scored)
    assert validated(json.loads(json.dumps(report)))["headline"] == ["facts", "both"]
    assert report["score"] is None, "there are two"
    text, (facts_title, both_title) = (
        as_text(scored),
        (f"{n}: {s:.4f} [" for n, s in (("All facts", facts), ("both", both))),
    )
    assert facts_title in text
    assert both_title in text
    assert not any(word in text for word in ("twice", "Team facts score", "average of")), text
    assert [title for *_, title in standalone.figures(scored)] == ["All facts", "both"]
    latex = as_latex(scored, "a")
    assert " & Facts & digest & both" in latex or " & Facts & both" in latex, latex
    assert "Avg" not in latex
    assert "**average**" not in as_markdown(scored, "a")
    match = compare({"a": scored, "b": score_files(worse, known, benchmark=team)}, {"average": 5.0}).comparisons[0]
    *_, first, second = outcomes(match)
    assert [first[0], second[0]] == ["All facts", "both"]
    assert first[2].comparison.difference == pytest.approx(match.headline["All facts"].scores[1] - facts)
    assert headline(match).startswith("All facts: b is worse than a")
    assert " both: b is worse than a" in headline(match)
    assert not match.holds("average")
    same = compare({"a": scored, "b": score_files(answers, known, benchmark=team)}, {"average": 5.0}).comparisons[0]
    assert same.holds("average")
    single = score_files(
        answers, known, benchmark=write(tmp_path / "one.toml", named.replace('"facts", ', "") + AVERAGES)
    )
    assert single.result.score == pytest.approx(both)
    wrong = write(tmp_path / "wrong.toml", TEAM.replace('title = "T', 'headline = ["fact"]\ntitle = "T', 1) + AVERAGES)
    with pytest.raises(UnusableInput, match=r"line 2: headline has 'fact'; did you mean 'facts'\?"):
        find_benchmark(wrong)


def test_ones_own_cannot_have_the_name_of_any_benchmark_of_the_package(tmp_path):
    for name in BENCHMARKS:
        with pytest.raises(UnusableInput, match="take another"):
            find_benchmark(write(tmp_path / "own.toml", TEAM.replace("team_facts", name)))


def test_verify_of_ones_own_speaks_of_no_paper_and_of_no_submission(team, tmp_path, zero_scrolls):
    done = zero_scrolls("verify", tmp_path / "preds.json", "--references", tmp_path / "refs.json", "--benchmark", team)
    said = "Complete for the 2 tasks of the references. .* --fix OUT.csv writes one file of all answers."
    assert re.fullmatch(said, done.out.splitlines()[-1])
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
    ("board init --board b.sqlite --references refs.json --exact", 0, "Team facts board: 2 tasks"),
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
    lines = [line.partition("    #")[0] for line in blocks[3].splitlines()]
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


def test_a_prompt_may_be_one_text_with_its_cut_and_stop():
    text = TEAM + '[tasks.who.prompt]\ntext = "{context} | {input}:"\ncut = "middle"\nstop = ["\\n"]\nchat = false\n'
    task = benchmark_of(text).tasks["who"]
    assert (task.prompt, task.cut, task.stop, task.chat) == ("{context} | {input}:", "middle", ("\n",), False)
    source = InputFile.in_memory("who.jsonl", b'{"id": "1", "context": "Ada.", "input": "Who?", "references": ["Ada"]}')
    (example,), _ = read_examples(source, task)
    assert (example.input, example.document, example.query) == ("Ada. | Who?:", "Ada.", "Who?")
    task = benchmark_of(TEAM + '[tasks.who.prompt]\ntext = "Say: {context}"\n').tasks["who"]
    source = InputFile.in_memory("who.jsonl", b'{"id": "1", "context": "Ada.", "references": ["Ada"]}')
    (example,), _ = read_examples(source, task)
    assert (example.input, example.document, example.query) == ("Say: Ada.", "Ada.", "")


def test_quiet_prints_the_averages_of_the_headline_and_a_threshold_may_be_of_one(team, tmp_path, capsys):
    averages = '[averages.a]\nmean_of = ["who"]\n[averages.b]\nmean_of = ["who", "digest"]\n'
    own = write(tmp_path / "own.toml", 'headline = ["a", "b"]\n' + TEAM + averages)
    answers, truth = (write(tmp_path / name, rows) for name, rows in (("p.json", PREDICTIONS), ("r.json", REFERENCES)))
    command = ["score", str(answers), "--references", str(truth), "--benchmark", str(own), "--quiet"]
    assert cli.main([*command, "--fail-under", "a=50", "--fail-under", "b=99"]) == 1
    done = capsys.readouterr()
    assert [line.split()[0] for line in done.out.splitlines()] == ["a", "b"]
    assert "PASS: a 83.3333 is at least 50" in done.err
    assert "FAIL: b" in done.err
