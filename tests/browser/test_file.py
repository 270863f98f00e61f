"""The tab "Score a file" in a real browser: files, problems, answers, comparisons, and a slow or lost network."""

import asyncio
import csv
import io
import json
import re
import shutil
import threading
from types import SimpleNamespace

import pytest
from file_tab import (
    choose,
    compare,
    exported,
    give,
    is_listed,
    is_scored,
    listed,
    load_sample,
    open_file_tab,
    open_options,
    press_score,
    score_against_this_page,
    score_files_in_tab,
)
from make_space import ROOT
from page_actions import LAYOUT_SHIFT, choose_benchmark
from playwright.sync_api import expect
from slow_network import at_distance
from started_app import free_port, started_app
from wire import Wire
from written_files import write, write_zip

from zs_app import words
from zs_app.tabs import score_file
from zs_bench.benchmarks import BENCHMARKS
from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS, load_embedded
from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files
from zs_bench.variants import rescored_file

pytestmark = pytest.mark.browser

REFERENCES = {"qasper": {"a": ["yes"], "b": ["no"]}, "quality": {"c": ["A"]}}
with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as _file:
    SAMPLE = [tuple(row.values()) for row in csv.DictReader(_file)]


def table(*rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


@pytest.fixture
def tab(shared_page):
    """The page with the tab open, its settings and filters as they are at first; files and report may be there."""
    shared_page.bring_to_front()  # behind another page the browser draws it once a second
    shared_page.set_viewport_size({"width": 1280, "height": 900})
    if shared_page.locator("#benchmark").input_value() != "zero_scrolls":
        choose_benchmark(shared_page, "ZeroSCROLLS")
    open_file_tab(shared_page)
    open_options(shared_page)
    shared_page.get_by_label(words.FILE_PARTIAL).uncheck()
    shared_page.locator("#file-settings [name=post]").fill("")
    shared_page.locator("#file-source [value=files]").evaluate("choice => choice.click()")  # hidden beside the sample
    shared_page.evaluate("document.querySelector('#file-form').reset()")
    return shared_page


# ---- Files, settings and the report


FIRST_SCREEN = """() => {
  const isSeen = (part) => {
    const { width, top } = part.getBoundingClientRect();
    return width > 1 && top < innerHeight && part.checkVisibility() && !part.closest(".zs-unseen, .zs-skip");
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), words = [];
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    if (parentElement.closest("script, style, option") || !isSeen(parentElement)) continue;
    words.push(...(textContent.match(/\\S+/g) ?? []));
  }
  const controls = [...document.querySelectorAll("a, button, input, select, textarea, summary")].filter(isSeen);
  return [words.length, controls.length];
}"""


def test_the_first_screen_has_few_words_the_samples_scores_and_average_in_view_and_nothing_moves(open_page):
    page = open_page(height=800, query="&tab=file")
    expect(page.locator("#file-example tbody tr").nth(10)).to_be_in_viewport(ratio=1)
    page.wait_for_load_state("networkidle")
    words_seen, controls = page.evaluate(FIRST_SCREEN)
    assert words_seen <= 90
    assert controls <= 14
    assert page.evaluate(LAYOUT_SHIFT) < 0.05


def test_before_a_file_is_chosen_the_settings_are_folded_the_sample_has_its_name_and_one_in_effect_is_seen(
    open_page, tmp_path, navigate
):
    page = open_page(query="&tab=file")
    options, partial = page.locator("#file-options"), page.get_by_label(words.FILE_PARTIAL)
    source = page.locator("#file-source")
    expect(page.locator("#file-example .zs-badge")).to_have_text(words.FILE_EXAMPLE_NAME)
    for folded in (partial, page.locator("#file-formats td").first, source):
        expect(folded).to_be_hidden()
    give(page, "predictions", write(tmp_path / "p.json", BASE))
    expect(source).to_be_visible()
    options.get_by_text(words.FILE_OPTIONS).click()
    partial.check()
    navigate(page.reload)
    expect(partial).to_be_checked()
    expect(partial).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (320, 640)])
def test_a_report_and_a_comparison_that_arrive_move_nothing(open_page, width, height):
    page = open_page(width=width, height=height, query="&tab=file")
    page.wait_for_load_state("networkidle")

    def moved_by(button, shown):
        before = page.evaluate(LAYOUT_SHIFT)
        page.locator(button).dispatch_event("click")  # what moves in half a second after a real click is not counted
        expect(page.locator(shown)).to_be_in_viewport()
        is_scored(page)
        return page.evaluate(LAYOUT_SHIFT) - before

    assert moved_by("#file-sample", "#file-report .zs-total") < 0.05
    ends = page.evaluate(
        "['file-details', 'audit'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON())"
    )
    assert round(ends[1]["top"] - ends[0]["bottom"]) == 12
    page.locator("[data-file=compare]").dispatch_event("click")
    give(page, "second", SAMPLE_PREDICTIONS)
    assert moved_by("#file-compare-run", "#file-report .zs-verdict") < 0.05


