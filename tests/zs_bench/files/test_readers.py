"""Files read into entries: this project's formats and those of other tools; what cannot be read says why."""

import io
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_files import as_bytes, problems, read, zip_of

from zs_bench.files import limits
from zs_bench.files.entries import Entry, Nothing, ReadFile
from zs_bench.files.formats import Role, read_source
from zs_bench.files.input_files import InputFile
from zs_bench.files.names import name_task

if sys.version_info < (3, 14):
    import zipfile_zstd  # noqa: F401  (it teaches zipfile to write Zstandard)

READ = Path(__file__).parents[2] / "golden" / "read_files.txt"
TIME = "2026-06-03T10-20-30.123456"
SAMPLES = f"samples_zero_scrolls_qasper_{TIME}.jsonl"
HEADER = "Task,ID,Prediction\n"
LOG = {"version": 2, "status": "success", "eval": {"task": "zs_bench/zero_scrolls_qasper", "model": "m"}}

# --- The formats of other tools, written by hand --------------------------------------------------------------------


def harness_sample(id_: str, answer: Any, **more: Any) -> dict[str, Any]:
    """A row of `samples_<task>_<time>.jsonl` as lm-evaluation-harness 0.4 logs it for a generated answer."""
    doc = {"id": id_, "pid": f"{id_}_0", "input": "Why?", "output": "because"}
    return {"doc_id": 0, "doc": doc, "target": "because", "resps": [[f"{answer} raw"]], "filtered_resps": [answer],
            "filter": "none", "metrics": ["f1"], "f1": 0.5, **more}  # fmt: skip


def longbench(answer: str, **more: Any) -> dict[str, Any]:
    return {"pred": answer, "answers": ["yes", "no"], "all_classes": None, "length": 3531, **more}


def batch_reply(name: Any, content: str, status: int = 200, finish_reason: str = "stop") -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": finish_reason}
    return {"custom_id": name, "response": {"status_code": status, "body": {"choices": [choice]}}, "error": None}


def eee_sample(*answers: str) -> dict[str, Any]:
    return {"sample_id": "7", "evaluation_name": "Qasper", "interaction_type": "x", "output": {"raw": [*answers]}}


def inspect_sample(id_: str, completion: str, stop_reason: str = "stop", **more: Any) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": completion}, "stop_reason": stop_reason}
    return {"id": id_, "epoch": 1, "input": "Why?", "output": {"choices": [choice], "completion": completion}, **more}


def eval_log(*samples: dict[str, Any], name: str = "header.json") -> bytes:
    """The `.eval` log with these samples, as Inspect packs it."""
    return packed({f"samples/{each['id']}_epoch_1.json": each for each in samples} | {name: LOG, "summaries.json": []})


def packed(members: dict[str, Any]) -> bytes:
    return zip_of(members, 93)  # with Zstandard


