"""Examples built from your own texts: correct rows, fair draws, and nothing that reveals the answer."""

import gzip
import json
import random
import re
from datetime import date
from pathlib import Path
from statistics import fmean

import pandas as pd
import pytest
from written_files import write

from zs_bench.dataset.sources import load_examples
from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_lab.build.book_sum_sort import SummaryOptions, build_book_sum_sort, permutations
from zs_lab.build.musique import UNANSWERABLE, QuestionOptions, build_musique
from zs_lab.build.reading import Origin, read_records
from zs_lab.build.samples import best_constant, naive_floor, write_sample
from zs_lab.build.space_digest import ReviewOptions, build_space_digest
from zs_lab.build.tell_tales import REVIEW_TELL_TALES, SUMMARY_TELL_TALES, find_hits, mask, without_sentences

WORDS = ("room", "clean", "staff", "kind", "noise", "breakfast", "late", "lift", "water", "towel", "view", "street")
DAY = date(2026, 11, 22)


def text(drawn, count):
    return " ".join(drawn.choice(WORDS) for _ in range(count)).capitalize() + "."


def reviews(places, of_each=120):
    drawn = random.Random(1)
    return [
        {"place": f"hotel {place}", "rating": str(1 + row % 5), "text": f"{text(drawn, 30)} Visit {row}."}
        for place in range(places)
        for row in range(of_each)
    ]


def book(*summaries, name="B"):
    return [{"book": name, "summaries": list(summaries)}]


def books(count):
    drawn = random.Random(2)
    lengths = ((number, drawn.randrange(3, 30)) for number in range(count))
    return [row for number, size in lengths for row in book(*(text(drawn, 40) for _ in range(size)), name=f"B{number}")]


def questions(pairs):
    drawn, rows = random.Random(3), []
    for pair in range(pairs):
        row = {"id": f"2hop__{pair}", "question": f"Who walked past house {pair}?", "answer": f"person {pair}"}
        for answerable in (True, False):
            paragraphs = [{"title": f"T{k}", "paragraph_text": text(drawn, 20)} for k in range(20)]
            more = {"answer_aliases": [f"Mx {pair}"], "answerable": answerable, "paragraphs": paragraphs}
            rows.append({**row, **more})
    return rows


def bodies(row):
    """The texts of a row's units, without the line that numbers each."""
    starts, end = row["inner_docs_start_indices"], row["document_end_index"]
    units = [row["input"][at : next_ - 2] for at, next_ in zip(starts, [*starts[1:], end + 2], strict=True)]
    for number, unit in enumerate(units, start=1):
        assert re.match(rf"(?:Review|Summary) {number}:\n", unit)
    return [unit.partition("\n")[2] for unit in units]


@pytest.mark.parametrize(
    ("scale", "written", "shift"),
    [("1-5", "{}", 0), ("1-5", "{} of 5 bubbles", 0), ("10-50", "{}0", 0), ("0-4", "{}", 1)],
)
def test_the_reference_of_space_digest_is_the_share_of_positive_ratings_on_the_scale_that_is_named(
    scale, written, shift
):
    points = {row["text"]: int(row["rating"]) for row in reviews(3)}
    rows = [{**row, "rating": written.format(points[row["text"]] - shift)} for row in reviews(3)]
    sample = build_space_digest(rows, ReviewOptions(reviews=20, scale=scale))
    assert len(sample.examples) == 3
    for row in sample.rows():
        shown = [points[body] for body in bodies(row)]
        assert 3 not in shown
        assert len(set(bodies(row))) == 20
        assert row["output"] == f"{100 * sum(rating > 3 for rating in shown) / 20:g}%"


def test_the_places_with_the_most_reviews_are_taken_and_what_is_left_out_is_counted():
    first = reviews(1)[0]
    wrong = [{**first, "rating": "9"}, {**first, "place": ""}, {**first, "text": float("nan")}]
    records = [*reviews(2, 100), *({**row, "place": "small"} for row in reviews(1, 40)), *wrong]
    sample = build_space_digest(records, ReviewOptions(reviews=50, size=1))
    assert [example.id for example in sample.examples] == ["hotel 0"]
    assert sample.left_out() == [
        "neutral reviews (rating between 2 and 4): 48",
        "reviews without a place or a text: 2",
        "places beyond the size asked for: 2",
        "reviews without a rating from 1 to 5: 1 (the first: '9'; --scale names others)",
    ]