def test_scoring_without_files_says_what_is_needed(tab, tmp_path):
    """This test comes first, on a page where no file was chosen."""
    expect(tab.locator("#file-score")).not_to_have_css("color", "rgb(255, 255, 255)")  # it does nothing yet
    choose(tab, "predictions", write(tmp_path / "cert.pem", "x"))
    expect(tab.locator("#file-status")).to_contain_text("Not read: cert.pem.")
    expect(tab.locator("#file-files li")).to_have_count(0)
    press_score(tab)
    expect(tab.locator("#file-status")).to_have_text(words.FILE_FIRST)
    give(tab, "predictions", write(tmp_path / "p.json", {"qasper": {"a": "yes"}}))
    press_score(tab)
    expect(tab.locator("#file-status")).to_have_text(words.FILE_FIRST_REFERENCES)
    tab.locator("#file-sample").click()
    is_scored(tab)
    expect(tab.locator("#file-source")).to_be_visible()
    press_score(tab)  # one's own file, not the sample again
    expect(tab.locator("#file-status")).to_have_text(words.FILE_FIRST_REFERENCES)
    tab.locator("#file-files").get_by_role("button", name="Remove p.json").click()
    expect(tab.locator("#file-files li")).to_have_count(0)
    expect(tab.locator("#file-status")).to_be_hidden()


def test_two_zips_at_once_are_two_systems_compared_on_the_references_in_them(tab, tmp_path):
    texts = {"a": "red", "b": "blue"}
    rows = {
        name: [{"prediction": text, "answer": "red", "length": n} for n in range(12)] for name, text in texts.items()
    }
    zips = [write_zip(tmp_path / f"{name}.zip", {"pred/qasper.jsonl": of_name}) for name, of_name in rows.items()]
    choose(tab, "predictions", *zips)
    expect(tab.locator("#file-second li")).to_contain_text("b.zip")
    expect(listed(tab, "predictions")).to_have_count(1)
    press_score(tab)
    is_scored(tab)
    expect(tab.locator("#file-report .zs-verdict")).to_contain_text("b is worse than a")
    expect(tab.locator(".zs-file-line")).to_contain_text("12 predictions and b.zip")
    expect(tab.locator(".zs-file-line")).to_contain_text("the references beside the answers · 12 references")
    tab.locator("[data-file=alone]").click()
    expect(tab.locator("#file-report .zs-verdict")).to_have_count(0)
    is_scored(tab, 100)
    tab.locator("#file-inputs .zs-remove, #file-second .zs-remove").evaluate_all(
        "all => all.forEach((each) => each.click())"
    )
    expect(tab.locator("#file-files li, #file-second li")).to_have_count(0)


#: The answers to the tasks of LongBench in English and code, of which both of their averages are.
LONGBENCH = dict.fromkeys(BENCHMARKS["longbench"].weights("english"), "Ada Lovelace")
LONGBENCH |= {"trec": "Food", "passage_count": "1", "passage_retrieval_en": "Paragraph 1"}


def longbench_run(folder, share):
    """A folder as LongBench writes it, with that share of right answers, and its `result.json`."""
    for task, right in LONGBENCH.items():
        questions = BENCHMARKS["longbench"].tasks[task].size.test
        rows = [
            {
                "pred": right if n < questions * share else "no",
                "answers": [right],
                "all_classes": ["Food", "Date"],
                "length": n,
            }
            for n in range(questions)
        ]
        write(folder / f"{task}.jsonl", rows)
    write(folder / "result.json", {})
    return folder


def drop_from_disk(page, *paths):
    """Drop files or folders on the middle of the page, as from a file manager."""
    client = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        client.send("Input.dispatchDragEvent", {"type": kind, "x": 640, "y": 300, "data": data})
    client.detach()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["folders", "ZIPs"])
def test_two_runs_of_longbench_dropped_at_once_have_its_averages_and_a_verdict(page, tmp_path, kind):
    runs = [longbench_run(tmp_path / "pred" / name, share) for name, share in (("full", 1), ("compressed", 0.5))]
    if kind == "ZIPs":
        files = [{f"pred/{run.name}/{each.name}": each.read_text("utf-8") for each in run.iterdir()} for run in runs]
        runs = [write_zip(tmp_path / f"{run.name}.zip", of_run) for run, of_run in zip(runs, files, strict=True)]
    drop_from_disk(page, *runs)
    expect(page.locator("#file-second li").first).to_be_visible()
    press_score(page)
    expect(page.locator("#file-report .zs-verdict")).to_contain_text(
        "English, mean of six categories: compressed is worse than full"
    )
    is_scored(page)
    expect(page.locator("#file-tab")).to_contain_text("LongBench")
    expect(page.locator("#file-tab")).to_contain_text("HotpotQA")
    if kind == "folders":  # one folder on the box of the other system takes its place
        expect(page.locator("#compare-names [name=B]")).to_have_value("compressed")
        drop_from_disk(page, tmp_path / "pred" / "full")
        expect(page.locator("#file-files li")).to_have_count(len(LONGBENCH) + 1)
    else:  # the score of one has both averages in large figures
        page.locator("[data-file=alone]").click()
        for title in ("English, mean of six categories", "English and code, mean of 16 tasks"):
            expect(page.locator("#file-report .zs-total")).to_contain_text(title)


