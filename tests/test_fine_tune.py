"""The recipe for fine-tuning on SCROLLS, with models of one layer; `make local` installs what it needs."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from local_models import make_encoder_decoder, needs
from written_files import write

from zs_bench.dataset.rows import load_embedded

ROOT = Path(__file__).parents[1]


def rows(count: int) -> str:
    """Questions of QASPER that are answered by their first word."""
    answers = ["yes" if i % 2 else "no" for i in range(count)]
    data = [
        {"id": f"q{i}", "pid": f"q{i}_0", "input": f"{word} or what?\n\nDocument {i}. {'word ' * 30}", "output": word}
        for i, word in enumerate(answers)
    ]
    return "".join(json.dumps(row) + "\n" for row in data)


@needs("torch", "transformers", "accelerate")
@pytest.mark.parametrize("kind", ["Bart", "LED"])
def test_a_model_learns_from_the_train_split_and_its_answers_to_the_validation_split_are_scored(
    tmp_path: Path, kind: str
) -> None:
    write(tmp_path / "data/qasper/train.jsonl", rows(64))
    write(tmp_path / "data/qasper/validation.jsonl", rows(9))
    model, out = make_encoder_decoder(tmp_path / "model", kind), tmp_path / "out"
    steps = ["--epochs", "8", "--batch-size", "4", "--step-tokens", "800", "--learning-rate", "0.01"]
    lengths = ["--max-input", "100", "--max-answer", "8"]
    start = [sys.executable, *(["-m", "torch.distributed.run", "--nproc-per-node", "2"] if kind == "LED" else [])]
    command = [*start, "tools/fine_tune.py", "qasper", "--source", str(tmp_path / "data"), "--model", model]
    done = subprocess.run(
        [*command, "--out", str(out), *steps, *lengths],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers = json.loads((out / "answers/preds_qasper.json").read_text(encoding="utf-8"))
    assert answers == {f"q{i}": "yes" if i % 2 else "no" for i in range(9)}
    for once in ("qasper  100.0000", "BART, 1,024 tokens: 26.3"):
        assert done.stdout.count(once) == 1


@needs("torch", "transformers")
def test_the_first_token_attends_to_the_whole_and_the_end_of_a_long_input_is_cut(tmp_path: Path) -> None:
    from fine_tune import Encoder
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(make_encoder_decoder(tmp_path / "model", "LED"))
    question, report = (load_embedded(task, benchmark="scrolls")[0] for task in ("qasper", "gov_report"))
    encode = Encoder(tokenizer, max_input=200, max_answer=6, attends=True)
    row = encode.encode(question, "a long answer")
    assert row["global_attention_mask"] == [1] + [0] * 199
    assert tokenizer.decode(row["input_ids"]) == f"<s>{question.input[:198]}</s>"
    assert tokenizer.decode(row["labels"]) == "<s>a lo</s>"
    batch = encode.batch([(question, "yes"), (report, "no way")])
    assert batch["global_attention_mask"].sum(dim=1).tolist() == [1, 1]
    assert batch["labels"][0].tolist()[-1] == -100


@needs("torch", "transformers", "accelerate")
@pytest.mark.parametrize(
    ("model", "epochs", "rate"),
    [
        (("gov_report", "bart", 1024), 10, 2e-4),
        (("narrative_qa", "led", 16384), 2, 1e-5),
        (("contract_nli", "led", 4096), 20, 2e-5),
    ],
)
def test_the_settings_are_those_of_the_paper_unless_an_option_says_otherwise(
    tmp_path: Path, model: tuple[str, str, int], epochs: int, rate: float
) -> None:
    from fine_tune import options_of, settings

    task, kind, tokens = model
    line = [task, "--source", "hub", "--model", "x", "--out", str(tmp_path), "--max-input", str(tokens)]
    as_paper = settings(options_of(line), kind)
    adam = (as_paper.adam_beta1, as_paper.adam_beta2, as_paper.adam_epsilon)
    assert (as_paper.num_train_epochs, as_paper.learning_rate, adam) == (epochs, rate, (0.9, 0.98, 1e-6))
    assert (as_paper.get_warmup_steps(1000), as_paper.lr_scheduler_type) == (100, "linear")
    assert as_paper.gradient_accumulation_steps * tokens == 2**17
    assert as_paper.generation_max_length == 1024
    other = settings(options_of([*line, "--epochs", "1", "--learning-rate", "0.5", "--step-tokens", "1"]), kind)
    assert (other.num_train_epochs, other.learning_rate, other.gradient_accumulation_steps) == (1, 0.5, 1)
    with pytest.raises(SystemExit, match="no learning rate for t5 with"):
        settings(options_of(line), "t5")


@needs("torch", "transformers")
def test_the_commands_of_its_page_are_parsed() -> None:
    from fine_tune import options_of
    from torch.distributed.run import get_args_parser

    page = (ROOT / "docs/fine-tuning.md").read_text(encoding="utf-8")
    lines = [shlex.split(line) for line in re.findall(r"^(?:python|torchrun) .*", page, re.MULTILINE)]
    assert len(lines) == 3
    for command, *words in lines:
        started = get_args_parser().parse_args(words if command == "torchrun" else ["--nnodes", "1", *words])
        assert started.training_script == "tools/fine_tune.py"
        assert options_of(started.training_script_args).task == "qasper"
