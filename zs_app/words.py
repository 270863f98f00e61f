"""The texts of the page."""

from zs_bench.files.formats import help_table

TITLE = "ZeroSCROLLS"
DESCRIPTION = (
    "Score ZeroSCROLLS and SCROLLS answers as you type. Same numbers as the released evaluators, and an explanation for "
    "each."
)

SKIP = "Skip to content"
BENCHMARK = "Benchmark"
#: By benchmark.
LINKS_TITLE = "Links"
COPY_LINK = "Copy link"
DATA = "Your texts are not logged or shared, and deleted within the hour.{}"

TRY_TAB = "Try a task"
TRY_LEAD = "{} averages {:.1f} points on the test split, other questions than this one."
TRY_WRITTEN = "Written for this page"
ORDER_UP = "Move summary {} up"
ORDER_DOWN = "Move summary {} down"
SLIDER = "Percentage of positive reviews"
# What a score means, in the words of its metric: only accuracy and exact match ask whether an answer is right.
RIGHT, WRONG = "Right", "Wrong"
NOTHING_SHARED = "No word in common with any reference"
ALL_SHARED = "Every word shared"
SHARED = "{} of {} words shared"
WORDS_ONLY = "compares words, not meaning"
NO_PERCENTAGE = "No percentage read"
POINTS_OFF = "{:.4g} points off"
IN_ORDER = "{:,} of {:,} pairs in order"
NO_PERMUTATION = "Not a permutation of the list"
REACHED_BY = {"gpt4": "GPT-4", "best": "LED", "human": "people"}
TYPOGRAPHY = "The same words, but for typography"
TRY_SAMPLE = "Fill in the sample answer"
TRY_SAMPLE_REFERENCE = "Fill in the reference"
ASK = "Ask {}"
ASK_SIGN_IN = (
    "Sign in with Hugging Face first, at the foot of this page: the model is asked with your account, at its cost."
)
ASK_RUNNING = "Your last question to the model is still being answered. Wait for its answer."
ASK_SLOW = "The model took longer than it may. Try again, or a shorter task."
ASK_CUT = "The model wrote more than it was asked for; the rest is cut off."
ASK_LATER = "The model's server gave no answer. Try again later; its owner finds the reason in the log."
ASK_OTHER = "This model gave no answer. Check its name and your credits for inference providers, or choose another one."
TRY_ANSWER = "Your answer"
TRY_WHY = "Why this score?"
TRY_NEXT_PLACE = "Next match in the document ↓"
TRY_TO_DOCUMENT = "Document ↓"
TRY_TO_ANSWER = "Question ↑"
TRY_FACTS = "{kind} ({domain}) · {metric}. {size}{shown}"
TRY_SIZE = "The benchmark asks {test:,} test questions, on texts of {words:,} words on average. "
TRY_SHOWN_HERE = "This example was written for this page."
TRY_SHOWN = "This example is from: {}."

PROMPT_REGION = "Prompt"
DOCUMENT = "Document"
PROMPT_VARIANT = "Prompt for"
PROMPT_VARIANTS = {
    "canonical": "completion models (original)",
    "chat": "chat models",
    "claude": "Claude, as in the paper",
}
PROMPT_BUDGET = "Context limit in words (prompt + answer); right end: no limit"
PROMPT_BUDGET_COUNTED = "Context limit in the unit below (prompt + answer); right end: no limit"
PROMPT_BUDGET_SLIDER = "Context limit"
PROMPT_TOKENIZER = "Counted in"
PROMPT_TOO_SMALL = "This limit is too small. The whole prompt is shown"
EXAMPLE = "Example"
SOURCE_TITLE = "Texts"
SOURCE_EMBEDDED = "short, of this page"
SOURCE_HUB = "real, from the Hub"
SOURCE_UNAVAILABLE = "The real texts are not there: this server could not load them from the Hub."
SOURCE_BACK = "Back to the examples of this page"
SOURCE_UNUSABLE = "No examples of this task here. Choose another task or source."
SOURCE_NO_EXAMPLES = (
    "This page has no examples of {}. Its answers are scored under “Score an answer” and “Score a file”; the owner of the "
    "page can add examples, with zero-scrolls app --data DIR."
)
SOURCE_DEFECTS = "Problems found in this data"
SOURCE_NO_REFERENCE = "This example has no reference to score against."

TASK = "Task"
ANSWER_TAB = "Score an answer"
ANSWER = "Answer"
ANSWER_REFERENCE = "Reference {}"
ANSWER_HINT, ANSWER_REFERENCE_HINT = "Paste an answer", "Paste the right answer"
ANSWER_CLEAR = "Clear the boxes"
ANSWER_ADD = "Add a reference"
ANSWER_REMOVE = "Remove reference {}"
ANSWER_NO_REFERENCE = "Add a reference to get a score."
ANSWER_BAD_REFERENCE = "This reference cannot be used"
#: By metric: the sample answer and reference of the tab.
ANSWER_SAMPLES = {
    "f1": ["In the clock, behind the pendulum", "Behind the pendulum of the old clock"],
    "rouge": [
        "The council voted to repair the bridge before winter and to close the ferry.",
        "The council decided to repair the old bridge before the winter. The ferry stays open until then.",
    ],
    "accuracy": ["The answer is (B), because the mill was sold first.", "B"],
    "exp_similarity": ["About 55% of the reviews are positive.", "60%"],
    "concordance_index": ["1, 3, 2, 4", "1, 2, 3, 4"],
    "exact_match": ["Not mentioned", "Not mentioned"],
}

