"""The prose of what is drawn, in one place."""

from __future__ import annotations

FILE_REFUSED = "Refused: this was not scored"
FILE_ODD = "Scored, but look at this"
FILE_MEAN = "Mean of tasks"
FILE_AVERAGE = "ZeroSCROLLS score"
FILE_AVERAGE_LONG = "ZeroSCROLLS score, the average over the ten tasks"
FILE_PARTLY = " (partial: not all answers are there)"
FILE_LOSSES = "Where the points went"
FILE_LENGTHS = "How long the answers are (median, and the middle 80 %)"

MARKS_LEAD = "Averages on the test set:"
MARKS = {"naive": "naive baseline", "gpt4": "GPT-4 (2023)", "human": "human"}