SHORT = {"id": "7", "prediction": "a"}
BOTH = {"id": "7", "prediction": "an answer", "output": "a reference"}
WIDE = "\n".join(map(",".join, (["prediction", *"x" * 97, "id", "TASK"], ["an answer", *"…" * 97, "7", "qasper"])))
FILTERS = [harness_sample(id_, f"{name} {id_}", filter=name) for id_ in "78" for name in ("strict", "flexible")]
LOST = {"custom_id": "qasper/3", "response": None, "error": {"message": "expired"}}
#: The name of a file, its content, and what it is read for.
CASES: list[tuple[Any, ...]] = [
    *[("preds_qasper.json", content) for content in (
        {"7": "a"}, {}, b"", b"  \n ", b"[1, 2]", b"[]", b'"text"', b"12", b"null", b"NaN", b"true", b'{"7": "a"}x',
        b'{"7":\n"a"\n"8"}', b'{"7": "\x00"}', b'{"7": "a', b'{\n\n"7": "\xff"\n}', b"\0{",
        '{"7": "a"}'.encode("utf-16"), '{"7": "a"}'.encode("utf-16-le"), b"[" * 100_000, b'{"7":' * 100_000,
        b'{"7": [' + b"[]," * 2_000_001,
        '{"7": "a", "7": "b"}', '\ufeff{"7": "a"}', {"qaspr": {"7": "a"}},
    )],
    ("run.json", {"qaspr": {"7": "a"}}),
    ("run.json", {"x": {"7": "a"}}),
    ("all.json", {"qasper": {"7": "a"}, "qmsum": {}, "quality": ["B"], "x": {"8": 1.50}}),
    ("all.json", {"qasper": "a", "x": "b"}),
    *[("run.json", content) for content in (
        {"results": [SHORT]}, {"task": "qasper", "n": 2, "predictions": [SHORT]},
        {"qasper": [SHORT, {"id": "8", "id_": 3}], "squality": []}, {"train": [SHORT], "test": [SHORT]},
    )],
    *[("qasper.jsonl", content) for content in (
        "", " \n", b"\x1f\x8b", '{"id": "7", "id": "8"}', '[]\n{\n7\n{"a"}', '{"pid": "7_0", "prediction": "a"}\n{}',
        '{"id": "7", "prediction": "a\u2028b\x85c"}\r\n\r\n', '\ufeff{"id": "7", "prediction": "a"}\n{"id": 8}\n',
        [BOTH], [{"id": "7", "output": "a"}], [{"task": "qmsum", "id": "7", "prediction": None}],
        [{"doc": {"id": "8"}, "id": "7", "prediction": "a"}], [batch_reply("7", "a"), {"id": "8", "prediction": "b"}],
        [longbench("a", _id="7")], [longbench("a")], [{"gt": "yes", "m_pred": "a"}, {"gt": "yes", "m_pred": 3}],
        [{"a_pred": "x", "b_pred": "y", "gt": "z"}],
    )],
    *[("qasper.jsonl", content, "references") for content in (
        [BOTH], [{"id": "7", "prediction": "a"}], [{"id": "7", "pid": "7_0"}], [{"pid": "7_0", "output": "a"}],
        [{"id": "7", "references": ["a", "b"]}], [longbench("a"), longbench("b", _id="8")],
        [{"_id": "8", "answers": ["a"]}],
    )],
    ("x.jsonl", ""),
    ("qasper/test.json", {"7": ["a"]}, "references"),
    ("a.jsonl", [{"qid": "7", "response": "yes"}, {"x": "y"}], "predictions", {"id": "qid", "prediction": "response"}),
    ("a.csv", "qid;response,a,b\n7;yes\n", "predictions", {"id": "qid", "prediction": "response,a,b"}),
    ("a.csv", "qid,response,n\n7,yes,1\n", "predictions", {"id": "qid", "prediction": "text"}),
    ("qasper/test.jsonl", [{"id": "7", "output": "a"}], "references"),
    ("a.csv", f"{HEADER}qasper,7,a\n", "references"),
    *[("a.csv", content) for content in (
        "", " \n\n", b"%PDF-1.7", b"PK\x03\x04", HEADER.encode("utf-16"), "x" * 1_000_000, b"\xff,a", "qasper,7,a\n",
        "Task;ID;Answer\nqasper;7;a\n", "task,predicted_answer\nqasper,a\n", "qid,response,n\n1,2,3\n", WIDE,
        "task,response\n1,2", "task,id\nqasper,7\n", "Response;QID\nyes;7\n",
        "task,id,predicted_answer,x\nqasper,7,a,b\n", f'{HEADER}qasper,7,"a, b; c"\n \t\n\nqasper,"8 ",\n',
        "\ufeffprediction\tx\ttask\tid\r\nyes\t\tqasper\t7\r\n", "Prediction,Task,ID\na,b,qasper,7\n",
        '"Task","ID","Prediction"\nqasper,7,"a\nb"\nqasper,8,c', "Task;ID;Prediction\nqasper;7;a, b\nqasper;8;b; c\n",
        f'{HEADER}qasper,7\nqasper,8,a,b\nqasper,9,a,"b"\n',
        *(HEADER.encode() + b"qasper,7," + bad + b"\nquality,8,B\n" for bad in (b"\xff", b"\0", b"a,\xff")),
        f'{HEADER}qasper,7,"a\n', f"{HEADER}qasper,7," + "a" * 20_000_001,
    )],
    ("qasper.tsv", "id\tprediction\n7\ta\n"),
    *[(SAMPLES, content) for content in (
        [harness_sample("7", "a")], [{"doc": {"id": "7"}, "resps": [["a"]]}], FILTERS,
        [harness_sample("7", "a", filtered_resps=[["a"]]), harness_sample("8", "a", filtered_resps=["a", "b"])],
        [harness_sample("7", "a", resps=[["a", "b"]])],
    )],
    (SAMPLES, [harness_sample("7", "a")], "references"),
    (SAMPLES, [harness_sample("7", "a", doc={"id": "7", "outputs": ["x", "y"]})], "references"),
    ("out.jsonl", [
        batch_reply("qasper/7", "a"), batch_reply("a/7", "b"), batch_reply(7, "b"), LOST,
        batch_reply("qasper/1", "too long", 400), batch_reply("qasper/2", "no", finish_reason="content_filter"),
    ]),
    ("x_samples.jsonl", [eee_sample("a"), eee_sample("a", "b"), eee_sample()]),
    ("x.json", {"evaluation_id": "x", "evaluation_results": []}),
    ("log.json", {**LOG, "samples": [
        inspect_sample("7", "a"), inspect_sample("8", "too long", "model_length"), {"id": "11"}, 3,
        inspect_sample("9", "no", "content_filter"), inspect_sample("10", "half", error={"message": "x"}),
        inspect_sample("7", "no", epoch=2),
    ]}),
    ("preds_qmsum.json", {"eval": {"task": "scrolls_qasper"}, "samples": [inspect_sample("7", "a")]}),
    ("preds_qmsum.json", {"eval": {"task": "mine"}, "samples": [inspect_sample("7", "a")]}),
    *[("a.eval", content) for content in (
        eval_log(inspect_sample("7", "a")), eval_log(inspect_sample("7", "a"), name="_journal/start.json"), b"",
        eval_log(inspect_sample("7", "yes"))[:-30], packed({"answers.json": {"7": "yes"}}), eval_log(),
        packed({"header.json": LOG, "samples/7.json": b"[]"}), packed({"header.json": LOG, "samples/7.json": b"{"}),
    )],
]  # fmt: skip