def test_floors_are_those_of_the_naive_answer_and_of_the_best_constant():
    """With the number of positive reviews drawn evenly from 0 to n, always answering 50% has a known expectation."""
    records = [
        {"place": f"hotel {place}", "rating": 1 + 4 * (row % 2), "text": f"{place} {row}"}
        for place in range(400)
        for row in range(40)
    ]
    balanced = build_space_digest(records, ReviewOptions(reviews=20, balance=True))
    expected = fmean(100 * 2 ** (-abs(100 * k / 20 - 50) / 10) for k in range(21))
    assert naive_floor(balanced.task, balanced.rows()) == pytest.approx(expected, abs=5)
    assert balanced.notes == []
    skewed = build_space_digest([{**row, "rating": "5"} for row in reviews(4)], ReviewOptions(balance=True))
    assert best_constant(skewed) == ("100%", 100)
    (note,) = skewed.notes
    assert "evenly from 0 to 100 % for 4 of 4 places, which have too few positive or negative reviews: hotel 0" in note
    assert note.endswith("hotel 2 only from 100% to 100%.")
    orders = build_book_sum_sort(books(60), SummaryOptions())
    assert naive_floor(orders.task, orders.rows()) == pytest.approx(50, abs=4)
    asked = build_musique(questions(100), QuestionOptions(answerable=40, unanswerable=10))
    assert naive_floor(asked.task, asked.rows()) == pytest.approx(20)
    assert best_constant(asked)[1] == pytest.approx(41)  # "person 7" is half right for every person


def test_no_order_is_the_right_one_and_none_comes_twice():
    for count, most in ((3, 5), (4, 23), (5, 119), (7, 200)):
        orders = permutations(count, 200, random.Random(0))
        assert tuple(range(count)) not in orders
        assert len(set(orders)) == len(orders) == most


def test_the_reference_of_book_sum_sort_puts_the_summaries_back_in_order():
    by_chapter = [{"book": "B", "summary": f"Event {letter} happens."} for letter in "abcd"]
    for records in (books(1), by_chapter):
        right = records[0].get("summaries") or [row["summary"] for row in records]
        for row in build_book_sum_sort(records, SummaryOptions()).rows():
            shown = bodies(row)
            assert [shown[int(number) - 1] for number in row["output"].split(", ")] == right


def test_books_that_cannot_be_used_are_named_and_every_other_has_an_id_from_its_name():
    records = [
        *book("It rains.", "It snows.", "It thaws.", name="Short"),
        *book("It rains.", "", "It thaws.", name="Gap"),
        *book("It rains.", "It rains.", "It thaws.", name="Twice"),
        *book("It rains.", "Chapter 8 ends.", "It thaws.", name="Told"),
    ]
    sample = build_book_sum_sort(records, SummaryOptions(permutations=6))
    assert len(sample.examples) == 5
    assert sample.notes == ["Short has only 5 orders besides the right one."]
    assert build_book_sum_sort(records, SummaryOptions(permutations=5)).notes == []
    assert sample.left_out() == [
        "books with an empty summary: 1 (Gap)",
        "books with the same summary twice: 1 (Twice)",
        "books with a passage that may tell the order: 1 (Told)",
    ]
    few = build_book_sum_sort(books(5), SummaryOptions(books=2, permutations=1))
    assert (len(few.examples), few.left_out()) == (2, ["books beyond the number asked for: 3"])
    alike = [row for name in ("A & b", "a: B!", "!") for row in book("It rains.", "It snows.", "It thaws.", name=name)]
    sample = build_book_sum_sort(alike, SummaryOptions(permutations=1))
    assert [example.id for example in sample.examples] == ["book_0", "a_b_0", "a_b_b_0"]