def test_the_sample_is_scored_exported_and_replaced_by_ones_own_files(tab, tmp_path):
    load_sample(tab)
    is_scored(tab, report.as_json(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]))["score"])
    expect(tab.locator("#per-task tbody tr .zs-rowbar b")).to_have_count(10)
    expect(tab.locator("#file-source")).to_be_hidden()  # the sample has its own references
    rows = list(csv.DictReader(io.StringIO(exported(tab, "csv"))))
    assert len([row for row in rows if row["level"] == "answer"]) == 20
    give(tab, "predictions", write(tmp_path / "mine.json", {"qasper": {"a": "yes", "b": "perhaps"}}))
    expect(tab.locator("#file-source")).to_be_visible()
    give(tab, "references", write(tmp_path / "known.json", REFERENCES))
    expect(tab.locator("#file-tab")).to_have_attribute("data-report", "outdated")
    expect(tab.locator("#file-report .zs-menu")).to_be_hidden()
    tab.get_by_role("button", name=words.FILE_AGAIN, exact=True).click()
    is_scored(tab)
    line = tab.locator(".zs-file-line")
    expect(line).to_contain_text(re.compile(r"mine.json · 2 predictions\s+against\s+known.json · 2 references"))
    expect(tab.locator("#file-report .zs-total")).to_be_in_viewport()
    expect(tab.locator("#per-task [data-task]")).to_have_count(1)
    expect(tab.locator("#file-found")).to_contain_text("2 of 2 answers")


def test_tables_are_filtered_and_sorted_and_an_answer_is_opened(tab):
    load_sample(tab)
    count, opened, answers = tab.locator("#file-found"), tab.locator("#file-opened"), tab.locator("#file-answers")
    tab.locator("#per-task").get_by_role("button", name="NarrativeQA").click()
    expect(count).to_contain_text("2 of 20 answers")
    tab.locator("#file-form [name=task]").select_option("any")
    expect(count).to_contain_text("20 of 20 answers")
    tab.get_by_role("button", name=words.FILE_ALL_ANSWERS).click()
    answers.locator("thead").get_by_role("button", name="Score").click()
    expect(answers.locator("th[aria-sort=descending]")).to_have_text("Score")
    expect(opened.locator(".zs-score").first).to_have_attribute("data-score", "100.0000")
    expect(tab.locator("#file-tasks")).to_be_hidden()  # the opened answer has its place
    assert tab.locator(".zs-beside").bounding_box()["width"] >= 760
    row = answers.locator("tbody tr").nth(7)
    tops = [row.locator(cell).bounding_box()["y"] for cell in ("th", "td.num", ".zs-one-line")]
    assert tops[0] + 20 < tops[2] > tops[1] + 20  # the prediction has a line of its own
    row.click()
    expect(opened).to_contain_text("8 of 20")
    tab.keyboard.press("j")
    expect(opened).to_contain_text("9 of 20")
    expect(answers.locator("tr[aria-selected=true]")).to_have_attribute("data-place", "8")
    bar = tab.get_by_role("button", name="answers, score 10 to 20")
    for shown in (3, 20):
        bar.click()
        expect(count).to_contain_text(f"{shown} of 20 answers")
    tab.locator("#file-form [name=text]").fill("8-1-10")
    expect(count).to_contain_text("1 of 20 answers")
    expect(opened).to_contain_text("not in the list: 8110")
    tab.locator("#file-form [name=text]").fill("s4002")
    expect(opened.locator(".zs-asked")).to_contain_text("?")


@pytest.mark.slow
def test_more_rows_are_listed_with_the_first_of_them_opened_and_in_view(tab, tmp_path):
    ids = [f"q{n}" for n in range(150)]
    files = ({"qasper": dict.fromkeys(ids, text)} for text in ("yes", ["yes"]))
    score_files_in_tab(tab, *(write(tmp_path / f"{n}.json", texts) for n, texts in enumerate(files)))
    is_listed(tab, 150)
    tab.get_by_role("button", name=words.FILE_ALL_ANSWERS).click()
    tab.get_by_role("button", name=words.FILE_MORE).click()
    expect(tab.locator("#file-opened")).to_contain_text("101 of 150")
    expect(tab.locator("#file-answers tr[aria-selected=true]")).to_be_in_viewport()


@pytest.mark.slow
def test_the_next_answer_is_read_from_its_top(tab):
    load_sample(tab)
    opened, beside = tab.locator("#file-opened"), tab.locator(".zs-beside")
    tab.locator("#per-task").get_by_role("button", name="GovReport").click()
    expect(opened).to_contain_text(re.compile(r"1 of 2\b"))  # and no longer of 20
    beside.evaluate("beside => beside.scrollTo(0, 99)")
    assert beside.evaluate("beside => beside.scrollTop") > 50
    tab.keyboard.press("j")
    expect(opened).to_contain_text(re.compile(r"2 of 2\b"))
    assert beside.evaluate("beside => beside.scrollTop") == 0


@pytest.mark.slow
def test_the_variant_that_gives_a_reported_number_is_named(tab):
    scores = rescored_file(score_files([SAMPLE_PREDICTIONS], [EMBEDDED]))["variants"]["equal positions"]["scores"]
    load_sample(tab)
    tab.locator("#file-details > summary").click()
    tab.locator("#variants-task").select_option(label="BookSumSort")
    tab.locator("#variants-number").fill("thirty")
    tab.locator("#variants-run").click()
    expect(tab.locator("#file-variants [role=alert]")).to_contain_text("thirty")  # which is not a number
    tab.locator("#variants-number").fill(f"{scores['book_sum_sort']:.4f}")
    tab.locator("#variants-number").press("Enter")
    expect(tab.locator("#file-variants [role=status]")).to_contain_text("equal positions")
    press_score(tab)
    expect(tab.locator("#file-variants")).to_be_empty()  # they were of the report before