def story(name: str, content: Any, role: Role = "predictions", columns: Any = None) -> Iterator[str]:
    """What is read in a file, a line each."""
    file = ReadFile(name, columns=columns or {})
    items = list(read_source(InputFile.in_memory(name, as_bytes(content)), role, file))
    yield f"# {name} as {role}" + (f": {str(content)[:60]!r}" if "eval" not in name else "")
    yield f"{file.format}; {short(file.header)}; {file.delimiter!r}"
    for item in items:
        if isinstance(item, Nothing):
            yield f"nothing of {item.task}"
            continue
        where = item.place.row if item.place else "?"
        if isinstance(item, Entry):
            fault = f" {item.fault.kind}: {item.fault.message}" if item.fault else ""
            value = short(item.value), item.references, item.split
            yield f"{where}: {item.task!r} {item.id!r} {value}{fault}"
        else:
            kind = f"{['warning', 'error'][item.is_error]} {item.kind}"
            yield f"{where}: {kind} {item.task} {item.id}: {item.message} ({item.detail})"
            assert len(f"{item.message} {item.detail}") < 250, item


def short(value: Any) -> Any:
    return value if len(str(value)) < 200 else f"{str(value)[:40]}…"


def test_every_file_is_read_as_it_should_be() -> None:
    """Each line of `golden/read_files.txt` is read before it is changed."""
    assert [line for case in CASES for line in story(*case)] == READ.read_text(encoding="utf-8").splitlines()