def test_of_two_twins_one_is_drawn_and_too_few_records_keep_the_ratio():
    for options, pairs, size, without in (
        (QuestionOptions(answerable=40, unanswerable=20), 60, 60, 20),
        (QuestionOptions(), 50, 50, 10),
    ):
        sample = build_musique(questions(pairs), options)
        assert len({example.id for example in sample.examples}) == len(sample.examples) == size
        assert sum(example.references == [UNANSWERABLE] for example in sample.examples) == without
        assert sample.left_out() == [f"records that were not drawn: {2 * pairs - size}"]


def test_questions_that_cannot_be_used_are_counted_and_a_paragraph_may_have_a_text(tmp_path):
    row = {**questions(1)[0], "paragraphs": [{"title": "Rain", "text": "It rains."}] * 20}
    wrong = [{**row, name: ""} for name in ("id", "question", "answer")] + [{**row, "id": "x", "paragraphs": []}]
    sample = build_musique([*wrong, row, row], QuestionOptions(unanswerable=0))
    assert sorted(sample.left_out()) == [
        "records that repeat an id: 1",
        "records without 20 paragraphs: 1",
        "records without a question: 1",
        "records without an answer (needed also to check that a question cannot be answered): 1",
        "records without an id: 1",
    ]
    assert sample.rows()[0]["input"].count("Title: Rain\nIt rains.") == 20
    readme = write_sample(sample, tmp_path, [], seed=0, day=DAY)[0].read_text()
    assert "1 questions are answerable, 0 are not." in readme


def test_a_question_without_an_answer_whose_paragraphs_hold_one_is_left_out_and_listed():
    answerable, twin = questions(1)
    removed = [{"answer": "Ottawa", "paragraph_support_idx": None}, {"answer": "person 0", "paragraph_support_idx": 3}]
    for passage, steps, hit in (
        ("They met PERSON 0 there.", [], "PERSON 0"),
        ("They met Mx 0.", [], "Mx 0"),  # an alias
        ("They met person 01 and superperson 0.", [], None),
        ("They met person 0.", removed, None),  # the release took out the answer to another step only
        ("In Ottawa it rained.", removed, "Ottawa"),
    ):
        paragraphs = [*twin["paragraphs"][1:], {"title": "New", "paragraph_text": passage}]
        row = {**twin, "id": "other", "paragraphs": paragraphs, "question_decomposition": steps}
        sample = build_musique([answerable, row], QuestionOptions(answerable=1, unanswerable=0))
        hits = [("other, paragraph 20", hit)] if hit else []
        assert [(hit.owner, hit.context[1]) for hit in sample.hits] == hits
        assert sample.dropped["unanswerable records with an answer in their paragraphs"] == len(hits)
        accepted = build_musique([row], QuestionOptions(answerable=0, unanswerable=1, accept=True))
        assert accepted.examples[0].references == [UNANSWERABLE]


def test_records_that_cannot_be_used_are_refused_with_what_to_do():
    first, chapters = reviews(1)[0], book("Chapter 8 ends.", "a", "b")
    cases = [
        (build_space_digest, ReviewOptions(), [{"rating": 5}], "no column 'place'.* name yours with --place"),
        (build_space_digest, ReviewOptions(), [{"place": "a", "rating": 5}], "no column 'text'.* yours with --text"),
        (build_space_digest, ReviewOptions(), [{**first, "rating": "x"}], "no place has 50 .*first: 'x'"),
        (build_space_digest, ReviewOptions(scale="5-1"), reviews(1), "'5-1' is not a scale"),
        (build_musique, QuestionOptions(), questions(9)[::2], "no unanswerable .*; --unanswerable 0 does without"),
        (build_musique, QuestionOptions(), [{"id": 1}], "a record needs id, question, answer, paragraphs$"),
        (build_book_sum_sort, SummaryOptions(), [{"book": "B"}], "no column 'summary'.* yours with --summary"),
        (build_book_sum_sort, SummaryOptions(), chapters, "review the tell-tales and add --accept"),
    ]
    for build, options, rows, message in cases:
        with pytest.raises(UnusableInput, match=message):
            build(rows, options)


