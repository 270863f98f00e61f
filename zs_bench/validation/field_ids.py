"""References whose ids are in a field with another name, recognised since its values are the ids of the answers."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from zs_bench.files.columns import says_id
from zs_bench.files.entries import Entry
from zs_bench.problems import Place, Problem, counted, short
from zs_bench.validation.predictions import ReadPredictions
from zs_metric.texts import clean_text

#: How it is said, of answers and of references, that ids are read from this field.
READ_FROM = "The IDs are read from {}, since it holds those that answers and references share"


class Answered(NamedTuple):
    """The ids of predictions by the tasks that their rows or files name, and the values of fields that may be ids.

    These are the ids themselves, where there are some, else each field of rows without ids that no two rows share.
    """

    ids: Mapping[str, Sequence[str]]
    fields: Mapping[str, Sequence[Collection[str]]]


def answered_in(read: Iterable[ReadPredictions]) -> Answered:
    """What the predictions of systems answer."""
    ids, without = dict[str, dict[str, None]](), dict[str, list[Mapping[str, str]]]()
    for predictions in read:
        for row in predictions.rows:
            if row.task in predictions.benchmark.all_tasks and isinstance(row.id, str):
                ids.setdefault(row.task, {})[row.id] = None
            elif row.task in predictions.benchmark.all_tasks and row.others:
                without.setdefault(row.task, []).append(row.others)
    fields: dict[str, Sequence[Collection[str]]] = {task: [of_task] for task, of_task in ids.items()}
    for task in without.keys() - ids.keys():
        values = (frozenset(of_field) for of_field in values_of(without[task]).values())
        fields[task] = [each for each in values if len(each) == len(without[task])]
    return Answered({task: list(of_task) for task, of_task in ids.items()}, fields)


def values_of(rows: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """The values of each field that all rows have, one of those with the same values."""
    names = [name for name in rows[0] if all(name in row for row in rows)]
    columns = {tuple(row[name] for row in rows): name for name in reversed(names)}
    return {name: [*column] for column, name in reversed(columns.items())}


def with_field_ids(rows: Sequence[Entry], answered: Answered | None) -> tuple[list[Entry], list[Problem]]:
    """Rows of references, those without an id with that of the only field that has all ids of the answers.

    Without such a field they are left out. Returns the problems of each file too.
    """
    kept, problems, files = [row for row in rows if row.fault is None], list[Problem](), dict[object, list[Entry]]()
    for row in rows:
        if row.fault is not None:
            files.setdefault(row.name, []).append(row)
    for of_file in files.values():
        first, count = of_file[0], counted(len(of_file), "row")
        name = _id_field([row.others or {} for row in of_file], first.task, answered)
        if name is None and first.fault:
            message, place = f"{first.fault.message}. Call the one with the IDs 'id'", Place(first.place.file)
            problems.append(Problem("unreadable", message, first.fault.task, None, place, detail=count))
        elif name is not None:
            message, place = READ_FROM.format(repr(short(clean_text(name, "header")))), Place(first.place.file)
            problems.append(Problem("id-field", message, first.task, None, place, is_error=False, detail=count))
            kept += [row._replace(id=(row.others or {})[name], fault=None) for row in of_file]
    return sorted(kept, key=lambda row: row.number), problems


def _id_field(rows: Sequence[Mapping[str, str]], task: object, answered: Answered | None) -> str | None:
    """The only field that has all ids of the answers, or, of those that do so for several, the one named like ids."""
    by_task = answered.fields if answered else {}
    sets = [of_task for name, of_task in by_task.items() if name == task] or by_task.values()
    values = {name: {*column} for name, column in values_of(rows).items()}
    fit = [[name for name, found in values.items() if found.issuperset(each)] for each in chain(*sets) if len(each) > 1]
    names = dict.fromkeys(each[0] for each in fit if each) if all(len(each) < 2 for each in fit) else {}
    named = [name for name in names if says_id(name)] if len(names) > 1 else [*names]
    return named[0] if len(named) == 1 else None
