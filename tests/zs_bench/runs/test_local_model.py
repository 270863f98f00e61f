"""`zero-scrolls run --local`: a tiny model with random weights, made here and run in this process by transformers."""

import json
import sys
from pathlib import Path

import pytest

from zs_bench.cli import main
from zs_bench.runs.journal import Record, read_journal


def make_model(folder: Path, *, window: int, chat: bool = True) -> str:
    """A Llama of two layers whose tokens are bytes, saved with a tokenizer whose file asks for truncation at 64."""
    why = "NO TORCH: the local model was not tested; install it with: pip install torch==2.13.0 transformers"
    torch = pytest.importorskip("torch", reason=why)
    transformers = pytest.importorskip("transformers", reason=why)
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    names = {text: place for place, text in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(names, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["</s>"])
    tokenizer.enable_truncation(64)
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>")
    if chat:
        wrapped.chat_template = "{% for one in messages %}[{{ one.role }}] {{ one.content }}{% endfor %}"
    wrapped.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(wrapped),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=window,
        bos_token_id=None,
        eos_token_id=wrapped.eos_token_id,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


def run(model: str, out: Path, *more: str) -> int:
    options = ["--variant", "chat", "--budget", "250", "--answer-budget", "12", *more]
    return main(["run", "--local", model, "--out", str(out), "--tasks", "qasper", *options])


def records(out: Path) -> list[Record]:
    with (out / "journal.jsonl").open("rb") as file:
        return list(read_journal(file))


@pytest.mark.slow
@pytest.mark.parametrize("chat", [True, False])
def test_every_prompt_is_read_whole_and_a_stop_at_the_length_limit_is_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, chat: bool
) -> None:
    model, out = make_model(tmp_path / "model", window=4096, chat=chat), tmp_path / "run"
    assert run(model, out) == 0
    first = records(out)
    assert [record.status for record in first] == ["ok", "ok"]
    for record in first:
        assert record.usage == {"prompt_tokens": record.characters + 7 * chat, "completion_tokens": 12}
        assert (record.finish_reason, record.flags) == ("length", ("stopped-at-length",))
    assert "Stopped at the length limit: qasper 2." in capsys.readouterr().out
    session = json.loads((out / "run.json").read_text())["sessions"][0]
    assert session["model_entry"]["window"] == 4096
    assert session["model_entry"]["chat_template"] is chat
    assert run(model, out) == 0
    assert records(out) == first


@pytest.mark.slow
def test_a_prompt_over_the_window_is_an_overflow_and_never_cut(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, out = make_model(tmp_path / "model", window=256), tmp_path / "run"
    assert run(model, out) == 1
    assert "does not fit into the model's window" in capsys.readouterr().err
    assert run(model, out, "--skip-preflight") == 1
    assert {(record.status, record.answer) for record in records(out)} == {("overflow", None)}


@pytest.mark.slow
def test_samples_with_a_seed_are_drawn_alike(tmp_path: Path) -> None:
    model = make_model(tmp_path / "model", window=4096)
    drawn = []
    for name, seed in (("one", "1"), ("two", "1"), ("three", "2")):
        run(model, tmp_path / name, "--temperature", "1.5", "--seed", seed)
        drawn.append([record.answer for record in records(tmp_path / name)])
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.slow
def test_a_folder_without_a_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="NO TORCH: the local model was not tested")
    (tmp_path / "empty").mkdir()
    assert run(str(tmp_path / "empty"), tmp_path / "run") == 2
    assert "holds no model that transformers can load" in capsys.readouterr().err


def test_without_the_extra_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run("a/model", tmp_path / "run") == 2
    assert 'pip install "zero-scrolls[local]"' in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--model", "m"], ["--base-url", "http://127.0.0.1:1/v1"], ["--write-batch", "x"]])
def test_a_local_model_needs_no_server(more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("a/model", tmp_path / "run", *more) == 2
    assert "--local runs that model here" in capsys.readouterr().err
