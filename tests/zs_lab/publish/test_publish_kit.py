"""The kit: read by `datasets`, with the rows of licensed tasks only."""

import datasets
import pytest
import yaml

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.dataset.rows import load_embedded
from zs_start.cli import main


def kit(folder, benchmark, tasks, *options):
    """Write a kit from the embedded examples, with a licence for these tasks."""
    licences = [word for task in tasks for word in ("--licence", f"{task}=cc-by-4.0")]
    command = ["publish-kit", str(folder), "--source", "embedded", "--benchmark", benchmark.name]
    return main([*command, *licences, *options])


def front_matter(folder):
    return dict(yaml.safe_load((folder / "README.md").read_text(encoding="utf-8").split("---\n")[1]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("benchmark", [row for row in BENCHMARKS.values() if row.file("examples")], ids=str)
def test_datasets_loads_every_task_of_the_kit(benchmark, tmp_path):
    folder, cache = tmp_path / "kit", str(tmp_path / "cache")
    assert kit(folder, benchmark, list(benchmark.tasks)) == 0
    total = 0
    for name, task in benchmark.tasks.items():
        read = datasets.load_dataset(str(folder), name, split="validation", cache_dir=cache)
        examples = load_embedded(task)
        assert [(row["id"], row["input"], row["references"]) for row in read] == [
            (example.id, example.input, example.references) for example in examples
        ]
        total += len(examples)
    assert len(datasets.load_dataset(str(folder), "all", split="validation", cache_dir=cache)) == total
    told = yaml.safe_load((folder / "eval.yaml").read_text(encoding="utf-8"))
    assert [task["id"] for task in told["tasks"]] == [*benchmark.tasks, "average"]
    configurations = {config["config_name"] for config in front_matter(folder)["configs"]}
    assert {task["config"] for task in told["tasks"]} == configurations
    assert front_matter(folder)["license"] == "cc-by-4.0"


def test_a_task_without_a_licence_has_no_rows_but_the_command_that_makes_them(tmp_path, capsys):
    assert kit(tmp_path, BENCHMARKS["zero_scrolls"], ["qasper"]) == 0
    assert [path.parent.name for path in tmp_path.glob("*/*")] == ["qasper"]
    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    (line,) = (line for line in card.splitlines() if line.startswith("zero-scrolls data "))
    assert "squality" in line
    assert "qasper" not in line
    assert "| gov_report | GovReport | check | not here |" in card
    told = yaml.safe_load((tmp_path / "eval.yaml").read_text(encoding="utf-8"))
    assert told["tasks"] == [{"id": "qasper", "config": "qasper", "split": "validation"}]
    assert "no licence is named: gov_report, " in capsys.readouterr().out


def test_what_cannot_be_published_is_refused(tmp_path, capsys):
    benchmark = BENCHMARKS["zero_scrolls"]
    assert kit(tmp_path / "a", benchmark, ["qasper", "quality"], "--split", "test") == 1
    said = capsys.readouterr().out
    assert ("has no split 'test'" in said, "Upload it" in said) == (True, False)
    assert kit(tmp_path / "a", benchmark, ["qasper"]) == 0  # the same folder
    assert kit(tmp_path / "e", benchmark, []) == 2
    assert "no rows to publish" in capsys.readouterr().err
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mine.txt").touch()
    assert kit(tmp_path / "b", benchmark, ["qasper"]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert kit(tmp_path / "c", benchmark, ["qaspr"]) == 2
    assert "did you mean 'qasper'" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["publish-kit", str(tmp_path / "d"), "--licence", "qasper"])
    assert "names no licence" in capsys.readouterr().err