@pytest.mark.slow
def test_the_last_report_survives_a_refresh_and_a_message_says_when_it_is_deleted(tab, open_page, navigate):
    load_sample(tab)
    score = float(tab.locator("#file-report .zs-score").get_attribute("data-score"))
    for _ in range(2):
        navigate(tab.reload)
        is_scored(tab, score)
        expect(tab.locator("#file-found")).to_contain_text("20 of 20 answers")
    tab.evaluate("""() => {
        const kept = JSON.parse(sessionStorage.getItem("zs file"));
        sessionStorage.setItem("zs file", JSON.stringify({...kept, report: {...kept.report, result: "0".repeat(64)}}));
    }""")
    navigate(tab.reload)
    expect(tab.locator("#file-status")).to_contain_text("no longer kept")
    expect(tab.locator("#file-inputs")).to_be_visible()
    linked = open_page(query=f"&tab=file&report={'0' * 64}")
    expect(linked.locator("#file-status")).to_contain_text("This report is no longer kept; ask for the exported one")


# ---- Problems and their repairs: no path has a dead end


def test_one_tasks_file_has_its_score_as_the_headline_whatever_the_file_is_called(tab, tmp_path):
    answers = {name: text for task, name, text in SAMPLE if task == "qasper"}
    score_against_this_page(tab, write(tmp_path / "outputs.json", answers))
    is_scored(tab)
    total = tab.locator("#file-report .zs-total")
    expect(total.locator(".zs-score")).to_have_count(1)
    expect(total).to_contain_text(re.compile("Qasper.*1 of 10 tasks", re.DOTALL))


HEAD = ("Task", "ID", "Prediction")
QUALITY = [row for row in SAMPLE if row[0] == "quality"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "said", "tasks"),
    [
        (
            [HEAD, *((t, f"run7-{i}", p) for t, i, p in SAMPLE)],
            ("all in the same way", "Read them as the known IDs"),
            10,
        ),
        (
            [HEAD, *(("narrative_qa", f"s400{n}", "x") for n in (2, 3))],
            ("The IDs look shifted: all are one too high", "Read them one lower"),
            1,
        ),
        ([HEAD, *(("QuALITY", i, p) for _, i, p in QUALITY)], ("'QuALITY' is misspelt", "Read it as quality"), 1),
        ([("dataset", "example", "model_output"), *SAMPLE], ("other columns", "Use these columns"), 10),
        ([("id", "prediction"), *(row[1:] for row in SAMPLE)], None, 10),
    ],
    ids=["ids with a prefix", "ids one too high", "misspelt task", "own headers", "no task"],
)
def test_a_table_that_differs_in_one_thing_needs_one_click_at_most(tab, tmp_path, rows, said, tasks):
    score_against_this_page(tab, write(tmp_path / "own.csv", table(*rows)))
    if said:
        expect(tab.locator("#file-report .zs-file-card")).to_contain_text(said[0])
        tab.get_by_role("button", name=said[1]).click()
    is_scored(tab)
    expect(tab.locator("#per-task [data-task]")).to_have_count(tasks)


@pytest.mark.slow
def test_a_rule_that_undoes_a_loss_scores_again_by_one_click_or_from_the_menu_and_questions_have_groups(tab, tmp_path):
    answers = {"2hop__1": "<think>No.</think> rain", "3hop__1": "<think>Or</think> snow"}
    references = {"2hop__1": ["rain"], "3hop__1": ["hail"]}
    files = (write(tmp_path / f"{name}_musique.json", texts) for name, texts in (("p", answers), ("r", references)))
    score_files_in_tab(tab, *files)
    is_scored(tab, 100 / 3)
    tab.get_by_role("button", name="score with it").click()
    is_scored(tab, 50)
    menu = tab.locator("#file-settings [name=post]")
    expect(menu).to_have_value("drop-think")
    tab.get_by_role("button", name="MuSiQue", exact=True).click()
    tab.locator("#file-form [name=group]").select_option("musique.3 hops")
    expect(tab.locator("#file-found")).to_have_text("1 of 2 answers")
    menu.fill("drop-thin")
    press_score(tab)
    expect(tab.locator("#file-status")).to_contain_text("No rule 'drop-thin'")
    menu.fill("after:</think> + strip")
    press_score(tab)
    is_scored(tab, 50)


def test_on_a_phone_the_list_of_three_files_shows_the_words_of_each_without_scrolling(tab, tmp_path):
    tab.set_viewport_size({"width": 390, "height": 844})
    choose(
        tab, "files", *(write(tmp_path / f"{name}_of_the_qasper_run.json", {"qasper": {"1": "yes"}}) for name in "abc")
    )
    words_of_files = tab.locator("#file-files").get_by_role("button", name="take as references")
    expect(words_of_files).to_have_count(3)
    box, last = (each.bounding_box() for each in (tab.locator("#file-files ul"), words_of_files.last))
    assert last["y"] + last["height"] <= box["y"] + box["height"]


