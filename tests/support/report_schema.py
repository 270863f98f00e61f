"""Every report that a test looks at is held to the published schema."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator
from shipped import as_shipped

SCHEMA_FILE = files("zs_bench") / "data" / "report.schema.json"


@cache
def validator() -> Draft202012Validator:
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def validated(report: dict[str, Any]) -> dict[str, Any]:
    """The report, as a reader of its JSON gets it."""
    data: dict[str, Any] = as_shipped(report)
    faults = [f"{'/'.join(map(str, fault.path))}: {fault.message[:200]}" for fault in validator().iter_errors(data)]
    assert not faults, faults
    return data
