"""Texts counted and cut in tokens, by the tokenizer that the user names.

* `words`: whitespace-separated words, always available.
* `tiktoken:cl100k_base`, or bare `cl100k_base`, `gpt-4`: an encoding of tiktoken, or that of a model.
* `hf:google/flan-t5-xl`, `hf:path/of/a/folder`: a Hugging Face tokenizer, from this machine if it is there, else from
  the Hub.

Special tokens that a model adds at the start or the end of a text are not counted. A text is cut at the end of its n-th
token; where that lies inside a character (tokens of bytes), before that character.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from zs_bench.errors import NoTokenizer
from zs_bench.problems import short


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Counts tokens, and cuts texts to a number of them.

    Attributes:
        name: as `find_tokenizer` takes it.
        tokens: the tokens of a text; what looks like a special token is text.
        end: the offset at which the n-th of these tokens ends, in characters; there are more than n.
    """

    name: str
    tokens: Callable[[str], Sequence[Any]]
    end: Callable[[str, Sequence[Any], int], int]

    def count(self, text: str) -> int:
        return len(self.tokens(text))

    def cut(self, text: str, n: int) -> str:
        """The text up to the end of its n-th token; the whole text when it has no more than n."""
        tokens = self.tokens(text)
        if len(tokens) <= n:
            return text
        return text[: self.end(text, tokens, n)] if n > 0 else ""


#: Whitespace-separated words, which need nothing installed; what is between them stays as it is.
WORDS = Tokenizer("words", str.split, lambda text, _, n: next(islice(re.finditer(r"\S+", text), n - 1, None)).end())
_CHOICES = "the tokenizers are words, tiktoken:<encoding or model>, hf:<name or path>"
_FOLDER_ADVICE = "name a folder that holds a tokenizer.json (save_pretrained of transformers writes one)"


@cache
def find_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name.

    Raises:
        NoTokenizer: when it is not known, not installed, or can neither be found on this machine nor be fetched.
    """
    if name == WORDS.name:
        return WORDS
    kind, colon, rest = name.partition(":")
    if colon and kind in _KINDS and rest:
        return _KINDS[kind](name, rest)
    if colon or not re.fullmatch(r"[\w.-]+", name):
        raise NoTokenizer(f"no tokenizer {short(name)!r}; {_CHOICES}")
    return _tiktoken(name, name)


def _tiktoken(name: str, encoding: str) -> Tokenizer:
    tiktoken = _import("tiktoken", name)
    try:
        is_encoding = encoding in tiktoken.list_encoding_names()
        library = tiktoken.get_encoding(encoding) if is_encoding else tiktoken.encoding_for_model(encoding)
    except KeyError:
        names = ", ".join(tiktoken.list_encoding_names())
        raise NoTokenizer(f"tiktoken has no encoding or model {short(encoding)!r}; its encodings: {names}") from None
    except OSError as error:
        raise _not_fetched(name, error, "take words, or set TIKTOKEN_CACHE_DIR to a folder that holds it") from None

    def end(_text: str, tokens: Sequence[int], n: int) -> int:
        return len(library.decode_bytes(tokens[:n]).decode("utf-8", errors="ignore"))

    return Tokenizer(name, library.encode_ordinary, end)


def _hugging_face(name: str, model: str) -> Tokenizer:
    tokenizers = _import("tokenizers", name)
    path = Path(model)
    file = path / "tokenizer.json" if path.is_dir() else path if path.is_file() else _from_hub(name, model)
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # noqa: BLE001  (the library raises a bare Exception for a file it cannot read)
        why = short(str(error), 200)
        raise NoTokenizer(f"{short(str(file))!r} cannot be read as a tokenizer ({why}); {_FOLDER_ADVICE}") from None
    tokenizer.no_truncation()  # a file can carry both, and a count must not stop at 512
    tokenizer.no_padding()
    # Tokens of bytes share the place of their character: then the next one starts before this one ends.
    return Tokenizer(
        name,
        lambda text: tokenizer.encode(text, add_special_tokens=False).offsets,
        lambda _, offsets, n: min(offsets[n - 1][1], offsets[n][0]),
    )


def _from_hub(name: str, model: str) -> str:
    """The path of the model's tokenizer.json: from the cache, else fetched."""
    download = import_module("huggingface_hub").hf_hub_download
    failed: Exception = Exception()
    for cached in (True, False):
        try:
            return str(download(model, "tokenizer.json", local_files_only=cached))
        except Exception as error:  # noqa: BLE001  (the Hub's client raises errors of many kinds)
            failed = error
    raise _not_fetched(name, failed, f"{_FOLDER_ADVICE}, or take words")


def _import(module: str, name: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        step = f"pip install {module}, or take words" + ("" if ":" in name else f"; {_CHOICES}")
        raise NoTokenizer(f"the tokenizer {short(name)!r} needs {module}: {step}") from None


def _not_fetched(name: str, error: Exception, step: str) -> NoTokenizer:
    why = short(str(error).strip().partition("\n")[0] or type(error).__name__, 200)
    return NoTokenizer(f"the tokenizer {short(name)!r} is not on this machine and could not be fetched ({why}); {step}")


_KINDS: Mapping[str, Callable[[str, str], Tokenizer]] = {"tiktoken": _tiktoken, "hf": _hugging_face}
