"""Models for tests, made here with random weights, and what such tests need."""

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest


def needs(*packages: str, target: str = "local", required: str = "ZS_REQUIRE_LOCAL") -> Callable[[Any], Any]:
    """Mark a slow test; without the packages, which that target of make installs, it is skipped, or fails where the
    variable `required` is set."""
    missing = [name for name in packages if not find_spec(name)]
    skip = bool(missing) and not os.environ.get(required)
    reason = f"no {', '.join(missing)}; run: make {target}"
    return lambda test: pytest.mark.slow(pytest.mark.skipif(skip, reason=reason)(test))


def make_tokenizer(folder: Path, **more: Any) -> Any:
    """A tokenizer whose tokens are bytes, saved with a request to truncate at 64."""
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    names = {text: place for place, text in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(names, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["</s>", *more.values()])
    if more:
        ends = [(text, tokenizer.token_to_id(text)) for text in ("</s>", more["bos_token"])]
        tokenizer.post_processor = processors.BertProcessing(*ends)
    tokenizer.enable_truncation(64)
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>", **more)
    wrapped.save_pretrained(folder)
    return wrapped


def make_model(folder: Path, *, window: int, chat: bool = True) -> str:
    """A Llama of two layers, saved with its tokenizer."""
    import torch
    import transformers

    tokenizer = make_tokenizer(folder)
    if chat:
        tokenizer.chat_template = "{% for one in messages %}[{{ one.role }}] {{ one.content }}{% endfor %}"
        tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=window,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return str(folder)


def make_encoder_decoder(folder: Path, kind: str) -> str:
    """A BART or LED of one layer on each side, saved with its tokenizer."""
    import torch
    import transformers

    tokenizer = make_tokenizer(folder, bos_token="<s>", pad_token="<pad>")
    sizes = dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 2)
    sizes |= dict.fromkeys(("encoder_layers", "decoder_layers"), 1)
    sizes |= dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), 64)
    windows = {"attention_window": 16, "max_encoder_position_embeddings": 128, "max_decoder_position_embeddings": 64}
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(tokenizer),
        d_model=32,
        **sizes,
        **(windows if kind == "LED" else {"max_position_embeddings": 128}),
        bos_token_id=tokenizer.bos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.eos_token_id,
        forced_eos_token_id=None,
    )
    torch.manual_seed(0)
    getattr(transformers, f"{kind}ForConditionalGeneration")(config).save_pretrained(folder)
    return str(folder)
