"""Wrong usage: exit status 2, what is wrong and what to do, before anything is downloaded, and nothing is written."""

import shlex

import pytest
from written_files import write, write_folder

from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS

SCORED = "score sample.csv --source embedded"
WRONG = [
    # Commands and options
    ("scroe", "there is no command 'scroe'; did you mean 'score'?"),
    ("", "give a command; the commands are demo, score, "),
    ("--verison", "there is no command '--verison'; did you mean '--version'?"),
    ("score a.csv --refrences b", "there is no option --refrences; did you mean '--references'?"),
    ("score a.csv --nothing=1", "there is no option --nothing\n"),
    ("demo more", "zero-scrolls demo: unexpected argument 'more'\nTry:  zero-scrolls demo\n"),
    ("score", "required: PREDICTIONS\nTry:  zero-scrolls score predictions.csv --references references/\n"),
    ("score --references b a.csv", "--references takes all that follows it, so give it last"),
    ("score a.csv --references b --fail-under x", "'x' is not a number of points from 0 to 100"),
    ("score a.csv --columns id", "'id' is not ROLE=FIELD; give for example id=qid,prediction=response"),
    # Options that do not go together
    ("score sample.csv", "give what the answers are scored against: --references PATH or --source SOURCE"),
    ("score sample.csv --references references --split test", "--split and --revision go with --source"),
    (f"{SCORED} --revision main", "the source 'embedded' has no revisions"),
    (f"{SCORED} --html-references", "--html-references goes with --html OUT"),
    (f"{SCORED} --hard-ids file", "--hard-ids goes with --benchmark scrolls"),
    (f"{SCORED} --fail-under qaspr=3", "did you mean 'qasper'?"),
    (f"{SCORED} --post stripe", "no rule 'stripe' for answers; did you mean 'strip'?"),
    (f"{SCORED} --eval-results out", "name their dataset: --dataset OWNER/NAME"),
    ("verify sample.csv --accept conflict", "--accept and --fill-missing go with --fix OUT.csv"),
    ("verify sample.csv --split test", "--split goes with --source or --references, --revision with --source"),
    ("verify sample.csv --references references --revision main", "--revision with --source"),
    ("compare sample.csv --references references", "a comparison needs two systems or more"),
    ("compare sample.csv run --source embedded --margin nothing=90", "no task 'nothing'"),
    ("study sample.csv run --references x --by length", "give them with --source"),
    ("study sample.csv run --source embedded --tokens 4096", "give --tokens once for each"),
    ("variants sample.csv --source embedded --reported qasper", "is not TASK=POINTS; write for example qasper=28.5"),
    ("prompt qasper --answer-budget 9", "--answer-budget is a part of --budget; give that too, or a --preset"),
    ("prompt qasper --budget x", "'x' is not a whole number from 1"),
    ("explain quality --prediction @nowhere.txt --reference B", "nowhere.txt: No such file"),
    ("explain qasper --prediction @binary --reference x", "is not UTF-8 text"),
    ("explain qasper --prediction yes", "is explained with TASK, --prediction and --reference"),
    ("explain qasper --predictions data --references data", "or --predictions, --references and --id"),
    ("explain qasper --prediction @- --reference @-", "standard input can be read once"),
    # Sources
    *(
        (f"{command} --source {source}", hint)
        for command in ("score sample.csv", "verify sample.csv", "data", "prompt qasper")
        for source, hint in (("embeded", "did you mean 'embedded'?"), ("no/data", "check the path"))
    ),
    # Outputs
    ("data qasper --source embedded --json - --ids -", "only one document can be written to standard output"),
    (f"{SCORED} --json - --csv -", "only one document"),
    (f"{SCORED} --json out --markdown folder/../out", "only one document"),
    (f"{SCORED} --json - --format md", "only one document"),
    (f"{SCORED} --quiet --format md", "only one document"),
    ("verify sample.csv --json - --fix -", "only one document"),
    ("score run --source embedded --json run/preds_quality.json", "folder whose files are read"),
    ("score sample.csv --references references --json references/out.json", "folder whose files are read"),
    ("verify sample.csv --fix sample.csv", "would be replaced; write to another file"),
    ("verify sample.csv --fix no/such/folder/out.csv", "is in a folder that does not exist; make it first"),
    ("data qasper --json no/out", "is in a folder that does not exist"),
    ("data qasper --to file/rows", "file/rows: "),
    ("prompt qasper --source hub --out no/out", "is in a folder that does not exist"),
    ("baseline qasper --source hub --out folder", "'folder' is a folder; give the name of a file"),
    ("score loop.json --source embedded", "there is no file or folder 'loop.json'; check the path\n"),
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current directory, with answers and more."""
    write(tmp_path / "sample.csv", SAMPLE_PREDICTIONS.read_bytes())
    files = {"run/preds_quality.json": {"1": "A"}, "binary": b"\xff\xfe\x00", "file": "", "folder/x": ""}
    write_folder(tmp_path, files)
    (tmp_path / "references").symlink_to(EMBEDDED)
    (tmp_path / "loop.json").symlink_to("loop.json")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("zs_bench.dataset.sources.fetch", lambda *_, **__: pytest.fail("this is a download"))
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("line", "message"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_usage_says_what_is_wrong_and_writes_nothing(line, message, here, zero_scrolls):
    before = contents(here)
    done = zero_scrolls(*shlex.split(line))
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert done.err.startswith("zero-scrolls")
    assert contents(here) == before
