"""The recipe for fine-tuning on SCROLLS, with models of one layer; `make local` installs what it needs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from local_models import make_encoder_decoder, needs
from written_files import write

from zs_bench.dataset.embedded import load_embedded

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
    steps = ["--epochs", "8", "--batch-size", "4", "--accumulate", "2", "--learning-rate", "0.01"]
    lengths = ["--max-input", "100", "--max-answer", "8"]
    command = [sys.executable, "tools/fine_tune.py", "qasper", "--source", str(tmp_path / "data"), "--model", model]
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
    assert "qasper  100.0000" in done.stdout
    assert "BART, 1,024 tokens: 26.3" in done.stdout


@needs("torch", "transformers")
def test_the_query_of_an_input_attends_to_the_whole_and_the_end_of_a_long_input_is_cut(tmp_path: Path) -> None:
    from fine_tune import Encoder
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(make_encoder_decoder(tmp_path / "model", "LED"))
    question, report = (load_embedded(task, benchmark="scrolls")[0] for task in ("qasper", "gov_report"))
    encode = Encoder(tokenizer, max_input=200, max_answer=6, attends=True)
    row = encode.encode(question, "a long answer")
    marked = [token for token, mark in zip(row["input_ids"], row["global_attention_mask"], strict=True) if mark]
    assert tokenizer.decode(marked) == f"<s>{question.query}"
    assert tokenizer.decode(row["input_ids"]) == f"<s>{question.input[:198]}</s>"
    assert tokenizer.decode(row["labels"]) == "<s>a lo</s>"
    batch = encode.batch([(question, "yes"), (report, "no way")])
    assert batch["global_attention_mask"].sum(dim=1).tolist() == [len(marked), 1]
    assert batch["labels"][0].tolist()[-1] == -100
