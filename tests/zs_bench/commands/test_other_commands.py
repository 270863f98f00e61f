"""`zero-scrolls explain`, `prompt`, `data`, `baseline`, `study` and `variants`."""

import csv
import io
import json
import shutil
from operator import itemgetter
from pathlib import Path

import pytest
from benchmark_zips import as_test, rows_of, without_references, zipped
from run_folders import run_of
from written_files import score, write, write_folder

from zs_bench.baselines import human_score
from zs_bench.benchmarks import find_task
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS, load_embedded
from zs_bench.dataset.sources import load_examples
from zs_bench.prompts import PRESETS, Budget, Settings, make_prompt, trim
from zs_bench.reports.explain_text import render
from zs_bench.reports.validation import variants_as_text
from zs_bench.variants import rescored_file
from zs_metric.explain import explain


def test_explain_takes_texts_files_and_standard_input_and_prints_words_or_json(tmp_path, monkeypatch, zero_scrolls):
    reference = write(tmp_path / "reference.txt", "\ufeffin the old clock\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("in the clock\n"))
    done = zero_scrolls("explain", "narrative_qa", "--prediction", "@-", "--reference", f"@{reference}", "--json")
    assert json.loads(done.out) == explain(find_task("narrative_qa"), "in the clock", "in the old clock").as_dict()
    done = zero_scrolls("explain", "space_digest", "--prediction", "40", "--reference", "40%", "--reference", "20%")
    assert done.out == render(explain(find_task("space_digest"), "40", ["40%", "20%"]))
    texts = {"@@home": "@home", "--no, never": "--no, never", "a\x1b[2J\x07b\u202e": "a\\x1b[2J\\x07b\\u202e"}
    for text, shown in texts.items():
        out = zero_scrolls("explain", "qasper", "--prediction", text, "--reference", "home").out
        assert f"Answer: {shown}\n" in out
        assert all(line.isprintable() for line in out.splitlines())


def test_explain_finds_the_answer_in_files_by_its_id(tmp_path, zero_scrolls):
    answers = {"qasper": {"7f": "<think>no</think>yes", "8a": "a cat"}, "musique": {"8a": "a dog"}}
    files = ["--predictions", write(tmp_path / "all.json", answers)]
    files += ["--references", write(tmp_path / "references.json", {"qasper": {"7f": "yes", "8a": "a cat", "9c": "x"}})]
    assert zero_scrolls("explain", *files, "--id", "7f").out == render(
        explain(find_task("qasper"), "<think>no</think>yes", "yes")
    )
    done = zero_scrolls("explain", "qasper", *files, "--id", "7f", "--post", "drop-think", "--json")
    assert json.loads(done.out) == explain(find_task("qasper"), "yes", "yes").as_dict()
    for id_, why in (("7F", "no answer with the id '7F' was scored; did you mean '7f'?"), ("9c", "'9c' was scored")):
        absent = zero_scrolls("explain", *files, "--id", id_)
        assert (absent.status, why in absent.err) == (1, True)
    files[-1] = write(tmp_path / "both.json", {"qasper": {"8a": "a cat"}, "musique": {"8a": "a cat"}})
    assert "give one: qasper, musique" in zero_scrolls("explain", *files, "--id", "8a").err
    assert zero_scrolls("explain", "musique", *files, "--id", "8a").out.startswith("musique: 0.00")


def test_prompt_writes_a_row_for_every_id_of_the_split(zero_scrolls):
    done = zero_scrolls("prompt", "quality")
    examples = load_embedded("quality")
    prompts = [{"prompt": row.input, "messages": [{"role": "user", "content": row.input}]} for row in examples]
    written = [json.loads(line) for line in done.out.split("\n") if line]
    assert written == [{"id": row.id, "task": "quality"} | rest for row, rest in zip(examples, prompts, strict=True)]
    assert done.err == "quality, validation, embedded examples: 2 prompts\n"


def test_prompts_of_longbench_are_made_of_context_and_input_and_say_what_is_asked_without_a_chat(zero_scrolls):
    fields = {"answers": ["HUM"], "all_classes": ["HUM"], "length": 3}
    write(Path("data/trec.jsonl"), [{"_id": "a", "context": "Q: one two", "input": "Q: who?", **fields}])
    options = ("trec", "--benchmark", "longbench", "--source", "data")
    done = zero_scrolls("prompt", *options)
    text = (
        "Please determine the type of the question below. Here are some examples of questions.\n\nQ: one two\nQ: who?"
    )
    assert json.loads(done.out)["prompt"] == text
    plain = "LongBench asks trec without a chat template; send the text in 'prompt' as it is.\n"
    assert done.err == f"trec, test, your folder data: 1 prompt\n{plain}"
    trimmed = json.loads(zero_scrolls("prompt", *options, "--budget", "70").out)  # 64 for the answer
    assert (trimmed["prompt"], trimmed["tokens"]) == ("Please determine the two\nQ: who?", 6)
    preset = zero_scrolls("prompt", *options, "--preset", "claude")
    assert "a setting of the ZeroSCROLLS paper, LongBench has none" in preset.err
    write(Path("data/trec.jsonl"), [{"_id": "a", "context": ["Q"], "input": "Q: who?", **fields}])
    assert "The context is a list, not a text" in zero_scrolls("prompt", *options).err
    write(Path("data/trec.jsonl"), [{"_id": "a", "context": "Q", **fields}])
    assert "The row has no 'input'" in zero_scrolls("prompt", *options).err


def test_prompt_trims_to_a_budget_and_says_what_was_kept(zero_scrolls):
    for options, variant, budget in (
        ("--variant chat --budget 1000 --answer-budget 20", "chat", Budget(1000, 20)),
        ("--budget 1000", "canonical", Budget(1000, 36)),
        ("--preset gpt-4", "chat", Budget(8192, 36)),
        ("--preset open-models --variant claude --budget 900", "claude", Budget(900, 0)),
        ("--preset claude --answer-budget 0", "claude", Budget(8000, 0)),
    ):
        done = zero_scrolls("prompt", "space_digest", *options.split())
        trimmed = [trim(make_prompt(example, variant), budget) for example in load_embedded("space_digest")]
        fields = itemgetter("prompt", "messages", "tokens", "kept")
        assert [fields(json.loads(line)) for line in done.out.splitlines()] == [
            (row.prompt.text, row.prompt.messages, row.tokens, row.kept) for row in trimmed
        ]
        share = 50 * sum(row.kept for row in trimmed)
        cut = f"2 cut, to {share:.1f} % of the document on average (words)" if trimmed[0].cut else "none had to be cut"
        assert f": 2 prompts; {cut}\n" in done.err
        preset = PRESETS.get(options.removeprefix("--preset ").partition(" ")[0])
        assert (f"counted in words; {preset and preset.title} uses " in done.err) == (preset is not None)


def test_data_reports_every_finding_as_json(hub, zero_scrolls):
    rows = rows_of("quality")
    files = {"quality.zip": zipped("quality", validation=rows, test=without_references(as_test(rows)))}
    commit = hub.repo("datasets", "tau/zero_scrolls").commit(files)
    report = json.loads(zero_scrolls("data", "quality", "--split", "test", "--json", "-").out)
    (split,) = report["splits"]
    facts = {"task": "quality", "split": "test", "revision": commit, "scorable": False, "rows": 2, "ids": 2}
    facts |= {"labelled": 0, "unlabelled": 2, "indexed": 2}
    assert (report["schema"], split) == ("zero-scrolls-data/1", split | facts)
    assert [finding["kind"] for finding in split["findings"]] == ["no-references", "not-all"]


def test_data_stores_a_source_of_the_same_rows_and_ids_to_check_against(tmp_path, zero_scrolls):
    folder, ids = tmp_path / "mine", tmp_path / "ids.json"
    assert zero_scrolls("data", "--source", "embedded", "--to", folder, "--ids", ids).status == 0
    assert [path.name for path in (folder / "squality").iterdir()] == ["validation.jsonl"]
    assert load_examples(folder, "squality").examples == load_embedded("squality")
    checked = zero_scrolls("verify", SAMPLE_PREDICTIONS, "--ids", ids).out
    assert "IDs: embedded examples, written for this package" in checked
    assert "Wrong" not in checked


def test_data_that_cannot_be_fetched_is_exit_status_1_and_the_rest_is_there(hub, zero_scrolls):
    hub.repo("datasets", "tau/zero_scrolls").commit({"qasper.zip": zipped("qasper")[:-50]}, gone=["musique.zip"])
    done = zero_scrolls("data", "--split", "validation")
    assert done.status == 1
    assert len([line for line in done.out.split("\n\n")[0].splitlines() if " validation " in line]) == 8
    assert "zero-scrolls: qasper: the Hub's file is damaged" in done.err
    assert "zero-scrolls: musique: tau/zero_scrolls at " in done.err


def test_of_several_tasks_data_and_baseline_take_those_that_the_source_has(tmp_path, zero_scrolls):
    shutil.copytree(EMBEDDED / "musique", tmp_path / "data" / "musique")
    source = ["--source", tmp_path / "data"]
    assert zero_scrolls("data", *source).status == 0
    named = zero_scrolls("data", "musique", "qasper", *source)
    assert (named.status, "qasper: " in named.err) == (1, True)
    done = zero_scrolls("baseline", "all", *source, "--out", tmp_path / "naive.csv")
    assert done.out.startswith("2 naive answers for 1 task (")
    assert done.err.startswith(f"Not in {tmp_path / 'data'}: gov_report, summ_screen_fd,")
    shutil.rmtree(tmp_path / "data" / "musique")
    assert zero_scrolls("baseline", "all", *source, "--out", "-").status == 2


@pytest.mark.filterwarnings("ignore")
def test_data_stores_parquet_that_datasets_reads(tmp_path, zero_scrolls):
    import datasets

    folder, tasks = tmp_path / "parquet", ("squality", "musique")
    for task in tasks:
        assert zero_scrolls("data", task, "--source", "embedded", "--parquet", folder).status == 0
    for task in tasks:
        read = datasets.load_dataset(str(folder), task, cache_dir=str(tmp_path / "cache"))["validation"]
        fields = itemgetter("id", "input", "references", "query_end_index", "inner_docs_start_indices")
        assert list(map(fields, read)) == [
            (row.id, row.input, row.references, row.indices.query_end_index, row.inner_docs_start_indices)
            for row in load_embedded(task)
        ]


def test_baseline_writes_a_file_that_score_takes(tmp_path, zero_scrolls):
    out = tmp_path / "naive.csv"
    assert zero_scrolls("baseline", "all", "--out", out).out == (
        f"20 naive answers for 10 tasks (embedded examples, validation) written to {out}, seed 0.\n"
        "The paper's naive baseline on the test split: gov_report 22.6, summ_screen_fd 6.7, qmsum 6.7, squality 10.5, "
        "qasper 6.1, narrative_qa 2.1, quality 26.6, musique 20.0, space_digest 45.0, book_sum_sort 50.0.\n"
    )
    report = json.loads(zero_scrolls("score", out, "--references", EMBEDDED, "--format", "json").out)
    assert (list(report["tasks"]), report["missing_tasks"], report["refused_tasks"]) == (list(TASKS), [], [])


def test_baseline_prints_the_human_scores_beside_the_papers(tmp_path, zero_scrolls):
    out = zero_scrolls("baseline", "all", "--human").out
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line}
    score = human_score(TASKS["squality"], [example.references for example in load_embedded("squality")]).score
    assert rows["squality"] == [f"{score:.4f}", "23.6", "2", "of", "2"]
    assert rows["gov_report"] == ["-", "-", "0", "of", "2"]
    write(tmp_path / "squality" / "test.jsonl", without_references(rows_of("squality")))
    command = ["baseline", "squality", "--source", tmp_path, "--split", "test"]
    human, naive = zero_scrolls(*command, "--human"), zero_scrolls(*command, "--out", "-")
    assert ("0 of 2" in human.out, "squality" in human.err) == (True, True)
    assert (len(naive.out.splitlines()), "references" in naive.err) == (3, False)


