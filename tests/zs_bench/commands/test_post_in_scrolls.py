"""`--post` in SCROLLS, where one task has a name that ZeroSCROLLS does not know."""

import json
from pathlib import Path

from zs_bench.cli import main
from zs_bench.dataset.embedded import sample_predictions


def test_answers_are_cut_at_their_tags_also_when_contract_nli_is_there(tmp_path: Path) -> None:
    files = [str(sample_predictions("scrolls")), "--source", "embedded", "--benchmark", "scrolls"]
    plain, cut = tmp_path / "plain.json", tmp_path / "cut.json"
    assert main(["score", *files, "--json", str(plain)]) == 0
    assert main(["score", *files, "--json", str(cut), "--post", "cut-at-tag"]) == 0
    scores = [json.loads(path.read_text(encoding="utf-8"))["tasks"]["contract_nli"]["score"] for path in (plain, cut)]
    assert scores[0] == scores[1] is not None
