"""The JSON Schemas of reports and comparisons, made from their types; those that a test looks at are held to them.

`PYTHONPATH=tests/support python -m report_schema` writes them into the package.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import ConfigDict, TypeAdapter, with_config
from pydantic.json_schema import GenerateJsonSchema
from shipped import as_shipped
from typing_extensions import get_original_bases, is_typeddict

import zs_bench
from zs_bench.scoring.comparison_data import ComparisonReport
from zs_bench.scoring.report_data import Report

#: The schemas by name: the type and the title.
SCHEMAS: Mapping[str, tuple[Any, str]] = {
    "report": (Report, "The report of a scored prediction file of ZeroSCROLLS or SCROLLS"),
    "comparison": (ComparisonReport, "The comparison of two or more systems on the same references"),
}
_with_texts = with_config(ConfigDict(use_attribute_docstrings=True))


class _Generator(GenerateJsonSchema):
    """Pydantic's, without a title for each field; objects have no other keys, and the texts below inherited fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def typed_dict_schema(self, schema: Any) -> dict[str, Any]:
        made = super().typed_dict_schema(schema) | {"additionalProperties": False}
        for base in filter(is_typeddict, get_original_bases(schema["cls"])):
            for name, field in _made(base)["properties"].items():
                made["properties"][name] |= {key: text for key, text in field.items() if key == "description"}
        return made


def _made(kind: Any) -> dict[str, Any]:
    return TypeAdapter(_with_texts(kind)).json_schema(schema_generator=_Generator)


def schema_file(name: str) -> Path:
    """Where the package has the schema of that name."""
    return Path(zs_bench.__file__).parent / "data" / f"{name}.schema.json"


def generated(name: str) -> dict[str, Any]:
    kind, title = SCHEMAS[name]
    schema = _made(kind)
    definitions = schema.pop("$defs")
    version = schema["properties"]["schema"]["const"].removeprefix(f"zero-scrolls-{name}/")
    about = {"$schema": _Generator.schema_dialect, "$id": f"urn:zero-scrolls:{name}:{version}"}
    return {**about, **schema, "title": title, "$defs": definitions}


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
