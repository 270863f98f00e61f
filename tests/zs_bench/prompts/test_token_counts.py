"""Tokenizers: words always, tiktoken and Hugging Face when installed, clear errors when not."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.errors import NoTokenizer
from zs_bench.token_counts import WORDS, find_tokenizer

JAPANESE = "日本語 é😀 ab  c\n\nd"
#: Like tiktoken's encodings, with one token a byte.
BYTES = SimpleNamespace(encode_ordinary=lambda text: [*text.encode("utf-8", errors="replace")], decode_bytes=bytes)


@pytest.fixture(autouse=True)
def forget_tokenizers():
    find_tokenizer.cache_clear()
    yield
    find_tokenizer.cache_clear()


@pytest.fixture
def tiktoken(monkeypatch):
    """A stand-in for the library, with one encoding and one model."""
    library = SimpleNamespace(
        list_encoding_names=lambda: ["cl100k_base"],
        get_encoding={"cl100k_base": BYTES}.__getitem__,
        encoding_for_model={"gpt-4": BYTES}.__getitem__,
    )
    monkeypatch.setitem(sys.modules, "tiktoken", library)
    return library


class Characters:
    """A stand-in for a tokenizer of the library: one token a character, but 😀 is two, which share its place."""

    stops_at = 3

    def no_truncation(self):
        self.stops_at = None

    def no_padding(self):
        pass

    def encode(self, text, *, add_special_tokens):
        assert not add_special_tokens
        offsets = [(i, i + 1) for i, c in enumerate(text) for _ in range(2 if c == "😀" else 1)]
        return SimpleNamespace(offsets=offsets[: self.stops_at])


@pytest.fixture
def tokenizers(monkeypatch):
    def from_file(path):
        if "cannot" in Path(path).read_text(encoding="utf-8"):
            raise Exception("expected value at line 1")  # noqa: TRY002  (the library raises this very class)
        return Characters()

    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace(Tokenizer=SimpleNamespace(from_file=from_file)))


def cuts_well(tokenizer, text):
    """Cuts are prefixes of the text that grow with n, of at most n tokens, and at last the whole."""
    count = tokenizer.count(text)
    cuts = [tokenizer.cut(text, n) for n in range(count + 2)]
    assert cuts[-1] == cuts[-2] == text
    for n, cut in enumerate(cuts):
        assert text.startswith(cut)
        assert tokenizer.count(cut) <= n
        assert n == 0 or cut.startswith(cuts[n - 1])


@given(text=st.text(st.sampled_from("ab \n\t.é😀\u2028\x1c")) | st.text())
def test_words_are_cut_to_growing_prefixes(text):
    cuts_well(WORDS, text)


@pytest.mark.parametrize(
    ("text", "n", "cut"),
    [("  a\n\nb  c ", 2, "  a\n\nb"), ("  a\n\nb  c ", 3, "  a\n\nb  c "), ("a b", -1, ""), (" \n ", 0, " \n ")],
)
def test_a_cut_in_words_keeps_the_white_space_between_them(text, n, cut):
    assert WORDS.cut(text, n) == cut


def test_a_tiktoken_encoding_is_found_by_its_name_or_by_that_of_a_model(tiktoken):
    for name in ("tiktoken:cl100k_base", "cl100k_base", "tiktoken:gpt-4", "gpt-4"):
        tokenizer = find_tokenizer(name)
        assert (tokenizer.name, tokenizer.count("é!")) == (name, 3)


def test_a_cut_of_bytes_never_falls_inside_a_character(tiktoken):
    tokenizer = find_tokenizer("gpt-4")
    cuts_well(tokenizer, JAPANESE)
    assert [tokenizer.cut("é!", n) for n in (-1, 0, 1, 2, 3)] == ["", "", "", "é", "é!"]
    assert tokenizer.cut("x\ud800y", 2) == "x\ud800"


def test_the_offsets_of_a_tokenizer_say_where_to_cut(tokenizers, tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    tokenizer = find_tokenizer(f"hf:{tmp_path}")
    assert tokenizer.count("a😀bcd") == 6
    assert [tokenizer.cut("a😀b", n) for n in (-1, 0, 1, 2, 3, 4)] == ["", "", "a", "a", "a😀", "a😀b"]
    cuts_well(tokenizer, JAPANESE)


NEEDS = "needs tiktoken: pip install tiktoken, or take words"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tiktoken:gpt-4", f"^the tokenizer 'tiktoken:gpt-4' {NEEDS}$"),
        ("gpt-4", f"{NEEDS}; the tokenizers are words, tiktoken:<enc"),
        ("hf:google/flan-t5-xl", "needs tokenizers: pip install tokenizers, or take words$"),
        *((name, "^no tokenizer '.*'; the tokenizers are words") for name in ("", "hf:", "spm:x", "two words", "a/b")),
    ],
)
def test_a_tokenizer_that_is_unknown_or_not_installed_is_named(name, message, monkeypatch):
    for module in ("tiktoken", "tokenizers"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(NoTokenizer, match=message):
        find_tokenizer(name)


def test_what_tiktoken_does_not_know_or_cannot_fetch_is_an_error_with_the_next_step(tiktoken):
    with pytest.raises(NoTokenizer, match=r"^tiktoken has no encoding or model 'gpt-9'; its encodings: cl100k_base$"):
        find_tokenizer("tiktoken:gpt-9")

    def refuse(_):
        raise ConnectionError("no route\nto the host")

    tiktoken.get_encoding = refuse
    with pytest.raises(NoTokenizer, match=r"could not be fetched \(no route\); take words, or set TIKTOKEN_CACHE_DIR"):
        find_tokenizer("tiktoken:cl100k_base")


def test_a_file_that_is_not_a_tokenizer_is_refused(tokenizers, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("this cannot be read", encoding="utf-8")
    with pytest.raises(NoTokenizer, match=r"cannot be read as a tokenizer \(expected value at line 1\); name a folder"):
        find_tokenizer(f"hf:{path}")


@pytest.mark.parametrize("has_it", ["the cache", "the network", "neither"])
def test_a_tokenizer_of_the_hub_is_taken_from_the_cache_or_fetched(has_it, tokenizers, tmp_path, monkeypatch):
    path, calls = tmp_path / "tokenizer.json", []
    path.write_text("{}", encoding="utf-8")

    def hf_hub_download(repo, name, *, local_files_only=False):
        calls.append("the cache" if local_files_only else "the network")
        if (repo, name, calls[-1]) == ("google/flan-t5-xl", "tokenizer.json", has_it):
            return str(path)
        raise OSError("404 Client Error\nmore")

    monkeypatch.setitem(sys.modules, "huggingface_hub", SimpleNamespace(hf_hub_download=hf_hub_download))
    if has_it == "neither":
        with pytest.raises(NoTokenizer, match=r"is not on this machine and could not be fetched \(404 Client Error\)"):
            find_tokenizer("hf:google/flan-t5-xl")
    else:
        assert find_tokenizer("hf:google/flan-t5-xl").count("ab") == 2
    assert calls == ["the cache", "the network"][: 1 if has_it == "the cache" else 2]
