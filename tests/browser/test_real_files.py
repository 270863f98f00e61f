"""Real answers, where they are available, through the app's endpoint."""

import json

import pytest
from gradio_client import Client, handle_file
from real_answers import REAL, WITHOUT

pytestmark = [pytest.mark.real, pytest.mark.skipif(not REAL.is_dir(), reason=WITHOUT)]


@pytest.mark.parametrize(("name", "folder"), [("one", "system_one"), ("two", "system_two")])
def test_the_endpoint_gives_the_independently_computed_scores_to_the_printed_digits(url, name, folder):
    expected = json.loads((REAL / "expected.json").read_text(encoding="utf-8"))[name]
    report = Client(url, verbose=False).predict(
        predictions=[handle_file(REAL / folder / "zero_scrolls_predictions.csv")],
        references=[handle_file(path) for path in sorted((REAL / "references").iterdir())],
        api_name="/score_file",
    )
    assert round(report["score"], 4) == expected["zero_scrolls_score"]
    for task, result in report["tasks"].items():
        wanted = expected["tasks"][task]
        assert round(result["score"], 4) == wanted["score"]
        assert {key: result["metrics"][key] for key in wanted if key.startswith("rouge/")} == {
            key: value for key, value in wanted.items() if key.startswith("rouge/")
        }
        assert result["metrics"].get("rouge/geometric_mean_instance") == wanted.get("instance_mean")
        assert {row["id"]: round(row["score"], 6) for row in result["examples"]} == wanted["per_example"]
