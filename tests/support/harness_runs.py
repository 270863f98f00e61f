"""Scripts for the environment of the harnesses: each asks a model that looks its answers up by the prompt.

Started with a file `{prompt: [answer, stop reason]}`, the names of tasks, a folder to write to, and where the tasks or
their examples are; the scores are written to `scores.json` in that folder.
"""

import json
import sys
from pathlib import Path
from typing import Any


def lm_eval(answers: dict[str, list[str]], tasks: list[str], out: Path, include_path: str) -> dict[str, Any]:
    """The metrics of tasks and groups; the samples are beside them, as `--log_samples` writes them."""
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    class Lookup(LM):  # type: ignore[misc]
        def generate_until(self, requests: Any, **_: Any) -> list[str]:
            assert all(request.args[1]["until"] == [] for request in requests)
            return [answers[request.args[0]][0] for request in requests]

        def loglikelihood(self, requests: Any, **_: Any) -> list[Any]:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    results = simple_evaluate(Lookup(), tasks=tasks, task_manager=TaskManager(include_path=include_path))
    tracker = EvaluationTracker(output_path=str(out))
    tracker.save_results_aggregated(results=results, samples=results["samples"])
    for name, samples in results["samples"].items():
        tracker.save_results_samples(name, samples)
    return dict(results["results"])


def inspect(answers: dict[str, list[str]], tasks: list[str], out: Path, source: str) -> dict[str, Any]:
    """The metrics of tasks, and under `unscored` how many samples have no score; the logs are beside them."""
    from inspect_ai import eval as run_tasks
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def reply(messages: Any, *_: Any) -> Any:
        answer, stop_reason = answers[messages[-1].text]
        output = ModelOutput.from_content("mockllm", answer, stop_reason)  # type: ignore[arg-type]
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # it would fetch a tokenizer
        return output

    model = get_model("mockllm/model", custom_outputs=reply)
    logs = run_tasks(
        tasks, model=model, task_args={"source": source}, log_dir=str(out), log_format="eval", display="none"
    )
    scores: dict[str, Any] = {}
    for log in logs:
        assert log.status == "success", log.error
        assert log.results
        (score,) = log.results.scores
        scores[log.eval.task] = {name: metric.value for name, metric in score.metrics.items()}
        scores[log.eval.task]["unscored"] = score.unscored_samples
    return scores


if __name__ == "__main__":
    which, file, names, folder, more = sys.argv[1:]
    run = {"lm_eval": lm_eval, "inspect": inspect}[which]
    result = run(json.loads(Path(file).read_text(encoding="utf-8")), names.split(","), Path(folder), more)
    Path(folder, "scores.json").write_text(json.dumps(result, default=str), encoding="utf-8")