def test_files_are_sorted_by_what_they_hold_and_a_click_takes_one_as_the_other(tab, tmp_path):
    answers = write(tmp_path / "one.json", {"qasper": {"1": "yes", "2": "no"}})
    known = write(tmp_path / "two.jsonl", '{"id": "1", "task": "qasper", "output": "yes"}\n')
    lists = write(tmp_path / "lists.json", {"qasper": {"1": ["yes"], "2": ["no", "never"]}})
    files = tab.locator("#file-files li")
    choose(tab, "files", lists, answers)
    expect(files).to_have_text([re.compile("references lists.json"), re.compile("predictions one.json")])
    press_score(tab)
    is_scored(tab)
    expect(tab.locator("#file-report .zs-total .zs-score")).to_have_text("100.0")
    choose(tab, "files", known)  # answers, as far as anyone can tell
    expect(files).to_have_text([re.compile("references lists.json"), re.compile("predictions two.jsonl")])
    turn = files.nth(1).get_by_role("button", name="take as references: two.jsonl")
    expect(turn).to_have_text("take as references")
    turn.click()
    expect(files.nth(1)).to_contain_text("references two.jsonl")
    expect(files.nth(1).get_by_role("button", name="take as predictions")).to_be_visible()
    tab.get_by_role("button", name="Remove lists.json").click()
    choose(tab, "files", write(tmp_path / "three.json", {"qasper": {"1": "yes"}}))
    expect(files).to_have_text([re.compile("references two.jsonl"), re.compile("predictions three.json")])
    press_score(tab)
    is_scored(tab)
    expect(tab.locator("#file-report .zs-total .zs-score")).to_have_text("100.0")


def test_a_benchmark_of_ones_own_is_a_file_beside_the_answers(tab, tmp_path):
    own = write(tmp_path / "own.toml", 'name = "own"\ntitle = "Our facts"\n[tasks.who]\nmetric = "f1"\n')
    answers, known = (
        write(tmp_path / name, {"who": {"1": text}}) for name, text in (("a.json", "Ada"), ("b.json", ["Ada"]))
    )
    choose(tab, "files", own, answers, known)
    roles = ["definition own.toml", "predictions a.json", "references b.json"]
    expect(tab.locator("#file-files li")).to_have_text([re.compile(role) for role in roles])
    press_score(tab)
    is_scored(tab)
    expect(tab.locator("#file-report")).to_contain_text("Our facts")
    expect(tab.locator("#file-report .zs-total .zs-score")).to_have_text("100.0")
    tab.get_by_role("button", name="Remove own.toml").click()  # the page is also for the next tests


@pytest.mark.slow
def test_ten_broken_files_end_in_a_file_that_lacks_only_what_was_missing_and_can_be_filled(tab, tmp_path):
    """One has a duplicate id, one has pids, one lacks its answers, one is misspelt."""
    tasks = {task: {i: p for name, i, p in SAMPLE if name == task} for task, _, _ in SAMPLE}
    tasks["qasper"] = {f"{name}_0": text for name, text in tasks["qasper"].items()}
    texts = {task: json.dumps(answers) for task, answers in tasks.items()} | {"musique": "{}"}
    name, answer = next(iter(tasks["quality"].items()))
    texts["quality"] = texts["quality"].replace("{", "{" + f"{json.dumps(name)}: {json.dumps(answer)}, ", 1)
    texts["GovReport"] = texts.pop("gov_report")
    score_against_this_page(tab, *(write(tmp_path / f"preds_{task}.json", text) for task, text in texts.items()))
    problems = tab.locator("#file-problem-list")
    expect(problems).to_contain_text("Qasper")
    expect(problems.get_by_text("Repair:").first).to_be_visible()
    tab.get_by_role("button", name="Repair and score again").click()
    expect(tab.locator(".zs-file-line")).to_contain_text("repairs")
    expect(tab.locator("#file-report .zs-total")).to_contain_text("9 of 10 tasks")
    tab.locator("#file-details > summary").click()
    with tab.expect_download() as download:
        tab.locator("#file-mended").click()
    assert download.value.suggested_filename == "zero_scrolls_predictions.csv"
    rows = csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8")))
    assert sorted(tuple(row.values()) for row in rows) == sorted(row for row in SAMPLE if row[0] != "musique")
    problems.get_by_label("filled with an empty answer").check()
    tab.get_by_role("button", name="Repair and score again").click()
    expect(tab.locator("#file-report .zs-total")).to_contain_text("10 of 10 tasks")


# ---- Two systems


TWO = {"quality": {"a": ["A"], "b": ["B"], "c": ["C"]}, "qasper": {"d": ["yes"]}}
BASE = {"quality": {"a": "A", "b": "C", "c": "C"}, "qasper": {"d": "yes"}}
TUNED = {"quality": {"a": "B", "b": "B", "c": "C"}, "qasper": {"d": "no"}}


@pytest.fixture(scope="module")
def compared(open_shared_page, tmp_path_factory):
    """A page with two systems compared, `base.json` and `tuned.json`."""
    page, folder = open_shared_page(), tmp_path_factory.mktemp("compared")
    score_files_in_tab(page, write(folder / "base.json", BASE), write(folder / "known.json", TWO))
    is_scored(page)
    compare(page, write(folder / "tuned.json", TUNED))
    return page


def lists(page, ids):
    """Wait until the list has just these ids."""
    expect(page.locator("#file-answers")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator("#file-found")).to_contain_text(f"{len(ids)} of 4 answers")
    assert set(page.locator("#file-answers tbody th bdi").all_inner_texts()) == set(ids)


