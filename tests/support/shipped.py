"""JSON as the commands and the app write it."""

import json
from typing import Any


def as_shipped(data: Any) -> Any:
    """The data as a reader of the JSON gets it: UTF-8 without escapes, no NaN."""
    return json.loads(json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8"))