FILE_TAB = "Score a file"
FILE_LEAD = "Drop a model's predictions and their references: scores, and where points were lost."
FILE_EXAMPLE_NAME, FILE_EXAMPLE = "Sample", "What a report begins with"
FILE_PARTIAL = "Allow missing answers"
FILE_FORMATS = help_table()
FILE_FROM = "References from"
FILE_FROM_FILES = "my files"
FILE_FROM_EMBEDDED = "the examples of this page"
FILE_FROM_HUB = "the Hub, validation split"
SOURCE_UNAVAILABLE_FILE = "Could not load these references. Add files, or use the examples of this page."
FILE_NOT_KEPT = "Uploads are deleted within the hour: choose {} again."
FILE_DEFINITIONS = "Several files define a benchmark. Give one."
FILE_OWN_REFERENCES = "The references of a benchmark of your own come from files: drop them here, too."
FILE_NO_REPO = "This benchmark has no dataset on the Hub. Drop its references as files."
MEAN_OF_RUNS = "Mean of {} runs"
VARIANTS_OF_RUNS = "Variants are of one run: score its file alone."
FILE_FIRST = "Add predictions and references, or open the sample."
FILE_FIRST_REFERENCES = "Add references, or choose where they come from."
FILE_AGAIN = "Score again"
FILE_OPTIONS, FILE_FORMATS_TITLE = "Options", "File formats"
FILE_ALL_ANSWERS = "All answers"
FILE_LOST_TO = "Main loss"
FILE_GROUP, FILE_ANY_GROUP = "Group of questions", "any group"
FILE_POST, FILE_POST_NONE = "Post-processing", "none"
FILE_POSTS = {
    "drop-think": "what follows the thinking",
    "drop-label": "no option's letter before it",
    "drop-tokens": "no marks of a tokenizer, such as </s> or ▁",
    "decode": "the text of Base64, or of the%20old%20mill",
    "unescape": r"line breaks for \n, é for \u00e9, & for &amp;, the text of b'…'",
    "drop-tags": "no tags of HTML, such as <br>",
    "drop-invisible": "no characters without width",
    "fix-encoding": "é for Ã©",
    "after:Final answer:": "what follows the last mark",
    r"cut-at:\n": "what stands before the first mark",
    "cut-at-tag": "what stands before Claude's closing tag",
    "strip": "no white space around it",
}
FILE_TEXT = "Search IDs and texts"
FILE_NONE = "No answers match."
FILE_MORE = "Show more"

COMPARE_NAME = "Name of system {}"
COMPARE_FIRST = "Add the predictions of system B first."
COMPARE_FILTERS = {
    "first": "{0} better",
    "second": "{1} better",
    "first-right": "{0} right, {1} wrong",
    "second-right": "{1} right, {0} wrong",
    "same": "same score",
}
COMPARE_RIGHT = "Right: {} points or more"

RESULTS_TAB = "Results"
RESULTS_OTHER = "Your file belongs to {}. Switch the benchmark to compare it."
RESULTS_CARE = "Compare with care"
RESULTS_FIND = "Find a system"
RESULTS_FILTERS = "Filters"
RESULTS_SAVE = "CSV"
RESULTS_NEWEST = "The newest system with all {} tasks of the test split is of {}."
RESULTS_LATER = "{} later results with some of the tasks"
RESULTS_LENGTHS = "Effect of input length (test split)"

API_TAB = "API"
API_LEAD = "The same scorer for programs and agents, without an account or a key."
API_ALL = "All endpoints, in Python, JavaScript, curl and MCP: “Use via API or MCP” at the foot of this page."
API_PYTHON = "Python"
API_EVALUATE = "The metric with evaluate"
API_RESULT = "Result"
API_COPY = "Copy"
API_COPY_NAMED = "Copy: {}"

NO_ANSWER_YET = "Your score"
NO_ANSWER_TO_EXPLAIN = "Type an answer to see why it gets its score."
SCORE = "Score"
LOST = "No connection to the server. What you type is kept, and scored when the connection is back."
NOT_SCORED = "Not scored here"
TOO_LONG_TO_EXPLAIN = "Scored, but too long to explain: {} in the answer, {} in the references."
JOB_GONE = "This job is no longer kept, or another replica has it (a Space must run one); start it again."
UNEXPECTED = "Something went wrong on our side. Your input is still here; try again. Error reference: {}."
