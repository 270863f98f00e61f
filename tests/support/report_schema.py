"""The JSON Schema of reports, generated from their types; every report that a test looks at is held to it.

`PYTHONPATH=tests/support python -m report_schema` writes it into the package.
"""

import json
from collections import ChainMap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from jsonschema import Draft202012Validator
from shipped import as_shipped

import zs_bench
from zs_bench.scoring.report_data import OPTIONAL, SCHEMA, Named, Report

SCHEMA_FILE = Path(zs_bench.__file__).parent / "data" / "report.schema.json"
_TYPES = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}


def generated() -> dict[str, Any]:
    definitions: dict[str, Any] = {}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{SCHEMA.replace('-report/', ':report:')}",
        "title": "The report of a scored prediction file of ZeroSCROLLS or SCROLLS",
        "description": "Written by `zero-scrolls score --json`, returned by zs_bench.reports.report.as_json and by the "
        "app's endpoint /score_file. Scores and intervals are points, 0 to 100, unrounded.",
        **_schema_of(Report, definitions),
        "$defs": definitions,
    }


def _schema_of(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(arguments[0], arguments[1:], definitions)
    if origin in (Union, UnionType):
        parts = [_schema_of(part, definitions) for part in arguments]
        types = {"type": [part.get("type") for part in parts]}
        return {"anyOf": parts} if types == {"type": [None, "null"]} else {**ChainMap(types, *parts)}
    if is_typeddict(kind):
        return _object(kind, definitions)
    if origin in (Mapping, Sequence, list):
        inner = {} if arguments[-1] is Any else _schema_of(arguments[-1], definitions)
        key, name = ("additionalProperties", "object") if origin is Mapping else ("items", "array")
        return {"type": name, **({key: inner} if inner else {})}
    return {"type": _TYPES[kind]}


def _object(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    fields = get_type_hints(kind, include_extras=True)
    optional = [name for name, field in fields.items() if OPTIONAL in getattr(field, "__metadata__", ())]
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name in fields if name not in optional],
        "properties": {name: _schema_of(field, definitions) for name, field in fields.items()},
    }


def _annotated(kind: Any, notes: Sequence[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    name = next((note for note in notes if isinstance(note, Named)), None)
    keywords = dict(note for note in notes if type(note) is tuple)
    own = {} if {"const", "enum"} & keywords.keys() else _schema_of(kind, definitions)
    schema = own | keywords
    if name:
        definitions[name.name] = schema | ({"description": name.description} if name.description else {})
        schema = {"$ref": f"#/$defs/{name.name}"}
    texts = [note for note in notes if type(note) is str and note != OPTIONAL]
    return schema | ({"description": texts[0]} if texts else {})


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


if __name__ == "__main__":
    SCHEMA_FILE.write_text(json.dumps(generated(), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
