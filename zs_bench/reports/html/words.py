"""The prose of what is drawn, in one place."""

from __future__ import annotations

FILE_LOSSES = "Where the points went"
FILE_LENGTHS = "How long the answers are (median, and the middle 80 %)"

LOSSES = {
    "format": "format: not read as it was meant",
    "typography": "typography: quotes, dashes, accents",
    "length": "length: too long",
    "content": "content",
}
LOSSES_UP_TO = "perhaps too short (an upper bound)"