NAMES = {
    "qasper": "qasper preds_qasper predictions-qasper qasper_preds refs_qasper preds_qasper|(1) runs/preds_qasper "
    "qasper_validation mock_qasper qasper_gpt4 gpt4_qasper results_qasper qasper_outputs qasper_0shot qasper.llama3 "
    "2024-05-01_qasper_gold Qasper.pred scientific_qa.pred LEval_scientific_qa qasper/test preds_qasper/validation "
    "musique/qasper runs/api/gpt_4/qasper/preds qasper_256-bart_validation/generated_predictions",
    "gov_report": "gov_report_summ.pred meeting_summ/gov-report govreport_v2 GovReport "
    f"samples_zero_scrolls_govreport_{TIME} samples_zeroscrolls_gov_report_{TIME}",
    "qmsum": "meeting_summ.pred qmsum_2",
    "summ_screen_fd": "tv_show_summ.pred SummScreenFD",
    "quality_hard": "quality_hard preds_quality-hard",
    "quality": "quality high_quality",
    "space_digest": f"samples_space_digest_{TIME} samples_zs_space_digest_{TIME}",
    "scrolls_qasper": f"samples_scrolls_qasper_{TIME}",
    **{name: name for name in ("preds", "qasper_vs_musique", "qasper2", "hellaswag", "test")},
}


@pytest.mark.parametrize("task", NAMES)
def test_the_name_of_a_file_tells_its_task(task: str) -> None:
    names = NAMES[task].split()
    read_as = {name: name_task(PurePosixPath(f"{name.replace('|', ' ')}.jsonl")) for name in names}
    assert read_as == dict.fromkeys(names, task)


CELLS = st.sampled_from(
    ["a", "b c", " ", "nan", "é\u2028\x0b", "'", 'x"y', '"a"', '""', '" "', '"a""b"', '"x\n y"', '"\r\n"', '"a"b', '"']
)
ROWS = st.lists(CELLS, min_size=3, max_size=3).map(",".join) | st.sampled_from(["", " \t", "\r", "\ufeff,a,b", "a,b"])
LINES = st.tuples(st.lists(ROWS, max_size=4), st.sampled_from(["\n", "\r\n", "\r"])).map(lambda at: at[1].join(at[0]))


@settings(max_examples=300)
@given(LINES | st.text(alphabet='ab,,,"""\n\n\r \t\'é\ufeff\u2028\x0b\x1a\\#', max_size=40))
def test_every_csv_row_that_is_accepted_is_read_as_the_official_check_reads_it(text: str) -> None:
    data = (HEADER + text).encode()
    items = list(read("answers.csv", data))
    # pandas loses an empty first cell after a line that is a lone carriage return, and older ones fail at a blank there
    if all(isinstance(entry, Entry) and entry.task and not entry.fault for entry in items) and "\r " not in text:
        official = pd.read_csv(io.BytesIO(data), dtype=object, keep_default_na=False).values.tolist()
        assert [[entry.task, entry.id, entry.value] for entry in items] == official


def within(megabytes: float, run: Callable[[], Any]) -> Any:
    tracemalloc.start()
    try:
        result = run()
        assert tracemalloc.get_traced_memory()[1] < megabytes * 1e6
    finally:
        tracemalloc.stop()
    return result


def test_rows_are_read_one_by_one_in_little_memory_and_one_that_is_too_long_is_left_out() -> None:
    data = as_bytes([{"id": "7", "input": "word " * 20_000, "output": "a"}]) * 300
    assert within(5, lambda: sum(1 for _ in read("qasper/test.jsonl", data, "references"))) == 300
    data = b'{"id": "7", "prediction": "' + b"a" * 50_000_000 + b'"}\n{"id": "8", "prediction": "b"}\n'
    problem, entry = within(150, lambda: list(read("qasper.jsonl", data)))
    assert (problem.message, problem.task, problem.place.row) == ("the line is longer than 20 MB", "qasper", 1)
    assert (entry.id, entry.place.row) == ("8", 2)


