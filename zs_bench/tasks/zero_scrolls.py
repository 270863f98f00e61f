"""ZeroSCROLLS and its tasks, a row each.

Source: ZeroSCROLLS (arXiv 2305.14196) Tables 1, 3, 5 and 6, and section 4 with its released experiments.
"""

from zs_bench.tasks.info import BenchmarkInfo, Naive, TaskInfo, TaskSize, Template
from zs_metric.tasks import ZERO_SCROLLS, find_task

_IF_UNANSWERABLE = 'If the question cannot be answered based on the information in the {}, write "unanswerable".'
# How an id names its document: a book's shuffles end in `_n`, the questions about a story begin with `story_`.
_BOOK, _STORY = r"(?s)(.+)_\d+", r"(?s)([^_]+)_.*"

BENCHMARK = BenchmarkInfo(
    ZERO_SCROLLS,
    code="ZS",
    repo="tau/zero_scrolls",
    splits=("validation", "test"),
    query_first=False,
    average_decimals=1,
    marks={"naive": "Naive", "gpt4": "GPT-4 (v0314), 8,192 tokens", "human": "Human"},
    naive_average="the naive answers, given without reading",
    validation_questions=(10, 28),
)

TASKS = (
    TaskInfo(
        find_task("gov_report"),
        "GovReport",
        "GvRp",
        "Summarization",
        "government",
        size=TaskSize(7273, 500),
        summaries=True,
        template=Template(
            "You are given a report by a government agency. Write a one-page summary of the report.",
            "Report:",
            None,
            "Summary:",
        ),
        has_query=False,
        answer_budget=1024,
        naive=Naive("a random span of 500 words", span=500),
    ),
    TaskInfo(
        find_task("summ_screen_fd"),
        "SummScreenFD",
        "SSFD",
        "Summarization",
        "TV",
        size=TaskSize(5663, 337),
        summaries=True,
        template=Template(
            "You are given a script of a TV episode. Summarize the episode in a paragraph.",
            "Episode Script:",
            None,
            "Summary:",
        ),
        has_query=False,
        answer_budget=512,
        naive=Naive("a random span of 200 words", span=200),
    ),
    TaskInfo(
        find_task("qmsum"),
        "QMSum",
        "QMsm",
        "Query-based summarization",
        "meetings",
        size=TaskSize(10839, 281),
        summaries=True,
        template=Template(
            "You are given a meeting transcript and a query containing a question or instruction. Answer the query in "
            "one or more sentences.",
            "Transcript:",
            "Query:",
            "Answer:",
        ),
        answer_budget=512,
        naive=Naive("a random span of 50 words", span=50),
    ),
    TaskInfo(
        find_task("squality"),
        "SQuALITY",
        "SQAL",
        "Query-based summarization",
        "literature",
        size=TaskSize(4971, 260),
        summaries=True,
        template=Template(
            "You are given a story and a question. Answer the question in a paragraph.",
            "Story:",
            "Question:",
            "Answer:",
        ),
        answer_budget=512,
        naive=Naive("a random span of 120 words", span=120),
        document_of_id=_STORY,
        human_source="one reference against the other three",
    ),
    TaskInfo(
        find_task("qasper"),
        "Qasper",
        "Qspr",
        "Question answering",
        "science",
        size=TaskSize(3531, 500),
        template=Template(
            "You are given a scientific article and a question. Answer the question as concisely as you can, using a "
            f"single phrase or sentence if possible. {_IF_UNANSWERABLE.format('article')} If the question is a yes/no "
            'question, answer "yes", "no", or "unanswerable".',
            "Article:",
            "Question:",
            "Answer:",
        ),
        answer_budget=128,
        naive=Naive(
            "answering at random Yes, No, Unanswerable or a span of 15 words", ("Yes", "No", "Unanswerable"), 15
        ),
        human_source="agreement of the annotators, on the ZeroSCROLLS subset",
    ),
    TaskInfo(
        find_task("narrative_qa"),
        "NarrativeQA",
        "Nrtv",
        "Question answering",
        "literature, film",
        size=TaskSize(49384, 500),
        template=Template(
            "You are given a story, which can be either a novel or a movie script, and a question. Answer the question "
            "as concisely as you can, using a single phrase if possible.",
            "Story:",
            "Question:",
            "Answer:",
        ),
        answer_budget=64,
        naive=Naive("a random span of 4 words", span=4),
        human_source="agreement of the annotators, on the ZeroSCROLLS subset",
    ),
    TaskInfo(
        find_task("quality"),
        "QuALITY",
        "QALT",
        "Multiple choice",
        "literature, misc",
        size=TaskSize(4248, 500),
        template=Template(
            "You are provided a story and a multiple-choice question with 4 possible answers (marked by A, B, C, D). "
            "Choose the best answer by writing its corresponding letter (either A, B, C, or D).",
            "Story:",
            "Question and Possible Answers:",
            "Answer:",
        ),
        options=True,
        answer_budget=10,
        naive=Naive("a random letter", ("A", "B", "C", "D")),
        document_of_id=_STORY,
        human_source="from the paper of the dataset",
    ),
    TaskInfo(
        find_task("musique"),
        "MuSiQue",
        "MuSQ",
        "Multi-hop question answering",
        "Wikipedia",
        size=TaskSize(1749, 500),
        template=Template(
            "You are given several paragraphs from Wikipedia and a question. Answer the question as concisely as you "
            f"can, using a single phrase if possible. {_IF_UNANSWERABLE.format('paragraphs')}",
            "Paragraphs:",
            "Question:",
            "Answer:",
        ),
        answer_budget=32,
        naive=Naive("always answering “Unanswerable”", ("Unanswerable",)),
        answerability=True,
        human_source="from the paper of the dataset",
    ),
    TaskInfo(
        find_task("space_digest"),
        "SpaceDigest",
        "SpDg",
        "Aggregation",
        "hotel reviews",
        size=TaskSize(5481, 500),
        template=Template(
            "You are given a list of reviews about a specific hotel. Each review is either positive or negative. "
            "What is the percentage of positive reviews (e.g. 60%, 34%, etc.)?",
            "Reviews:",
            None,
            "Percentage of Positive Reviews:",
        ),
        has_query=False,
        answer_budget=36,
        naive=Naive("always answering 50%", ("50%",)),
        human_source="from five annotators",
    ),
    TaskInfo(
        find_task("book_sum_sort"),
        "BookSumSort",
        "BkSS",
        "Aggregation",
        "literature",
        size=TaskSize(6840, 500),
        template=Template(
            "You are given {N} summaries of chapters or parts of a novel, in a shuffled order, where each summary is "
            "denoted by a numerical ID (e.g. Summary 1, Summary 3, etc.). Reorder the summaries according to the "
            "original order of chapters/parts in the novel by writing a list of length {N} of the summary IDs (e.g. if "
            'you were given 5 summaries, one possible answer could be "5, 1, 3, 4, 2").',
            "Summaries:",
            None,
            "Summary IDs in Correct Order:",
        ),
        has_query=False,
        answer_budget=256,
        naive=Naive("leaving the summaries in the order given", order=True),
        document_of_id=_BOOK,
        measured_outputs=None,
    ),
)