def test_baseline_learns_from_a_training_split_in_scrolls(tmp_path, zero_scrolls):
    rows = [{"id": f"{k}", "pid": f"{k}", "input": "x" * 100, "output": "y" * 10} for k in range(3)]
    data = write_folder(tmp_path / "data", {f"gov_report/{split}.jsonl": rows for split in ("train", "validation")})
    done = zero_scrolls("baseline", "gov_report", "--benchmark", "scrolls", "--source", data, "--out", "-")
    assert list(csv.reader(done.out.splitlines()))[1:] == [["gov_report", str(k), "x" * 10] for k in range(3)]


@pytest.fixture
def runs(tmp_path):
    """Two runs whose names hold their input lengths, the longer one first."""
    return [write(tmp_path / f"model-{size}.csv", SAMPLE_PREDICTIONS.read_bytes()) for size in ("8k", "4096")]


def test_study_orders_runs_by_the_input_lengths_in_their_names_or_by_those_of_the_options(runs, tmp_path, zero_scrolls):
    out = tmp_path / "study.json"
    head, *rows = zero_scrolls("study", *runs, "--references", EMBEDDED, "--json", out).out.splitlines()
    data = json.loads(out.read_text(encoding="utf-8"))
    assert [(run["tokens"], run["series"]) for run in data["runs"]] == [(4096, "model"), (8192, "model")]
    assert head.split() == ["task", "n", "model-4096", "model-8k"]
    assert next(row for row in rows if row.startswith("quality")).split() == ["quality", "2", "50.00", "50.00"]
    lengths = ["--tokens", "1000", "--tokens", "2000"]
    done = zero_scrolls("study", *runs, "--references", EMBEDDED, "--format", "csv", *lengths)
    tokens = {row["run"]: row["tokens"] for row in csv.DictReader(io.StringIO(done.out))}
    assert tokens == {"model-8k": "1000", "model-4096": "2000"}


