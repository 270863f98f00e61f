"""Tokenizers: words always, tiktoken and Hugging Face when installed, clear errors when not."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.errors import NoTokenizer
from zs_bench.prompts.token_counts import WORDS, Tokenizer, find_tokenizer

texts = st.text(st.sampled_from("ab \n\t.é😀\u2028\x1c")) | st.text()
JAPANESE = "日本語 é😀 ab  c\n\nd"


class ByteEncoding:
    """As tiktoken's encodings, with one token a byte."""

    def encode_ordinary(self, text: str) -> list[int]:
        return list(text.encode("utf-8", errors="replace"))

    def decode_bytes(self, tokens: list[int]) -> bytes:
        return bytes(tokens)


@pytest.fixture(autouse=True)
def _forget_tokenizers() -> Iterator[None]:
    find_tokenizer.cache_clear()
    yield
    find_tokenizer.cache_clear()


@pytest.fixture
def tiktoken(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A stand-in for the library, with one encoding and one model."""

    def encoding_for_model(model: str) -> ByteEncoding:
        return {"gpt-4": ByteEncoding()}[model]

    library = SimpleNamespace(
        list_encoding_names=lambda: ["cl100k_base"],
        get_encoding={"cl100k_base": ByteEncoding()}.__getitem__,
        encoding_for_model=encoding_for_model,
    )
    monkeypatch.setitem(sys.modules, "tiktoken", library)  # type: ignore[arg-type]
    return library


def cuts_well(tokenizer: Tokenizer, text: str) -> None:
    """Prefixes of the text that grow with n, of at most n tokens, and at last the whole."""
    count = tokenizer.count(text)
    cuts = [tokenizer.cut(text, n) for n in range(count + 2)]
    assert cuts[-1] == cuts[-2] == text
    for n, cut in enumerate(cuts):
        assert text.startswith(cut)
        assert tokenizer.count(cut) <= n
        assert n == 0 or cut.startswith(cuts[n - 1])


@given(text=texts)
def test_words_are_cut_to_growing_prefixes(text: str) -> None:
    cuts_well(WORDS, text)


@pytest.mark.parametrize(
    ("text", "n", "cut"),
    [
        ("  a\n\nb  c ", 2, "  a\n\nb"),
        ("  a\n\nb  c ", 3, "  a\n\nb  c "),
        ("a b", 0, ""),
        ("a b", -1, ""),
        ("", 0, ""),
        (" \n ", 0, " \n "),
    ],
)
def test_a_cut_in_words_keeps_the_whitespace_between_them(text: str, n: int, cut: str) -> None:
    assert WORDS.cut(text, n) == cut


def test_a_tiktoken_encoding_is_found_by_its_name_or_by_that_of_a_model(tiktoken: object) -> None:
    for name in ("tiktoken:cl100k_base", "cl100k_base", "tiktoken:gpt-4", "gpt-4"):
        tokenizer = find_tokenizer(name)
        assert (tokenizer.name, tokenizer.count("é!")) == (name, 3)


def test_a_cut_of_bytes_never_falls_inside_a_character(tiktoken: object) -> None:
    found = find_tokenizer("gpt-4")
    cuts_well(found, JAPANESE)
    assert [found.cut("é!", n) for n in (-1, 0, 1, 2, 3)] == ["", "", "", "é", "é!"]


def test_a_cut_is_a_prefix_even_of_a_text_with_a_lone_surrogate(tiktoken: object) -> None:
    assert find_tokenizer("gpt-4").cut("x\ud800y", 2) == "x\ud800"


def test_an_unknown_encoding_of_tiktoken_is_refused_with_the_known_ones(tiktoken: object) -> None:
    with pytest.raises(NoTokenizer, match=r"^tiktoken has no encoding or model 'gpt-9'; its encodings: cl100k_base$"):
        find_tokenizer("tiktoken:gpt-9")


def test_an_encoding_that_cannot_be_fetched_is_an_error_with_the_reason(tiktoken: SimpleNamespace) -> None:
    def refuse(_name: str) -> None:
        raise ConnectionError("no route\nto the host")

    tiktoken.get_encoding = refuse
    with pytest.raises(NoTokenizer, match=r"could not be fetched \(no route\); take words, or set TIKTOKEN_CACHE_DIR"):
        find_tokenizer("tiktoken:cl100k_base")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tiktoken:gpt-4", "^the tokenizer 'tiktoken:gpt-4' needs tiktoken: pip install tiktoken, or take words$"),
        ("gpt-4", "needs tiktoken: pip install tiktoken, or take words; the tokenizers are words, tiktoken:<enc"),
        ("hf:google/flan-t5-xl", "needs tokenizers: pip install tokenizers, or take words$"),
    ],
)
def test_a_library_that_is_not_installed_is_named(name: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("tiktoken", "tokenizers"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(NoTokenizer, match=message):
        find_tokenizer(name)


def test_a_name_of_no_known_form_is_refused_with_the_forms() -> None:
    for name in ("", "hf:", "tiktoken:", "spm:model", "two words", "google/flan-t5-xl", "Words:"):
        with pytest.raises(
            NoTokenizer, match=r"^no tokenizer '.*'; the tokenizers are words, tiktoken:<encoding or mod"
        ):
            find_tokenizer(name)


class FakeTokenizers:
    """A stand-in for the library: one token a character, but 😀 is two, which share its place."""

    def __init__(self) -> None:
        self.Tokenizer = self
        self.stops_at: int | None = 3

    def from_file(self, path: str) -> "FakeTokenizers":
        if "cannot" in Path(path).read_text(encoding="utf-8"):
            raise Exception("expected value at line 1")  # noqa: TRY002  (the library raises this very class)
        return self

    def no_truncation(self) -> None:
        self.stops_at = None

    def no_padding(self) -> None:
        pass

    def encode(self, text: str, *, add_special_tokens: bool) -> SimpleNamespace:
        assert not add_special_tokens
        offsets = [(i, i + 1) for i, c in enumerate(text) for _ in range(2 if c == "😀" else 1)][: self.stops_at]
        return SimpleNamespace(ids=[7] * len(offsets), offsets=offsets)


@pytest.fixture
def tokenizers(monkeypatch: pytest.MonkeyPatch) -> FakeTokenizers:
    library = FakeTokenizers()
    monkeypatch.setitem(sys.modules, "tokenizers", library)  # type: ignore[arg-type]
    return library


def test_the_offsets_of_a_tokenizer_say_where_to_cut(tokenizers: object, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    found = find_tokenizer(f"hf:{tmp_path}")
    assert found.count("a😀bcd") == 6
    assert [found.cut("a😀b", n) for n in (-1, 0, 1, 2, 3, 4)] == ["", "", "a", "a", "a😀", "a😀b"]
    cuts_well(found, JAPANESE)


def test_a_file_that_is_not_a_tokenizer_is_refused(tokenizers: object, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("this cannot be read", encoding="utf-8")
    with pytest.raises(NoTokenizer, match=r"cannot be read as a tokenizer \(expected value at line 1\); name a folder"):
        find_tokenizer(f"hf:{path}")


def test_a_tokenizer_of_the_hub_is_taken_from_the_cache_or_fetched_or_an_error_with_the_reason(
    tokenizers: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, absent = tmp_path / "tokenizer.json", FileNotFoundError("not there")
    path.write_text("{}", encoding="utf-8")
    calls: list[bool] = []
    answers: dict[bool, Path | Exception] = {}

    def hf_hub_download(repo: str, name: str, *, local_files_only: bool = False) -> str:
        assert (repo, name) == ("google/flan-t5-xl", "tokenizer.json")
        calls.append(local_files_only)
        if isinstance(answer := answers[local_files_only], Exception):
            raise answer
        return str(answer)

    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(hf_hub_download=hf_hub_download))  # type: ignore[arg-type]
    for cache, network, asked in ((path, absent, [True]), (absent, path, [True, False])):
        calls.clear()
        find_tokenizer.cache_clear()
        answers |= {True: cache, False: network}
        assert find_tokenizer("hf:google/flan-t5-xl").count("ab") == 2
        assert calls == asked
    find_tokenizer.cache_clear()
    answers |= {True: absent, False: OSError("404 Client Error\nmore")}
    message = (
        r"'hf:google/flan-t5-xl' is not on this machine and could not be fetched \(404 Client Error\); name a folder"
    )
    with pytest.raises(NoTokenizer, match=message):
        find_tokenizer("hf:google/flan-t5-xl")