def test_since_leaves_out_older_texts_and_says_which_dates_cannot_be_read():
    options = ReviewOptions(since=date(2026, 1, 1), reviews=20)
    days = ("May 5, 2026", "2025-12-31", "31/12/2026", "spring")
    records = [{**row, "date": days[number % 4]} for number, row in enumerate(reviews(2, 150))]
    sample = build_space_digest(records, options)
    unread = "records without a date that can be read (the first is 'spring', record 4)"
    assert (sample.dropped["records older than 2026-01-01"], sample.dropped[unread]) == (75, 75)
    days = [day for example in sample.examples for day in example.days]
    assert len(days) == 40
    assert {day.isoformat() for day in days} == {"2026-05-05", "2026-12-31"}
    with pytest.raises(UnusableInput, match=r"no column 'date', the columns are place, rating, text; .* --day$"):
        build_space_digest(reviews(1), options)
    with pytest.raises(UnusableInput, match=r"none of the 120 dates in column 'date' .* '05/12/2026', record 1"):
        build_space_digest([{**row, "date": "05/12/2026"} for row in reviews(1)], options)


def test_a_sample_that_asks_a_question_twice_or_has_two_examples_of_one_id_is_not_written(tmp_path):
    name = "hotel " * 20  # names that begin alike
    alike = build_space_digest([{**row, "place": f"{name}{row['place']}"} for row in reviews(2)], ReviewOptions())
    answerable, twin = questions(1)
    pair = build_musique([answerable, {**twin, "id": "other"}], QuestionOptions(answerable=1, unanswerable=1))
    for sample, why in ((alike, "two rows have this pid"), (pair, "the question is asked twice")):
        with pytest.raises(UnusableInput, match=f"the sample was not written: .*{why}"):
            write_sample(sample, tmp_path / "out", [], seed=0, day=DAY)
    assert not (tmp_path / "out").exists()


def test_tell_tales_are_found_with_the_recall_and_precision_that_the_labelled_passages_show():
    labelled, missed, wrong = 0, [], []
    passages = Path(__file__).with_name("passages.txt").read_text(encoding="utf-8")
    for task, line in re.findall(r"(?m)^(review|summary): (.*)$", passages):
        bare = re.sub("[«»]", "", line)
        marks = enumerate(re.finditer("«[^»]*»", line))  # each mark before it moves a passage by two characters
        spans = [(match.start() - 2 * place, match.end() - 2 * place - 2) for place, match in marks]
        hits = find_hits("", bare, {"review": REVIEW_TELL_TALES, "summary": SUMMARY_TELL_TALES}[task])
        labelled += len(spans)
        missed += [line for a, b in spans if not any(hit.start < b and a < hit.end for hit in hits)]
        wrong += [line for hit in hits if not any(hit.start < b and a < hit.end for a, b in spans)]
        assert missed or task == "review" or not find_hits("", mask(bare), SUMMARY_TELL_TALES)
    recall, precision = 1 - len(missed) / labelled, (labelled - len(missed)) / (labelled - len(missed) + len(wrong))
    assert recall > 0.9, missed
    assert precision > 0.95, wrong


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Chapter 8 begins with Jane describing it.", "This Chapter begins with Jane describing it."),
        ("As the play opens, Hippolytus announces a journey.", "Hippolytus announces a journey."),
        ("The final chapter returns home.", "This chapter returns home."),
        ("He opens a book. Act IV. She leaves.", "He opens a book. This Act. She leaves."),
        ("In the first act, he sings. The story begins.", "In this act, he sings. This part goes on."),
        (
            "An epilogue tells of her. She dies at the end of the novel.",
            "This part tells of her. She dies in this part.",
        ),
    ],
)
def test_masking_replaces_in_summaries_as_the_paper_did(before, after):
    assert mask(before) == after


def test_masking_takes_sentences_out_of_reviews():
    (hit,) = find_hits("", "As the play opens, Hippolytus announces a journey.", SUMMARY_TELL_TALES)
    assert hit.context == ("", "As the play opens, ", "Hippolytus announces a journey.")
    review = "Lovely rooms. It's an easy call to give it a 5. A 3.5 star stay!\nWe paid four-star money."
    assert without_sentences(review) == "Lovely rooms. We paid four-star money."
    records = [*reviews(1, 20), {**reviews(1)[0], "text": "Five stars!"}, {**reviews(1)[0], "text": review}]
    left_out = build_space_digest(records, ReviewOptions(reviews=5))
    assert left_out.dropped["reviews with a passage that may state a rating"] == 2
    assert left_out.hits[0].owner == "hotel 0, review 21"
    assert set(bodies(left_out.rows()[0])) <= {row["text"] for row in reviews(1, 20)}
    masked = build_space_digest(records, ReviewOptions(reviews=17, accept=True, mask=True))
    assert masked.dropped["reviews of which --mask left nothing"] == 1
    assert without_sentences(review) in masked.rows()[0]["input"]