@pytest.mark.slow
def test_both_answers_stand_side_by_side_and_the_outcome_is_a_filter(compared):
    expect(compared.locator("#file-report .zs-verdict")).to_contain_text("tuned minus base is -50.0 points")
    total = compared.locator("#file-report .zs-total")
    expect(total).to_contain_text(re.compile("83.3.* base.*33.3.* tuned", re.DOTALL))
    lists(compared, "abcd")
    compared.get_by_role("button", name=words.FILE_ALL_ANSWERS).click()
    compared.locator("#file-answers tbody tr", has_text="Qasper").click()
    for name, text in (("base", "yes"), ("tuned", "no"), ("Reference", "yes")):
        expect(compared.locator("#file-opened h4", has_text=name).locator("+ p")).to_have_text(text)
    for choice, ids in (("base right, tuned wrong", "ad"), ("tuned better", "b"), ("any verdict", "abcd")):
        compared.locator("#file-form [name=verdict]").select_option(label=choice)
        lists(compared, ids)


@pytest.mark.slow
def test_what_changed_is_a_filter_and_an_answer_is_opened_again_both_held_by_the_address(compared, navigate):
    compared.get_by_role("button", name="← Tasks").click()
    compared.locator("#per-task [data-task=quality]").get_by_role("button", name="1 right → wrong").click()
    lists(compared, "a")
    assert "pattern=quality.lost" in compared.url
    navigate(compared.reload)
    chip = compared.locator("#file-chip").get_by_role("button", name="QuALITY: 1 right → wrong")
    expect(chip).to_be_visible()
    lists(compared, "a")
    chip.click()
    lists(compared, "abcd")
    compared.locator("#file-answers tbody tr").first.click()
    compared.keyboard.press("ArrowDown")
    compared.keyboard.press("ArrowDown")
    expect(compared.locator("#file-opened")).to_contain_text("3 of 4")
    navigate(compared.reload)
    expect(compared.locator("#file-opened")).to_contain_text("c · QuALITY · 3 of 4")


def test_verdict_list_and_both_answers_are_in_view_and_a_phone_has_three_screens(compared):
    compared.set_viewport_size({"width": 1280, "height": 800})
    compared.get_by_role("button", name=words.FILE_ALL_ANSWERS).click()
    compared.locator("#file-report").evaluate("report => report.scrollIntoView()")
    for part in ("#file-report .zs-verdict", "#file-answers tbody tr", "#file-opened h4"):
        expect(compared.locator(part).first).to_be_in_viewport()
    compared.get_by_role("button", name="← Tasks").click()
    compared.set_viewport_size({"width": 390, "height": 844})
    for control, screen in (
        ("#per-task th button", "#file-answers"),
        ("#file-answers tbody tr", "#file-opened"),
        ("[data-screen=list].zs-back", "#file-answers"),
        ("[data-screen=tasks].zs-button", "#per-task"),
    ):
        compared.locator(control).first.click()
        expect(compared.locator(screen)).to_be_visible()
        hidden = {"#per-task", "#file-answers", "#file-opened"} - {screen}
        assert not any(compared.locator(other).is_visible() for other in hidden)
        width, height = compared.evaluate(
            "root => [root.scrollWidth, root.scrollHeight]", compared.locator("html").element_handle()
        )
        assert width <= 390, screen
        assert height <= 2 * 844, screen
    compared.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_a_comparison_of_systems_with_long_names_shows_every_column(open_page, tmp_path, width):
    page = open_page(width=width)
    score_files_in_tab(page, write(tmp_path / f"{24 * 'a'}.json", BASE), write(tmp_path / "known.json", TWO))
    is_scored(page)
    compare(page, write(tmp_path / f"{24 * 'b'}.json", TUNED))
    box = page.locator(".zs-tasks-box")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0


@pytest.mark.slow
def test_names_can_be_changed_the_link_opens_the_same_answer_elsewhere_and_comparing_ends(compared, open_page):
    name = compared.get_by_label(words.COMPARE_NAME.format("A"))
    if name.is_hidden():  # else it is open from the comparison before
        compared.get_by_role("button", name="compare with …").click()
    name.fill("Baseline")
    compared.locator("#file-compare-run").click()
    expect(compared.locator("#file-report .zs-verdict")).to_contain_text("tuned minus Baseline is -50.0 points")
    is_scored(compared)
    compared.locator("#file-report .zs-menu summary").click()
    with compared.expect_download() as download:
        compared.get_by_role("link", name="Comparison (JSON)").click()
    systems = json.loads(download.value.path().read_text(encoding="utf-8"))["systems"]
    assert [system["name"] for system in systems] == ["Baseline", "tuned"]
    compared.get_by_role("button", name=words.FILE_ALL_ANSWERS).click()
    compared.locator("#file-answers tbody tr").nth(2).click()
    expect(compared.locator("#file-opened")).to_contain_text("3 of 4")
    compared.context.grant_permissions(["clipboard-read", "clipboard-write"])
    compared.get_by_role("button", name="Copy link").click()
    expect(compared.get_by_role("button", name="Copied")).to_be_visible()
    expect(compared.locator("#file-status")).to_contain_text("while it is kept")
    link = compared.evaluate("navigator.clipboard.readText()")
    other = open_page(query=f"&{link.partition('?')[2]}")
    expect(other.locator("#file-report .zs-verdict")).to_contain_text("tuned minus Baseline is -50.0 points")
    expect(other.locator("#file-opened")).to_contain_text("3 of 4")
    assert "report=" not in other.url
    compared.get_by_role("button", name="stop comparing").click()
    expect(compared.locator("#file-report .zs-verdict")).to_have_count(0)
    is_scored(compared)


