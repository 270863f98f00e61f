"""The JSON Schemas of reports and comparisons, generated from their types; those that a test looks at are held to them.

`PYTHONPATH=tests/support python -m report_schema` writes them into the package.
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
from zs_bench.scoring import comparison_data, report_data
from zs_bench.scoring.report_data import OPTIONAL, Named

_ENDPOINT = "the app's endpoint /score_file. Scores and intervals are points, 0 to 100, unrounded."
_DIFFERENCES = "Scores and differences are points, unrounded; a difference is the other system minus the first."
#: The schemas by name: the type, name and version, the title and the description.
SCHEMAS: Mapping[str, tuple[Any, str, str, str]] = {
    "report": (
        report_data.Report,
        report_data.SCHEMA,
        "The report of a scored prediction file of ZeroSCROLLS or SCROLLS",
        f"Written by `zero-scrolls score --json`, returned by zs_bench.reports.report.as_json and by {_ENDPOINT}",
    ),
    "comparison": (
        comparison_data.ComparisonReport,
        comparison_data.SCHEMA,
        "The comparison of two or more systems on the same references",
        f"Written by `zero-scrolls compare --json`, returned by zs_bench.reports.comparison.as_json. {_DIFFERENCES}",
    ),
}
_TYPES = {str: "string", float: "number", int: "integer", bool: "boolean", NoneType: "null"}


def schema_file(name: str) -> Path:
    """Where the package has the schema of that name."""
    return Path(zs_bench.__file__).parent / "data" / f"{name}.schema.json"


def generated(name: str) -> dict[str, Any]:
    kind, schema, title, description = SCHEMAS[name]
    definitions: dict[str, Any] = {}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{schema.replace(f'-{name}/', f':{name}:')}",
        "title": title,
        "description": description,
        **_schema_of(kind, definitions),
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
def validator(name: str = "report") -> Draft202012Validator:
    schema = json.loads(schema_file(name).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def validated(report: Mapping[str, Any], name: str = "report") -> dict[str, Any]:
    """The report, as a reader of its JSON gets it."""
    data: dict[str, Any] = as_shipped(report)
    errors = validator(name).iter_errors(data)
    faults = [f"{'/'.join(map(str, fault.path))}: {fault.message[:200]}" for fault in errors]
    assert not faults, faults
    return data


if __name__ == "__main__":
    for each in SCHEMAS:
        text = json.dumps(generated(each), ensure_ascii=False, indent=2)
        schema_file(each).write_text(f"{text}\n", encoding="utf-8")
