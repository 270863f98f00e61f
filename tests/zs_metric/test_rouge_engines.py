"""The two ROUGE engines give the same values bit for bit, one replaces the other, and the one in use has a name."""

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zs_metric import engine, rouge, score_example
from zs_metric.rouge import ENGINES, ROUGE_TYPES

words = st.lists(st.sampled_from(["the", "cat", "Cat", "sat", "1", "e\u0301", "\u0130x", "\u212a"]), max_size=30)
texts = st.text(max_size=80) | words.map(" ".join)


@pytest.fixture
def without_the_fast_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def import_all_but_the_fast_engine(name: str) -> ModuleType:
        if name.startswith("rouge_score_rs"):
            raise ModuleNotFoundError(name)
        return import_module(name)

    monkeypatch.setattr(rouge, "import_module", import_all_but_the_fast_engine)
    engine.cache_clear()
    yield
    engine.cache_clear()


def values(name: str, reference: str, prediction: str) -> dict[str, tuple[float, float, float]]:
    (pair,) = engine(name).score_pairs([reference], [prediction])
    return {kind: (pair[kind].precision, pair[kind].recall, pair[kind].fmeasure) for kind in ROUGE_TYPES}


@given(texts, texts)
@settings(max_examples=3 * settings.default.max_examples)
def test_both_engines_give_the_same_values_to_the_last_bit(reference: str, prediction: str) -> None:
    pytest.importorskip("rouge_score_rs", reason="no wheel of the fast engine for this machine")
    assert values("rouge-score-rs", reference, prediction) == values("rouge-score", reference, prediction)


@given(st.lists(st.tuples(texts, texts), max_size=5))
def test_a_batch_scores_each_pair_as_it_scores_alone(pairs: list[tuple[str, str]]) -> None:
    references, predictions = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    for name in {engine().name.split()[0], "rouge-score"}:
        together = engine(name).score_pairs(references, predictions)
        assert [pair["rougeL"].fmeasure for pair in together] == [values(name, *pair)["rougeL"][2] for pair in pairs]


def test_the_engine_in_use_tells_its_name_and_version() -> None:
    package, _, number = engine().name.partition(" ")
    assert package in ENGINES
    assert number == version(package)


@pytest.mark.usefixtures("without_the_fast_engine")
def test_googles_engine_is_used_where_the_fast_one_is_not_installed() -> None:
    assert engine().name == f"rouge-score {version('rouge-score')}"
    assert score_example("gov_report", "hello there you", ["hello there"]).score == pytest.approx(
        100 * (0.8 * 2 / 3 * 0.8) ** (1 / 3)
    )


@pytest.mark.usefixtures("without_the_fast_engine")
def test_asking_for_an_engine_that_is_not_installed_is_an_import_error() -> None:
    with pytest.raises(ImportError, match="rouge_score_rs"):
        engine("rouge-score-rs")
