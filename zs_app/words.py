"""All prose of the page, in one place."""

from __future__ import annotations

TITLE = "ZeroSCROLLS"
TAGLINE = (
    "Score answers to the long-text tasks of ZeroSCROLLS and SCROLLS: the released evaluators' numbers, to the last "
    "digit, at once, and with the reason why."
)

DATA = (
    "What you type or upload is scored on this server and nowhere else; files and their reports are removed within the "
    "hour, and nothing of yours is logged, kept or passed on."
)

BENCHMARK = "Benchmark"

TRY_TAB = "Try a task"
TRY_LEAD = "Read an example, write an answer as a model would, and watch its score."
TRY_SAMPLE = "Use the sample answer"
TRY_ANSWER = "Your answer"
TRY_ANSWER_HINT = "Write or paste an answer; it is scored as you type."
TRY_REVEAL = "Reveal the reference"
TRY_WHERE = "Where in the document the words of your answer stand appears here."
TRY_SOURCE = "These examples were written for this page, in the benchmark's own format; the real data is on the Hub."

PROMPT_TITLE = "The prompt: form, length, copy, source"
PROMPT_VARIANT = "Form: as the benchmark has it, for a chat model, or the paper's for Claude"
PROMPT_BUDGET = "Trim to a budget (prompt and answer together; the right end trims nothing)"
PROMPT_TOKENIZER = "Counted in"
PROMPT_COPY = "Copy the prompt"
PROMPT_COPIED = "Copied {:,} characters."
PROMPT_TOO_SMALL = "This budget is too small; the whole prompt is shown"
SOURCE_TITLE = "Examples from"
SOURCE_EMBEDDED = "this page"
SOURCE_HUB = "the Hub (validation split)"
SOURCE_LOADING = "loading"
SOURCE_UNAVAILABLE = "The Hub's examples cannot be had now; the embedded ones stay"
SOURCE_DEFECTS = "What inspection found in this data"
SOURCE_NO_REFERENCE = "This example has no reference to score against."

ANSWER_TAB = "Score an answer"
ANSWER_LEAD = "Any answer against any references, by the metric of the task."
ANSWER_ADD = "Add a reference"

FILE_TAB = "Score a file"
FILE_LEAD = (
    "Drop the answers of a whole run (CSV, JSON, JSONL, ZIP) and the references; every task is scored, joined by id."
)
FILE_PREDICTIONS = "Predictions"
FILE_REFERENCES = "References"
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
FILE_FROM = "References from"
FILE_FROM_FILES = "the files above"
FILE_FROM_EMBEDDED = "the examples of this page"
FILE_FROM_HUB = "the Hub (validation split)"
SOURCE_UNAVAILABLE_FILE = "The references cannot be had from there; take files, or the examples of this page"
DOCTOR_TITLE = "looking at the ids"
DOCTOR_ACCEPT = "Repairs on request"
DOCTOR_FILL = "Fill the {:,} missing answers with empty texts, which score 0"
DOCTOR_MEND = "Repair and score again"
DOCTOR_DOWNLOAD = "The repaired zero_scrolls_predictions.csv"
READINGS_TITLE = "Which scorer made this number?"
READINGS_LEAD = "Other implementations read answers differently. Here is the file under each known reading; give a number that someone reported, and see which reading gives it."
READINGS_WHOSE = "Number of"
READINGS_NUMBER = "Reported number (as printed)"
READINGS_RUN = "Score under all readings"
READINGS_FIRST = "Score a file first."
DUEL_TITLE = "Compare with a second system"
DUEL_SECOND = "Predictions of the second system"
FILE_LEDGER = "where the points went"
FILE_FORMATS_TITLE = "File formats"
FILE_DOWNLOADS = {
    "json": "Report (JSON)",
    "csv": "Scores (CSV)",
    "markdown": "Tables (Markdown)",
    "latex": "Table (LaTeX)",
    "html": "Report to send (HTML)",
}
FILE_ANSWERS = "Every answer"
FILE_TABLE = "Worst first; click a row to open it, a heading to sort"
FILE_ANY_TASK = "all tasks"
FILE_ANY_LOSS = "anything"
FILE_LOST_TO = "Lost most to"
FILE_LOW = "Score from"
FILE_HIGH = "to"
FILE_TEXT = "Text in id, answer or reference"
FILE_FOUND = "{:,} of {:,} answers"
FILE_NONE = "No answer passes the filter."
FILE_PREVIOUS = "Previous (k)"
FILE_NEXT = "Next (j)"
FILE_EMPTY = "Scores appear here: a chart, a table per task, the average, and every answer, worst first."
FILE_FIRST = "Give a file of predictions and a file of references first; or load the sample to see how it looks."

RESULTS_TAB = "Results"
RESULTS_LEAD = {
    "zero_scrolls": "The published results of ZeroSCROLLS, all on the test set: Tables 3 and 4 of the paper and two "
    "later entries of the leaderboard.",
    "scrolls": "The published results of SCROLLS, Table 2 of the paper, all on the test set, by models that were "
    "fine-tuned. For a task scored by ROUGE the number is the geometric mean of the three printed.",
}
RESULTS_OTHER = "The file scored in the tab before is of {}; switch the benchmark to see where it stands."
RESULTS_NONE = "A file scored in the tab before appears here beside them."
RESULTS_YOURS = "your file"
RESULTS_CARE = "Compare with care"
RESULTS_STANDING = "Where your file stands"
RESULTS_SYSTEMS = "Systems"
RESULTS_LENGTHS = "The same model with more of the text"
RESULTS_TABLE = "All rows; click a heading to sort"

NO_ANSWER_YET = "The score appears here as you type."
NOT_SCORED_AT_ONCE = "Not scored here"
TOO_LONG_TO_EXPLAIN = "Scored, not explained: an answer of up to {:,} characters is, with references of up to {:,}."
UNEXPECTED = "Something went wrong that should not have; your input is still there. Reference of the error: {}."