def test_a_sample_is_written_as_a_source_with_a_readme_that_counts(tmp_path):
    happy = [{"place": "happy", "rating": 5, "text": f"Good {row}."} for row in range(20)]
    sample = build_space_digest([*reviews(3), *happy], ReviewOptions(reviews=20))
    origins = [Origin("reviews.csv", "0" * 16, 480, "Windows-1252")]
    readme = write_sample(sample, tmp_path, origins, seed=0, day=DAY, settings={"place": "place"})[0].read_text(
        encoding="utf-8"
    )
    loaded = load_examples(tmp_path, sample.task, "validation")
    assert [example.id for example in loaded.examples] == [example.id for example in sample.examples]
    assert loaded.findings == []
    assert readme == Path(__file__).with_name("readme.md").read_text(encoding="utf-8")
    first, again, other = (build_space_digest(reviews(4), ReviewOptions(reviews=20), seed).rows() for seed in (0, 0, 1))
    assert first == again != other


def test_what_is_published_of_a_private_sample_has_a_canary_and_nothing_about_its_references(tmp_path):
    """Also when a public sample, with its list of chapters, lay in the folder before."""
    sample = build_book_sum_sort(book("Chapter 8: <script>", "It rains.", "It snows."), SummaryOptions(accept=True))
    write_sample(sample, tmp_path / "out", [], seed=0, day=DAY)
    public, private = tmp_path / "out/book_sum_sort", tmp_path / "private/book_sum_sort-private"
    listed = (public / "tell_tales.html").read_text(encoding="utf-8")
    assert [text in listed for text in ("B, summary 1", "<mark>Chapter 8</mark>", "<script>")] == [True, True, False]
    secret = tmp_path / "private/references.json"
    private_too = {"seed": 0, "day": DAY, "references": secret}
    with pytest.raises(UnusableInput, match=r"validation\.jsonl holds references of the same examples"):
        write_sample(sample, tmp_path / "out", [], split="test", **private_too)
    with pytest.raises(UnusableInput, match=r"references\.json lies in the folder to be published"):
        write_sample(sample, tmp_path, [], **private_too)
    write_sample(sample, tmp_path / "out", [], **private_too)
    assert {path.name for path in public.iterdir()} == {"README.md", "validation.jsonl"}
    assert {path.name for path in private.iterdir()} == {"README.md", "tell_tales.html"}
    rows = [json.loads(line) for line in (public / "validation.jsonl").read_text(encoding="utf-8").splitlines()]
    assert ["output" in row for row in rows] == [False] * 4
    by_id = json.loads(secret.read_text(encoding="utf-8"))["book_sum_sort"]
    assert by_id == {example.id: list(example.references) for example in sample.examples}
    shown, kept = ((folder / "README.md").read_text(encoding="utf-8") for folder in (public, private))
    assert "Canary: " in shown
    assert shown.splitlines()[-1] == kept.splitlines()[-1]
    assert not any(phrase in shown for phrase in ("References:", "Naive floor", "seed", "only"))
    assert "References: orders of 3" in kept


def test_the_rows_of_another_split_are_read_whatever_separators_of_lines_their_texts_have(tmp_path):
    sample = build_book_sum_sort(book("It pours.", "It rains.", "It snows."), SummaryOptions())
    private = {"seed": 0, "day": DAY, "references": tmp_path / "private.json"}
    other = tmp_path / "out/book_sum_sort/train.jsonl"
    write(other, '{"id": "other", "input": "a\u2028b\x85c", "output": "3, 2, 1"}\n')
    write_sample(sample, tmp_path / "out", [], **private)
    write(other, '{"id": "other"}\n{"id": \n')
    with pytest.raises(UnusableInput, match=r"^train\.jsonl, line 2: the JSON ends too early; is the file complete\?"):
        write_sample(sample, tmp_path / "out", [], **private)