def test_study_takes_the_budget_of_a_run_as_its_length_and_its_model_as_its_line(tmp_path, zero_scrolls):
    settings = [Settings("m"), Settings("m", variant="closed-book"), Settings("m", budget=4000)]
    folders = [run_of(tmp_path / f"{place}", each, {"quality": {"1": "A"}}) for place, each in enumerate(settings)]
    options = ["--references", write(tmp_path / "quality.json", {"1": ["A"]}), "--format", "json"]
    data = json.loads(zero_scrolls("study", *folders, *options).out)["runs"]
    assert [(run["tokens"], run["series"]) for run in data] == [(4000, "m"), (None, "m"), (None, "m, closed-book")]
    assert json.loads(zero_scrolls("study", folders[2], *options, "--tokens", "9").out)["runs"][0]["tokens"] == 9


@pytest.mark.parametrize(("more", "charts"), [([], 11), (["--by", "position"], 10), (["--by", "length"], 10)])
def test_study_writes_a_report_with_a_chart_for_each_task(more, charts, runs, zero_scrolls):
    done = zero_scrolls("study", *runs, "--source", "embedded", "--html", "-", *more)
    assert (done.status, done.out.count("<figure"), "GovReport" in done.out) == (0, charts, True)


@pytest.mark.parametrize(
    ("by", "content", "groups"),
    [
        ("hops", None, {("musique", "2 hops"): 4, ("musique", "3 hops"): 2}),
        ("answers", None, {("qasper", "yes or no"): 3, ("qasper", "unanswerable"): 1, ("qasper", "other"): 2}),
        ("own.csv", "id,group\nq0,b\nq1,a\nq5,b\n", {("qasper", "b"): 2, ("qasper", "a"): 1}),
        ("own.jsonl", [{"task": "musique", "id": f"{h}hop__{n}", "group": "x"} for h, n in ("30", "21", "99")],
         {("musique", "x"): 2}),
        ("own.json", {"q2": "x"}, {("qasper", "x"): 1}),
    ],
)  # fmt: skip
def test_study_scores_groups_of_ones_own_and_those_that_ids_and_references_tell(
    tmp_path, zero_scrolls, by, content, groups
):
    texts = ["yes", "no", "unanswerable", "a cat", "a dog", "yes"]
    references = {"qasper": {f"q{n}": [text] for n, text in enumerate(texts)}}
    references["musique"] = {f"{3 - bool(n % 3)}hop__{n}": ["a"] for n in range(6)}
    files = [write(tmp_path / "answers.json", {task: dict.fromkeys(rows, "yes") for task, rows in references.items()})]
    files += ["--references", write(tmp_path / "references.json", references), "--format", "csv"]
    by = by if content is None else write(tmp_path / by, content)
    done = zero_scrolls("study", *files, "--by", by)
    rows = csv.DictReader(io.StringIO(done.out))
    assert {(row["task"], row["group"]): int(row["examples"]) for row in rows} == groups