def parquet_of(count: int) -> bytes:
    """A file of so many equal rows of two texts of 1,000 characters, each of which is stored once."""
    rows, file = pa.array([0] * count, pa.int8()), io.BytesIO()
    columns = {name: pa.DictionaryArray.from_arrays(rows, pa.array([name[0] * 1_000])) for name in ("id", "prediction")}
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def test_a_small_parquet_file_of_many_rows_is_refused_by_its_footer_before_any_row_is_read() -> None:
    """30,000,000 equal rows took 168 kB and held a job's place for three minutes."""
    rows = parquet_of(limits.UPLOADS.entries + 1)
    assert len(rows) < 100_000
    (problem,) = read_source(
        InputFile("a.parquet", PurePosixPath("a.parquet"), lambda: io.BytesIO(rows), len(rows)), "predictions"
    )
    assert "it has 200,001 rows, more than 200,000" in problem.message


def test_texts_that_a_parquet_file_has_as_bytes_are_read_as_utf_8() -> None:
    def read(text: bytes) -> list[Any]:
        stream = io.BytesIO()
        pq.write_table(pa.table({"id": [b"7"], "prediction": [text]}), stream)
        return [*read_source(InputFile.in_memory("qasper.parquet", stream.getvalue()), "predictions")]

    (entry,) = read("café".encode())
    assert (entry.id, entry.value) == ("7", "café")
    (problem,) = read(b"caf\xe9")
    assert "a value is bytes that are no text in UTF-8; write texts" in problem.message


def test_a_text_that_a_parquet_file_stores_once_counts_in_each_row() -> None:
    rows = InputFile.in_memory("a.parquet", parquet_of(50))
    with limits.using(limits.Limits(whole=20_000)):
        *read_rows, problem = read_source(rows, "predictions")
    assert (len(read_rows), problem.message) == (10, "it unpacks to more than 20 kB")


def test_a_file_that_breaks_off_or_exceeds_a_limit_while_it_is_read_is_a_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Broken(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise OSError(5, "Input/output error")

    (problem,) = read_source(InputFile("qasper.json", PurePosixPath("qasper.json"), Broken, 10), "predictions")
    assert "the file cannot be read (Input/output error)" in problem.message
    assert str(problem.place) == "qasper.json"
    damaged = bytearray(packed({"header.json": LOG, "samples/7.json": inspect_sample("7", "yes " * 1000)}))
    start = damaged.index(b"samples/7.json") + len("samples/7.json")
    damaged[start : start + 20] = bytes(20)
    assert "samples/7.json cannot be read" in problems("a.eval", bytes(damaged))[0].message
    assert "the Parquet file cannot be read" in problems("a.parquet", b"PAR1 PAR1")[0].message
    large, rows = eval_log(inspect_sample("7", "a" * 100_000)), parquet_of(50)
    for limit, name, content, says in (
        ({"whole": 5}, "qasper.json", {"7": "a"}, "the file is larger than 0.005 kB"),
        ({"whole": 10_000}, "a.eval", large, "samples/7_epoch_1.json unpacks to 200.2 kB, more than 10 kB"),
        ({"total": 10_000}, "a.eval", large, "the log unpacks to 200.2 kB, more than 10 kB"),
        ({"entries": 49}, "a.parquet", rows, "it has 50 rows, more than 49"),
        ({"values": 99}, "a.parquet", rows, "it has more than 99 values; leave out the columns that are not needed"),
    ):
        with limits.using(limits.Limits(**limit)):
            assert problems(name, content)[0].message == says
    with monkeypatch.context() as patched:
        patched.setattr(limits, "MAX_DIRECTORY", 100)
        assert problems("a.eval", large)[0].message == "the list of the files in it is too long"
    if sys.version_info < (3, 14):  # Python reads Zstandard itself from then on
        monkeypatch.setitem(sys.modules, "zipfile_zstd", None)
        assert "needs zipfile_zstd" in problems("a.eval", large)[0].message
