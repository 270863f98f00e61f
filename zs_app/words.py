"""All prose of the page, in one place."""

from __future__ import annotations

TITLE = "ZeroSCROLLS"
TAGLINE = (
    "Score answers to the ten long-text tasks of ZeroSCROLLS: the released evaluator's numbers, to the last digit, "
    "at once, and with the reason why."
)

TRY_TAB = "Try a task"
TRY_LEAD = "Read an example, write an answer as a model would, and watch its score."
TRY_SAMPLE = "Use the sample answer"
TRY_ANSWER = "Your answer"
TRY_ANSWER_HINT = "Write or paste an answer; it is scored as you type."
TRY_REVEAL = "Reveal the reference"
TRY_SOURCE = "These examples were written for this page, in the benchmark's own format; the real data is on the Hub."

ANSWER_TAB = "Score an answer"
ANSWER_LEAD = "Any answer against any references, by the metric of the task."
ANSWER_ADD = "Add a reference"

FILE_TAB = "Score a file"
FILE_LEAD = "Drop the answers of a whole run and the references; every task is scored, joined by id."
FILE_PREDICTIONS = "Predictions: CSV (Task,ID,Prediction), JSON, JSONL or ZIP"
FILE_REFERENCES = "References: JSONL rows, the Hub's <task>.zip, or JSON"
FILE_SAMPLE = "Load the sample"
FILE_SCORE = "Score"
FILE_PARTIAL = "Partial: score the ids that are on both sides"
FILE_FORMATS = """\
| file | looks like |
|---|---|
| official CSV | header `Task,ID,Prediction`, one row per answer |
| JSON, one per task | `preds_qasper.json` or `qasper.json`: `{"id": "answer"}` |
| JSON, all tasks | `{"qasper": {"id": "answer"}}` |
| JSONL | rows `{"task": "qasper", "id": "…", "prediction": "…"}` |
| ZIP | of any of these |
| references | the benchmark's rows (`id`, `output`; a row per reference) as `qasper.jsonl`, the Hub's `qasper.zip`, or JSON `{"id": ["reference"]}` per task, or `{"qasper": {…}}` |
"""
FILE_EMPTY = "Scores appear here: a chart, a table per task, the average over ten, and every answer, worst first."
FILE_FIRST = "Give a file of predictions and a file of references first; or load the sample to see how it looks."

NO_ANSWER_YET = "The score appears here as you type."
UNEXPECTED = "Something went wrong that should not have; your input is still there. Reference of the error: {}."
