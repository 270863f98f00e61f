"""Fine-tune an encoder-decoder model such as BART or LED on a task of SCROLLS, and score its answers.

    python tools/fine_tune.py qasper --source hub --model facebook/bart-base --out runs/bart
    python tools/fine_tune.py qasper --source hub --model allenai/led-base-16384 --max-input 16384 --out runs/led

The model learns from the train split and answers the validation split. The answers are written to
`<out>/answers/preds_<task>.json`. Needs `pip install ".[local,hub]" accelerate`.

The defaults are the settings of the paper (arXiv 2201.03533, section 5.1 and appendix D):

- AdamW, betas 0.9 and 0.98, epsilon 1e-6; dropout 0.1; on a GPU fp16 and gradient checkpointing.
- The learning rate of the paper's code for the task, model and length: of six the best on validation. It rises over the
  first 10 % of the steps and falls linearly to 0.
- 2^17 tokens of input a step, on however many GPUs; 10 epochs for summaries, 2 for narrative_qa, else 20.
- The query first, inputs cut at the end, a row for each reference. In LED the first token alone attends to all input.
- Greedy answers of at most 1,024 tokens.

What differs from the paper's code: a step is a fixed number of inputs, each counted as `--max-input` tokens (there,
batches filled with 16,384); 10 epochs of qmsum (20); the last checkpoint (that of the lowest loss on validation); no
weight decay (0.001).
"""

import argparse
import gc
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import accelerate
import torch
import transformers

from zs_bench.benchmarks import Task, find_benchmark, find_task
from zs_bench.dataset.rows import Example
from zs_bench.dataset.sources import load_examples
from zs_bench.published import load_published
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files

#: The paper's inputs in tokens, and for each task its epochs and the learning rates of its released code for these.
_INPUTS = (("bart", 256), ("bart", 512), ("bart", 1024), ("led", 1024), ("led", 4096), ("led", 16384))
_PAPER = {
    "gov_report": (10, (5e-4, 5e-4, 2e-4, 1e-4, 1e-4, 5e-5)),
    "summ_screen_fd": (10, (2e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5)),
    "qmsum": (10, (1e-4, 5e-5, 5e-5, 5e-5, 1e-5, 1e-5)),
    "qasper": (20, (5e-5, 5e-5, 5e-5, 2e-5, 5e-5, 2e-5)),
    "narrative_qa": (2, (1e-4, 5e-5, 5e-5, 2e-5, 1e-5, 1e-5)),
    "quality": (20, (5e-5, 2e-5, 1e-5, 2e-5, 1e-5, 1e-5)),
    "contract_nli": (20, (1e-4, 1e-4, 5e-5, 5e-5, 2e-5, 1e-5)),
}


def main() -> None:
    """Train, answer and score."""
    options = options_of(sys.argv[1:])
    task = find_task(options.task, benchmark="scrolls")
    train, validation = (load_examples(options.source, task, split).examples for split in ("train", "validation"))
    tokenizer = transformers.AutoTokenizer.from_pretrained(options.model)
    config = transformers.AutoConfig.from_pretrained(options.model)
    dropout = ("dropout", "attention_dropout", "activation_dropout")
    config.update({name: 0.1 for name in dropout if hasattr(config, name)})
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(options.model, config=config)
    if torch.cuda.is_available():
        model.gradient_checkpointing_enable()
    encode = Encoder(tokenizer, options.max_input, options.max_answer, attends=config.model_type == "led")
    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=settings(options, config.model_type),
        data_collator=encode.batch,
        train_dataset=[(example, reference) for example in train for reference in example.references],
        processing_class=tokenizer,
    )
    trainer.train()
    tokens = trainer.predict([(example, None) for example in validation]).predictions
    if trainer.is_world_process_zero():  # of those that torchrun starts, one writes and prints
        tokens = tokens[: len(validation)].clip(min=0)  # several processes may repeat examples at the end
        texts = tokenizer.batch_decode(tokens, skip_special_tokens=True)
        score(options, task, {example.id: text for example, text in zip(validation, texts, strict=True)})
    trainer.accelerator.wait_for_everyone()
    del trainer  # else torch waits for its own threads for ever, or is aborted, when Python ends
    gc.collect()
    accelerate.PartialState().destroy_process_group()


def score(options: argparse.Namespace, task: Task, answers: Mapping[str, str]) -> None:
    """Write the answers by id, and print their scores and the published ones."""
    path = options.out / "answers" / f"preds_{task.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(answers, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(report.as_text(score_files([path], source=options.source, split="validation", benchmark="scrolls")))
    print("\nPublished, on the test split:")
    for row in load_published(benchmark="scrolls"):
        if row.model in ("BART", "LED"):
            print(f"  {row.label}: {row.scores[task.name]:.1f}")


def settings(options: argparse.Namespace, kind: str) -> Any:
    """Return the settings of the training: those of the paper, unless an option says otherwise."""
    epochs, rates = _PAPER[options.task]
    rate = options.learning_rate or dict(zip(_INPUTS, rates, strict=True)).get((kind, options.max_input))
    if not rate:
        sys.exit(f"the paper has no learning rate for {kind} with {options.max_input} tokens; give --learning-rate")
    arguments = transformers.Seq2SeqTrainingArguments(
        output_dir=str(options.out / "checkpoints" / options.task),
        num_train_epochs=options.epochs or epochs,
        per_device_train_batch_size=options.batch_size,
        per_device_eval_batch_size=options.batch_size,
        learning_rate=rate,
        lr_scheduler_type="linear",
        warmup_steps=0.1,
        adam_beta1=0.9,
        adam_beta2=0.98,
        adam_epsilon=1e-6,
        use_cpu=not torch.accelerator.is_available(),
        fp16=torch.cuda.is_available(),
        seed=options.seed,
        save_total_limit=1,
        report_to="none",
        predict_with_generate=True,
        generation_max_length=options.max_answer,
        generation_num_beams=1,
        remove_unused_columns=False,
    )
    at_once = options.max_input * arguments.train_batch_size * arguments.world_size
    arguments.gradient_accumulation_steps = max(1, options.step_tokens // at_once)
    return arguments


@dataclass
class Encoder:
    """Examples as the model takes them, cut to `max_input` and `max_answer` tokens at their end.

    `attends` is whether the first token attends to the whole input, for LED.
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
            row["global_attention_mask"] = [1] + [0] * (len(row["input_ids"]) - 1)
        if reference is not None:
            labels = self.tokenizer(text_target=reference, truncation=True, max_length=self.max_answer)
            row["labels"] = labels["input_ids"]
        return row


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("task", choices=tuple(find_benchmark("scrolls").tasks))
    add("--source", required=True, help="A source with the splits train and validation: hub, or a folder.")
    add("--model", required=True, help="A folder, or a name on the Hub.")
    add("--out", required=True, type=Path, help="Folder for the checkpoints and the answers.")
    add("--max-input", type=int, default=1024, help="Tokens of an input. Default: %(default)s.")
    add("--max-answer", type=int, default=1024, help="Tokens of an answer. Default: %(default)s.")
    add("--epochs", type=float, help="Default: those of the paper, 10 for summaries, 2 for NarrativeQA, else 20.")
    add("--batch-size", type=int, default=1, help="Examples on each GPU at a time. Default: %(default)s.")
    add("--step-tokens", type=int, default=2**17, help="Tokens of input in a step. Default: %(default)s.")
    add("--learning-rate", type=float, help="Default: that of the paper for the task, the model and --max-input.")
    add("--seed", type=int, default=0, help="Default: %(default)s.")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
