"""The prose of what is drawn, in one place."""

from __future__ import annotations

FILE_REFUSED = "Refused: this was not scored"
FILE_ODD = "Scored, but look at this"
FILE_SIGNATURE = "Signature:"
FILE_MEAN = "Mean of tasks"
FILE_AVERAGE = "{} score"
FILE_AVERAGE_LONG = "{} score, the average over the {} tasks"
FILE_PARTLY = " (partial: not all answers are there)"
FILE_LOSSES = "Where the points went"
FILE_LENGTHS = "How long the answers are (median, and the middle 80 %)"

MARKS_LEAD = "Averages on the test set:"
MARKS = {"naive": "naive baseline", "gpt4": "GPT-4 (2023)", "best": "LED with 16,384 tokens", "human": "human"}

LOSSES = {
    "format": "format: not read as it was meant",
    "typography": "typography: quotes, dashes, accents",
    "length": "length",
    "content": "content",
}

REPORT_TITLE = "{}: a scored file"
REPORT_MADE = "Made by zero-scrolls {}; ROUGE by {}."
REPORT_WITH = "This report shows references. Do not publish it where models may learn from it."
REPORT_WITHOUT = "What the references say is left out; the answers are as they were given."
REPORT_TELLING = "The most telling answers"
REPORT_RULE = (
    "Answers that lost points, the tasks and the kinds of loss in turns (format, typography, length, content), whoever "
    "lost most first, equal answers once. Open one to see why it has its score."
)
LOST_MOST = "lost most to {}"
TOO_LONG = "An answer of more than {:,} characters is scored, not explained."

DATA_TITLE = "How long inputs and outputs are, and how far the outputs are spread"
DATA_MADE = "Made by zero-scrolls {}. No text of the data is in this file."
DATA_IN = "Words of the inputs"
DATA_IN_LONG = "The whole input, with the question and what else the prompt says; one for each example."
DATA_OUT = "Words of the outputs"
DATA_OUT_LONG = "One for each reference."
DATA_SPREAD = "Spread of the outputs over their documents"
DATA_SPREAD_LONG = (
    "Pairs of neighbouring words of the output are looked for in the document; the spread is the standard deviation of "
    "the places, in words, at which they first stand there (SCROLLS, section 4). One for each example of whose output "
    "a pair was found."
)
DATA_NUMBERS = "The numbers, in words"
DATA_NOTHING = "Nothing could be read."
