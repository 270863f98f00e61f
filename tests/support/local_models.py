"""Models for tests, made here with random weights, and what such tests need."""

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest


def needs(*packages: str) -> Callable[[Any], Any]:
    """Mark a slow test; without the packages, which `make local` installs, it is skipped, or fails in `make local`."""
    missing = [name for name in packages if not find_spec(name)]
    skip = bool(missing) and not os.environ.get("ZS_REQUIRE_LOCAL")
    reason = f"no {', '.join(missing)}; run: make local"
    return lambda test: pytest.mark.slow(pytest.mark.skipif(skip, reason=reason)(test))


def make_model(folder: Path, *, window: int, chat: bool = True) -> str:
    """A Llama of two layers whose tokens are bytes, saved with a tokenizer whose file asks for truncation at 64."""
    import torch
    import transformers
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
