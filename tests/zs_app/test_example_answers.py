"""An example whose document cannot be told from its prompt is scored all the same, without the strip."""

from dataclasses import replace

import pytest

from zs_app import example_answers
from zs_bench.sources.embedded import load_embedded


@pytest.mark.parametrize(("task", "benchmark"), [("qasper", "zero_scrolls"), ("contract_nli", "scrolls")])
def test_where_an_answer_stands_is_left_out_where_there_is_no_document_to_be_found(task, benchmark, monkeypatch):
    odd = replace(load_embedded(task, benchmark=benchmark)[0], text="three plain words", indices=None)
    monkeypatch.setattr(example_answers, "find_example", lambda *_: odd)
    value = task if benchmark == "zero_scrolls" else f"{benchmark}/{task}"
    card, where = example_answers.score("hub", value, 0, odd.references[0])
    assert "100" in card
    assert where == ""
    assert odd.references[0] in example_answers.references("hub", value, 0)
