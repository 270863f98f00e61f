"""`zero-scrolls tasks lm-eval`: the files it writes, and the functions that they name; test_harnesses.py runs them."""

import json
import math
import runpy

import pytest
import yaml
from scored_cases import sample_answers
from written_files import write

from zs_bench.benchmarks import BENCHMARKS, find_task
from zs_bench.dataset.rows import load_embedded, sample_predictions
from zs_bench.errors import PromptFormatError, UnknownName, Unscorable
from zs_bench.prompts import Settings
from zs_bench.scoring.score_files import score_files
from zs_lab.harnesses import lm_eval, load_questions
from zs_start.cli import main

#: What the tasks' names begin with where it is not the benchmark's name, which the harness has for tasks of its own.
PREFIXES = {"scrolls": "zs_scrolls"}


class Functions(yaml.SafeLoader):
    """Reads the tag of the harness as the function's name."""


Functions.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


def written(folder, *options):
    """What the command writes with these options, by the file's name without its suffix."""
    assert main(["tasks", "lm-eval", str(folder), *options]) == 0
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")}
    return {name: yaml.load(text, Loader=Functions) for name, text in texts.items()}


def rows(config):
    """The documents of a task, as the harness loads them: with its own settings among the arguments."""
    loaded = lm_eval.load(revision="of the model", **config["dataset_kwargs"], **config["metadata"])
    return list(loaded[config["test_split"]])


@pytest.mark.parametrize("benchmark", [row for row in BENCHMARKS.values() if row.file("examples")], ids=str)
def test_every_task_has_the_scores_of_the_command_and_the_group_is_their_mean(benchmark, tmp_path):
    configs = written(tmp_path, "--source", "embedded", "--benchmark", benchmark.name)
    prefix, answers = PREFIXES.get(benchmark.name, benchmark.name), sample_answers(benchmark.name)
    group = configs.pop(prefix)
    assert group["task"] == [f"{prefix}_{task}" for task in benchmark.tasks]
    assert set(configs) == set(group["task"])
    assert group["aggregate_metric_list"] == [{"metric": "score", "aggregation": "mean", "weight_by_size": False}]
    scored = score_files([sample_predictions(benchmark.name)], source="embedded", benchmark=benchmark)
    for name, task in benchmark.tasks.items():
        config = configs[f"{prefix}_{name}"]
        if not (task.template or task.prompt or benchmark.query_first):  # one of a benchmark that is added
            with pytest.raises(PromptFormatError, match=f"^{name} has no prompt template"):
                rows(config)
            continue
        docs = rows(config)
        examples = load_embedded(name, benchmark=benchmark.name)
        assert [doc[config["doc_to_text"]] for doc in docs] == [example.input for example in examples]
        records = [lm_eval.process_results(doc, [answers[name, doc["id"]]]) for doc in docs]
        assert json.loads(json.dumps(records)) == records
        assert [metric["metric"] for metric in config["metric_list"]] == list(records[0])
        assert lm_eval.score([record["score"] for record in records]) == scored.tasks[name].score
        assert math.isnan(lm_eval.score_low([record["score_low"] for record in records]))


def test_a_task_names_functions_of_its_module_and_only_the_papers_number_of_tokens_limits_an_answer(tmp_path):
    configs = written(tmp_path, "--source", "embedded")
    config = configs["zero_scrolls_qasper"]
    limits = {"until": [], "max_gen_toks": 128, "do_sample": False, "temperature": 0.0}
    assert config["generation_kwargs"] == limits
    assert configs["zero_scrolls_gov_report"]["generation_kwargs"] == limits | {"max_gen_toks": 1024}
    module = runpy.run_path(str(tmp_path / "zero_scrolls_tasks.py"))
    aggregations = (metric["aggregation"] for metric in config["metric_list"])
    for name in (config["custom_dataset"], config["process_results"], *aggregations):
        file, _, function = name.rpartition(".")
        assert file == "zero_scrolls_tasks"
        assert module[function] is getattr(lm_eval, function)


def quality(folder, split="validation"):
    """A folder with twenty questions about five stories."""
    text = "Read.\n\nStory:\nIt rains in {}.\n\nQuestion and Possible Answers:\nWhy {}?\n(A) a\n(B) b\n\nAnswer:\n"
    examples = []
    for i in range(20):
        row = {"id": f"{50000 + i % 5}_AAAAAAAA_{i}", "pid": f"{i}_0", "input": text.format(i % 5, i)}
        examples.append({**row, "output": None if split == "test" else "ABCD"[i % 4]})
    write(folder / "quality" / f"{split}.jsonl", examples)
    return folder


def test_the_interval_is_that_of_the_command(tmp_path, monkeypatch):
    data = quality(tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    config = written(tmp_path / "tasks", "--source", "data")["zero_scrolls_quality"]
    monkeypatch.chdir("/")  # the harness may be started anywhere
    docs = rows(config)
    answers = {doc["id"]: "A" for doc in docs}
    records = [lm_eval.process_results(doc, [answers[doc["id"]]])["score"] for doc in docs]
    scored = score_files([write(tmp_path / "quality.json", answers)], source=data).tasks["quality"]
    assert scored.interval.clusters == 5
    assert lm_eval.score(records) == scored.score == 25
    assert (lm_eval.score_low(records), lm_eval.score_high(records)) == (scored.interval.low, scored.interval.high)


def test_documents_are_trimmed_to_the_budget(tmp_path):
    config = written(tmp_path, "--source", "embedded", "--budget", "600", "--variant", "chat")["zero_scrolls_qasper"]
    for doc, example in zip(rows(config), load_embedded("qasper"), strict=True):
        assert len(doc["prompt"].split()) < 600 < len(example.input.split())
        assert doc["prompt"].endswith(example.query)


def test_what_cannot_be_a_task_is_refused(tmp_path, capsys):
    config = written(tmp_path / "tasks", "--source", str(quality(tmp_path / "data", "test")), "--split", "test")
    with pytest.raises(Unscorable, match="reference"):
        rows(config["zero_scrolls_quality"])
    with pytest.raises(UnknownName, match="the variants are canonical, chat, closed-book"):
        load_questions(Settings("", source="embedded", variant="claude"), find_task("qasper"))
    for folder, source, said in (
        (tmp_path / "new", tmp_path / "none", "there is no file or folder"),
        (write(tmp_path / "file", "x"), "embedded", "is a file; give the name of a folder"),
    ):
        assert main(["tasks", "lm-eval", str(folder), "--source", str(source)]) == 2
        assert said in capsys.readouterr().err
