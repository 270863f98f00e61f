"""`zero-scrolls signature`: one in words, several also in what they differ."""

import pytest

from zs_bench.cli import main
from zs_bench.reports.signature import Signature
from zs_bench.reports.signature_words import differences, explain

ONE = (
    "ZS|tasks:qasper,quality|data:sha256:ab12cd34ef56|n:470/473|rouge:corpus|stem:no"
    "|norm:lower-punct-art-ws-unidecode|post:none|engine:rouge-score-rs-0.2.1|unidecode:1.4.0|v:0.1.0"
)
TWO = ONE.replace("n:470", "n:473").replace("v:0.1.0", "v:0.2.0")


def test_a_signature_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["signature", ONE]) == 0
    assert capsys.readouterr().out == explain(Signature.parse(ONE)) + "\n"


def test_of_several_it_is_said_in_what_each_differs_from_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["signature", ONE, TWO, ONE]) == 0
    out = capsys.readouterr().out
    told = differences(Signature.parse(ONE), Signature.parse(TWO))
    assert len(told) == 2
    assert "In what signature 2 differs from the first:\n" + "".join(f"- {line}\n" for line in told) in out
    assert out.endswith("In what signature 3 differs from the first:\n- nothing: their numbers can be compared\n")


def test_a_text_that_is_no_signature_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["signature", "BLEU|nrefs:1"]) == 2
    assert "there is no field 'nrefs'" in capsys.readouterr().err