IDS = [f"s{n // 4}_{n}" for n in range(48)]


@pytest.fixture
def letters(tmp_path):
    """The options of answers to QuALITY, every second of which is right."""
    references = write(tmp_path / "references" / "quality.json", {id_: ["AB"[n % 2]] for n, id_ in enumerate(IDS)})
    return [write(tmp_path / "quality.json", dict.fromkeys(IDS, "A")), "--references", references]


def test_groups_have_intervals_and_what_is_no_grouping_is_refused(tmp_path, letters, zero_scrolls):
    table = "id,group\n" + "".join(f"{id_},{'ab'[n // 24]}\n" for n, id_ in enumerate(IDS))
    done = zero_scrolls("study", *letters, "--by", write(tmp_path / "own.csv", table), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [float(row["low"]) < float(row["score"]) < float(row["high"]) for row in rows] == [True, True]
    for by, why in (
        ("nowhere.csv", "is neither a file nor one of length, position, hops, answers"),
        ("hops", "no scored example is in a group"),
        (write(tmp_path / "x.csv", "id,kind\n1,a\n"), "give a table with the columns id and group"),
    ):
        assert why in zero_scrolls("study", *letters, "--by", by).err


def test_documents_are_those_of_the_file_or_none(tmp_path, letters, zero_scrolls):
    table = "id,document\n" + "".join(f"{id_},d{n % 24}\n" for n, id_ in enumerate(IDS))
    given = write(tmp_path / "documents.csv", table)
    some = write(tmp_path / "some.csv", f"id,document\n{IDS[0]},d\n")
    for documents, said in (
        (given, "of one document count together: quality (24 documents)"),
        ("none", "treated as independent, since documents are left out, as asked: all tasks"),
        (some, f"in the given file: {IDS[1]}"),
        (some, "treated as independent, since it is unknown which share a document: all tasks"),
    ):
        assert said in zero_scrolls("score", *letters, "--documents", documents).out


def test_private_references_and_the_inputs_of_a_source_go_together(tmp_path, zero_scrolls):
    text = "You are given a text. Answer the question.\n\nArticle:\nIt rains {}.\n\nQuestion:\n{}?\n\nAnswer:\n"
    rows = [{"id": str(n), "input": text.format(n % 5, n), "output": None} for n in range(15)]
    data = write(tmp_path / "priv" / "qasper" / "test.jsonl", rows).parents[1]
    answers, references = (write(tmp_path / name / "qasper.json", {row["id"]: "yes" for row in rows}) for name in "ab")
    both, documents = (["--references", references, "--source", data], "Examples of one document count together")
    scored = zero_scrolls("score", answers, *both)
    assert (scored.status, f"{documents}: qasper (5 documents)" in scored.out) == (0, True)
    assert zero_scrolls("study", answers, *both, "--by", "length").status == 0
    assert zero_scrolls("compare", answers, references, *both).status == 0
    alone = zero_scrolls("score", answers, "--source", data)
    assert (alone.status, "give the files that hold them as the references" in alone.out) == (1, True)
    prompts = zero_scrolls("prompt", "qasper", "--source", data)
    assert (prompts.status, "no references" in prompts.err) == (0, False)


def test_variants_prints_and_writes_what_python_computes_and_reports_a_refused_task(tmp_path, zero_scrolls):
    references = {"space_digest": {"1": "40%", "2": "9%"}, "qasper": {"1": ["no", "yes"], "2": "a cat"}}
    answers = {"space_digest": {"1": "40", "2": "9%"}, "qasper": {"1": "yes", "2": "cat cat"}}
    data = rescored_file(score(tmp_path, {"a.json": answers}, references), {"qasper": "100.0", "space_digest": "50.0"})
    command = ["variants", tmp_path / "answers", "--references", tmp_path / "references.json"]
    done = zero_scrolls(*command, "--reported", "qasper=100.0", "space_digest=50.0", "--json", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == data
    assert (done.status, done.out) == (0, variants_as_text(data) + "\n")
    of_tasks = [write(tmp_path / f"{name}.json", {name: texts}) for name, texts in references.items()]
    twice = [*command[:2], "--references", of_tasks[0], "--references", of_tasks[1], "--reported", "qasper=100.0"]
    assert zero_scrolls(*twice, "--reported", "space_digest=50.0").out == done.out, (
        "an option given twice adds to itself"
    )
    write(tmp_path / "answers" / "a.json", {**answers, "quality": {"1": "A"}})
    done = zero_scrolls(*command)
    assert (done.status, "space_digest +50.0000" in done.out) == (1, True)
    assert "quality: No references for this task" in done.err
    write(tmp_path / "answers" / "a.json", {"quality": {"1": "A"}})
    assert zero_scrolls(*command).status == 1