@pytest.mark.slow
def test_a_comparison_keeps_the_repairs_of_the_report(page, tmp_path):
    repeated = write(tmp_path / "p.csv", table(HEAD, ("qasper", "d", "no"), ("qasper", "d", "yes")))
    score_files_in_tab(page, repeated, write(tmp_path / "known.json", {"qasper": TWO["qasper"]}))
    page.get_by_label("the later answer is kept").check()
    page.get_by_role("button", name="Repair and score again").click()
    task = page.locator("#per-task [data-task=qasper]")
    expect(task).to_contain_text("100.0")
    compare(page, write(tmp_path / "q.json", {"qasper": TUNED["qasper"]}))
    expect(task).to_contain_text(re.compile(r"100\.0.*0\.0.*-100\.0", re.DOTALL))


# ---- A slow or interrupted network


@pytest.fixture
def hold(monkeypatch):
    """Jobs of files do not begin before `hold.set()`."""
    event, score = threading.Event(), score_file._score

    async def held(*arguments):
        while not event.is_set():
            await asyncio.sleep(0.05)
        return await score(*arguments)

    monkeypatch.setattr(score_file, "_score", held)
    yield event
    event.set()


@pytest.fixture
def far(tab):
    """The tab with the sample's report and all its answers, 600 ms away from the server."""
    load_sample(tab)
    is_listed(tab, 20)
    with at_distance(tab, 600):
        yield tab


@pytest.mark.slow
def test_the_last_chosen_files_are_scored(far, tmp_path):
    choose(far, "predictions", write(tmp_path / "broken.csv", "Task,ID,Prediction\nquality,c,no, quotes here\n"))
    choose(far, "references", write(tmp_path / "known.json", REFERENCES))
    expect(far.locator("#file-tab")).to_have_attribute("data-report", "outdated")  # the sample's
    press_score(far)
    line = far.locator(".zs-file-line")
    expect(line).to_contain_text("broken.csv")
    choose(far, "predictions", write(tmp_path / "first.json", {"quality": {"c": "B"}}))
    choose(far, "predictions", write(tmp_path / "second.json", {"qasper": {"a": "yes", "b": "no"}}))
    press_score(far)
    expect(far.locator("#file-progress")).to_contain_text(re.compile("Uploading|Scoring"))
    expect(line).to_contain_text("second.json · 2 predictions")
    is_listed(far, 2)


def test_the_answers_shown_match_the_last_filter(far):
    far.get_by_role("button", name=words.FILE_ALL_ANSWERS).click()
    count, search = far.locator("#file-found"), far.locator("#file-form [name=text]")
    expect(far.locator("#file-opened")).to_contain_text("1 of 20")  # keys go to the next answer once one is opened
    search.press_sequentially("s4002", delay=30)
    search.fill("")
    count.click()
    for _ in range(3):
        far.keyboard.press("j")
    expect(far.locator("#file-opened")).to_contain_text("4 of 20")
    expect(count).to_contain_text("20 of 20 answers")
    for task in ("qasper", "quality"):
        far.locator("#file-form [name=task]").select_option(task)
    expect(count).to_contain_text("2 of 20 answers")
    for row in load_embedded("quality"):
        expect(far.locator(f"#file-answers tbody th button[title='{row.id}']")).to_be_visible()


@pytest.mark.slow
def test_a_connection_lost_during_a_job_and_a_refresh_lose_nothing(open_page, app, hold, tmp_path, navigate):
    wire = Wire(app.server_port)
    page = open_page(wire=wire)
    open_file_tab(page)
    open_options(page)
    page.get_by_label(words.FILE_PARTIAL).check()
    score_files_in_tab(
        page, write(tmp_path / "mine.json", {"qasper": {"a": "yes"}}), write(tmp_path / "k.json", REFERENCES)
    )
    expect(page.locator("#file-progress")).to_contain_text("Scoring")
    expect(page.locator("#file-score")).to_have_css("background-image", re.compile("gradient"))  # how far it is
    wire.cut()
    expect(page.locator("#file-job-lost")).to_be_visible()
    wire.mend()
    expect(page.locator("#file-job-lost")).to_be_hidden()
    navigate(page.reload)
    expect(page.locator("#file-files")).to_contain_text("mine")
    expect(page.get_by_label(words.FILE_PARTIAL)).to_be_checked()
    hold.set()
    is_scored(page)
    expect(page.locator(".zs-file-line")).to_contain_text("mine.json · 1 prediction")


