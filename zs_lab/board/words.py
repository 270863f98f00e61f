"""The texts of the tab "Board"."""

TITLE = "Board"
SIZE = "{}, {}. {} a day and {} in all."
ABOUT = "Rules, tasks and contact"
TASKS = "Tasks (examples): {}, scored with the metrics of {}. The references stay on this server."
OPENS, OPEN_UNTIL, CLOSED = "Submissions open on {}.", "Submissions are open until {}.", "Submissions closed on {}."
SEALED = "Scores are shown after that."
EXACT_LATER = "Exact scores are shown after that."
EXACT = "Scores are exact."
EMPTY, SEALED_EMPTY = "No entries yet.", "Entries and scores are shown after the end."
RANKED_BY = "Ranked by"
HOW = "How scores are shown"
NOISE = (
    "A random number is added to each task's score, so that no single answer can be worked out. The average is that of "
    "the scores shown."
)
RANKS = (
    "A rank is 1 plus the number of systems whose score is better by more than {margin:.1f} points; below that, the order "
    "could be chance (95 %), and a range of ranks is shown. The best entry of each system is listed; click a system for "
    "its details."
)
SUBMIT = "Submit, or see your submissions"
KEPT_PRIVATELY = (
    "Predictions are kept, never shown, and may be scored again. System, link, note and scores are public. Refused files do "
    "not count."
)
CODE, CODE_HINT = "Submission code", "From the organisers"
SYSTEM, LINK, NOTE = "Name of the system", "Link (optional)", "Note (optional)"
FILES, RUN, CHOOSE = "Predictions", "Settings (run.json, optional)", "Drop files here, or choose"
SEND, CHECK, OWN = "Submit", "Check without submitting", "Your submissions"
CONFIRM, CANCEL = "Yes, submit", "Cancel"
ASK = "Submit as “{system}”: {read}?"
ASK_LEFT = "This uses one of your submissions: {} left today, {} in all."
CHECKED = "These files can be submitted: {}."
CANCELLED = "Not submitted."
READING, SCORING = "Reading the files…", "Checking and scoring…"
REFUSED = "Not accepted: {}"
DETAILS, IDS = "Details", "Download the list of IDs"
ACCEPTED = "Accepted as entry {}."
SEALED_KEPT = "Scores are shown after the end."
LEFT = "Submissions left: {} today, {} in all."
NO_HISTORY = "You have not submitted anything yet."
WITHDRAW, WITHDRAW_ENTRY = "Withdraw", "Withdraw entry {}"
WITHDRAW_ASK = "Withdraw this entry? It leaves the board and still counts for your limits."
CODE_FIRST = "Enter your submission code. Codes come from the organisers."
SIGN_IN_FIRST = "Sign in with Hugging Face first."
FILES_FIRST = "Choose a prediction file."
UNAVAILABLE = "The board is unavailable; try again in a few minutes."
ENDPOINTS = {
    "board_entries": "The leaderboard.",
    "board_check": "What a submission would be refused for, without submitting it.",
    "board_submit": "A submission to it: files of predictions, the system's name, and a submission code.",
    "board_history": "Your own entries, and how many submissions you have left.",
    "board_withdraw": "Takes one of your entries off the board.",
}
DATA = " Only submissions to the board are kept."