def test_records_are_the_same_from_every_format_and_encoding(tmp_path):
    rows = [{"place": "Café; 1", "rating": "5", "text": 'nan, it "says"\nover two lines'}]
    frame = pd.DataFrame(rows)
    frame.to_parquet(tmp_path / "r.parquet")
    texts = {".csv": frame.to_csv(index=False), ".jsonl": json.dumps(rows[0]), ".json": json.dumps({"data": rows})}
    texts |= {".tsv": frame.to_csv(index=False, sep="\t"), "-semicolons.csv": frame.to_csv(index=False, sep=";")}
    for suffix, content in texts.items():
        (tmp_path / f"r{suffix}").write_text(content, encoding="utf-8")
    (tmp_path / "r.csv.gz").write_bytes(gzip.compress(texts[".csv"].encode("utf-8-sig")))
    (tmp_path / "r-1252.csv").write_text(texts[".csv"], encoding="cp1252")
    records, origins = read_records(tmp_path)
    assert records == rows * 8
    encodings = {origin.name: origin.encoding for origin in origins if origin.encoding}
    assert encodings == {"r-1252.csv": "Windows-1252"}


def test_a_file_that_cannot_be_read_is_named_with_the_line_and_what_to_do(tmp_path):
    (tmp_path / "empty").mkdir()
    for name, content, message in (
        ("a.csv", b"", r"^a\.csv: the table has no header; write the names of its columns into the first line$"),
        ("a.csv", b'a,b\n1,"2', r'^a\.csv: line 2 cannot be read \(a "double quote" is not closed'),
        ("a.csv", b"a,b\n1,2\n1,2,3", r"^a\.csv, line 3: the row has 3 cells where the header has 2; put texts with"),
        ("a.csv", "a,b\n1,é".encode("utf-16"), r"^a\.csv: the file is UTF-16, or no text; save it as UTF-8$"),
        ("a.csv", b"PK\x03\x04\0\0\xff", r"^a\.csv: the file is a ZIP or an Excel workbook"),
        ("a.jsonl", b'{"a": 1}\n{', r"^a\.jsonl, line 2: the JSON ends too early; is the file complete\? Else mend it"),
        ("a.jsonl", b'{"a": 1}\n[2]', r"^a\.jsonl, line 2: the line holds a list; a row is one JSON object$"),
        ("a.json", b'{"a": 1}', r"^a\.json: the file holds an object; it must hold a list of objects"),
        ("a.json", b'[{"a": 1}, 3]', r"^a\.json, row 2: the row holds a number; a row is one JSON object$"),
        ("a.json", b"[" * 100_000, r"^a\.json: the JSON is nested too deeply"),
        ("a.parquet", b"PAR1", r"^a\.parquet: the Parquet file cannot be read .*; is it complete\?$"),
        ("a.csv.gz", b"no", r"^a\.csv\.gz: the file cannot be read .*; is it damaged\?$"),
        ("a.xls", b"", r"^a\.xls is not one of \.csv.*; convert it$"),
        ("empty", None, r"has no file ending in \.csv, \.tsv, \.json, \.jsonl, \.parquet$"),
        ("none", None, "there is no file or folder"),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(UnusableInput, match=message):
            read_records(tmp_path / name)


def test_a_file_of_ones_own_may_be_larger_than_an_upload(tmp_path):
    write(tmp_path / "r.json", {"data": [{"text": "as long as it is"}]})
    with limits.using(limits.UPLOADS._replace(whole=5, total=5)):
        records, _ = read_records(tmp_path / "r.json")
    assert records == [{"text": "as long as it is"}]


def test_texts_in_folders_are_books_and_chapter_10_follows_chapter_9(tmp_path):
    for number in (10, 9, 1):
        write(tmp_path / "A Book" / f"chapter {number}.txt", f"Text {number}.\n")
    records, origins = read_records(tmp_path)
    assert records == [{"book": "A Book", "summaries": ["Text 1.", "Text 9.", "Text 10."]}]
    assert [(origin.name, origin.records) for origin in origins] == [("A Book/", 3)]