@pytest.mark.slow
def test_the_address_has_a_running_job_which_a_page_that_is_loaded_waits_for_or_says_that_it_ended(
    open_page, hold, tmp_path, navigate
):
    page = open_page()
    page.route("**/gradio_api/upload*", lambda _: None)
    open_file_tab(page)
    choose(page, "predictions", write(tmp_path / "mine.json", {"qasper": {"a": "yes"}}))
    press_score(page)
    expect(page.locator("#file-progress")).to_contain_text("Uploading")
    navigate(page.reload)
    expect(page.locator("#file-status")).to_contain_text("loaded again during the upload")
    page.unroute("**/gradio_api/upload*")
    open_options(page)
    page.get_by_label(words.FILE_PARTIAL).check()
    score_files_in_tab(
        page, write(tmp_path / "mine.json", {"qasper": {"a": "yes"}}), write(tmp_path / "k.json", REFERENCES)
    )
    page.wait_for_url("**&job=*", wait_until="commit")
    other = open_page(query=f"&{page.url.partition('?')[2]}")  # which shares nothing with it but the address
    expect(other.locator("#file-progress")).to_contain_text("Scoring")
    hold.set()
    for each in (page, other):
        is_scored(each)
        expect(each.locator(".zs-file-line")).to_contain_text("mine.json · 1 prediction")
        assert "job=" not in each.url
    other = open_page(query=f"&tab=file&job={'0' * 32}")
    expect(other.locator("#file-status")).to_have_text(words.JOB_GONE)


@pytest.mark.slow
def test_files_are_scored_after_a_restart_and_a_report_that_is_gone_is_made_again(open_page, tmp_path):
    kept = tmp_path / "kept"
    settings = {"GRADIO_SERVER_PORT": str(free_port()), "GRADIO_TEMP_DIR": str(kept)}
    with started_app(ROOT, tmp_path / "log.txt", **settings) as url:
        page = open_page(wire=SimpleNamespace(url=url))
        predictions = write(tmp_path / "mine.json", {"qasper": {"a": "yes", "b": "perhaps"}})
        score_files_in_tab(page, predictions, write(tmp_path / "known.json", REFERENCES))
        is_listed(page, 2)
    with started_app(ROOT, tmp_path / "log.txt", **settings):
        export = page.locator("#file-report [data-export=json]")

        def open_an_answer():
            page.get_by_role("button", name=words.FILE_ALL_ANSWERS).click()
            page.locator("#file-answers tbody tr").nth(1).click()

        for again in (lambda: press_score(page), open_an_answer):
            before = export.get_attribute("href")
            again()
            expect(export).not_to_have_attribute("href", before)
            is_listed(page, 2)
            for path in kept.glob("*/*"):  # uploads and results, as after an hour
                shutil.rmtree(path)
        expect(page.locator("#file-opened .zs-score")).to_have_attribute("data-score", "100.0000")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_files_of_the_same_ids_are_scored_as_runs_of_one_system_on_request(open_page, tmp_path, width):
    answers = {"seed1": ("red", "blue"), "seed2": ("red", "green"), "seed3": ("grey", "blue")}
    files = [write(tmp_path / f"{run}.json", {"qasper": {"0": one, "1": two}}) for run, (one, two) in answers.items()]
    references = write(tmp_path / "references.json", {"qasper": {"0": ["red"], "1": ["blue"]}})
    page = open_page(width=width)
    open_file_tab(page)
    tab = page.locator("#file-tab")
    choose(tab, "files", *files, references)
    expect(tab.locator("#file-files li", has_text=re.compile("^(predictions|references) "))).to_have_count(4)
    press_score(tab)
    page.get_by_role("button", name="They are runs of one system").click()
    expect(tab.locator("#between-runs")).to_contain_text("100.0, 50.0, 50.0")
    expect(tab.locator("#file-report")).to_contain_text("They do not include differences between whole runs")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="compare with").click()
    choose(tab, "second", write(tmp_path / "other.json", {"qasper": {"0": "blue", "1": "blue"}}))
    tab.locator("#file-compare-run").click()
    expect(tab.locator("#file-report .zs-verdict")).to_contain_text("minus 3 files is -16.7")
    expect(tab.locator("#file-opened")).to_contain_text("Mean of 3 runs")
    expect(tab.locator("#file-opened")).to_contain_text("Run 3: ")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_one_run_is_compared_with_several_of_another_system_on_request_and_then_is_alone_again(open_page, tmp_path):
    answers = {"seed1": ("red", "blue"), "seed2": ("red", "green"), "seed3": ("grey", "blue")}
    runs = [write(tmp_path / f"{run}.json", {"qasper": {"0": one, "1": two}}) for run, (one, two) in answers.items()]
    references = write(tmp_path / "references.json", {"qasper": {"0": ["red"], "1": ["blue"]}})
    page = open_page()
    open_file_tab(page)
    tab = page.locator("#file-tab")
    choose(tab, "files", write(tmp_path / "other.json", {"qasper": {"0": "blue", "1": "blue"}}), references)
    expect(tab.locator("#file-files li", has_text=re.compile("^(predictions|references) "))).to_have_count(2)
    press_score(tab)
    page.get_by_role("button", name="compare with").click()
    choose(tab, "second", *runs)
    tab.locator("#file-compare-run").click()
    page.get_by_role("button", name="They are runs of one system: compare their mean").click()
    expect(tab.locator("#file-report .zs-verdict")).to_contain_text("3 files minus other is +16.7")
    expect(tab.locator("#file-report")).to_contain_text("They do not include differences between whole runs")
    page.get_by_role("button", name="stop comparing").click()
    expect(tab.locator("#file-report .zs-score").first).to_have_text("50.0")
    expect(tab.locator("#file-status")).to_be_hidden()
