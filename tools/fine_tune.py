"""Fine-tune an encoder-decoder model such as BART or LED on a task of SCROLLS, and score its answers.

    python tools/fine_tune.py qasper --source hub --model facebook/bart-base --out runs/bart
    python tools/fine_tune.py qasper --source hub --model allenai/led-base-16384 --max-input 16384 --out runs/led

The model learns from the train split, with a row for each reference, and answers the validation split. An input begins
with its query and is cut at its end. In LED the tokens of the query, or the first token of an input without one, attend
to the whole input. The answers are written to `<out>/answers/preds_<task>.json`. Needs `pip install ".[local,hub]"
accelerate`.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers

from zs_bench.benchmarks import find_benchmark, find_task
from zs_bench.dataset.rows import Example
from zs_bench.dataset.sources import load_examples
from zs_bench.published.rows import load_published
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files


def main() -> None:
    """Train, answer and score."""
    options = _options()
    task = find_task(options.task, benchmark="scrolls")
    train, validation = (load_examples(options.source, task, split).examples for split in ("train", "validation"))
    answer_length = options.max_answer or (1024 if task.metric.name == "rouge" else 128)
    tokenizer = transformers.AutoTokenizer.from_pretrained(options.model)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(options.model)
    encode = Encoder(tokenizer, options.max_input, answer_length, attends=model.config.model_type == "led")
    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=transformers.Seq2SeqTrainingArguments(
            output_dir=str(options.out / "checkpoints" / task.name),
            num_train_epochs=options.epochs,
            per_device_train_batch_size=options.batch_size,
            per_device_eval_batch_size=options.batch_size,
            gradient_accumulation_steps=options.accumulate,
            learning_rate=options.learning_rate,
            bf16=torch.cuda.is_available(),
            gradient_checkpointing=torch.cuda.is_available(),
            seed=options.seed,
            save_total_limit=1,
            report_to="none",
            predict_with_generate=True,
            generation_max_length=answer_length,
            generation_num_beams=1,
            remove_unused_columns=False,
        ),
        data_collator=encode.batch,
        train_dataset=[(example, reference) for example in train for reference in example.references],
        processing_class=tokenizer,
    )
    trainer.train()
    tokens = trainer.predict([(example, None) for example in validation]).predictions
    texts = tokenizer.batch_decode(tokens.clip(min=0), skip_special_tokens=True)
    answers = options.out / "answers" / f"preds_{task.name}.json"
    answers.parent.mkdir(parents=True, exist_ok=True)
    by_id = {example.id: text for example, text in zip(validation, texts, strict=True)}
    answers.write_text(json.dumps(by_id, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(report.as_text(score_files([answers], source=options.source, split="validation", benchmark="scrolls")))
    print("\nPublished, on the test split:")
    for row in load_published(benchmark="scrolls"):
        if row.model in ("BART", "LED"):
            print(f"  {row.label}: {row.scores[task.name]:.1f}")


@dataclass
class Encoder:
    """Examples as the model takes them, cut to `max_input` and `max_answer` tokens at their end.

    `attends` is whether the model takes `global_attention_mask`, as LED does.
    """

    tokenizer: Any
    max_input: int
    max_answer: int
    attends: bool

    def batch(self, rows: Sequence[tuple[Example, str | None]]) -> dict[str, torch.Tensor]:
        """Return the batch, padded; without labels for rows without a reference."""
        encoded = [self.encode(*row) for row in rows]
        padding = {"input_ids": self.tokenizer.pad_token_id, "labels": -100}
        return {
            name: torch.nn.utils.rnn.pad_sequence(
                [torch.tensor(row[name]) for row in encoded], batch_first=True, padding_value=padding.get(name, 0)
            )
            for name in encoded[0]
        }

    def encode(self, example: Example, reference: str | None) -> Mapping[str, list[int]]:
        """Return the tokens of an input, and those of a reference as labels."""
        encoded = self.tokenizer(example.input, truncation=True, max_length=self.max_input)
        row = {name: encoded[name] for name in ("input_ids", "attention_mask")}
        if self.attends:
            query = len(self.tokenizer(example.query)["input_ids"]) - 1 if example.query else 1  # less its end
            row["global_attention_mask"] = [int(place < query) for place in range(len(row["input_ids"]))]
        if reference is not None:
            labels = self.tokenizer(text_target=reference, truncation=True, max_length=self.max_answer)
            row["labels"] = labels["input_ids"]
        return row


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("task", choices=tuple(find_benchmark("scrolls").tasks))
    add("--source", required=True, help="A source with the splits train and validation: hub, or a folder.")
    add("--model", required=True, help="A folder, or a name on the Hub.")
    add("--out", required=True, type=Path, help="Folder for the checkpoints and the answers.")
    add("--max-input", type=int, default=1024, help="Tokens of an input. Default: %(default)s.")
    add("--max-answer", type=int, help="Tokens of an answer. Default: 1024 for summaries, else 128.")
    add("--epochs", type=float, default=3.0, help="Default: %(default)s.")
    add("--batch-size", type=int, default=1, help="Examples on each GPU. Default: %(default)s.")
    add("--accumulate", type=int, default=16, help="Batches in a step. Default: %(default)s.")
    add("--learning-rate", type=float, default=2e-5, help="Default: %(default)s.")
    add("--seed", type=int, default=0, help="Default: %(default)s.")
    return parser.parse_args()


if __name__ == "__main__":
    main()
