"""What a run would cost: prompts, tokens and the highest price by task."""

from collections.abc import Sequence
from itertools import groupby

from zs_bench.prompts.token_counts import WORDS, Tokenizer
from zs_bench.reports.tables import Table
from zs_bench.requests import Request

#: Tokens per word, where words are counted: the paper's 45.5 million words are about 60 million tokens.
TOKENS_PER_WORD = 4 / 3


def estimate_text(
    requests: Sequence[Request], tokenizer: Tokenizer, window: int | None, price: tuple[float, float] | None
) -> str:
    """Return the table of prompts, tokens, prompts over the window and price by task, with a sum.

    Args:
        requests: those of a task follow each other.
        window: in tokens; `None` leaves out the column of prompts that do not fit into it with their answers.
        price: of a million tokens of prompt and of answer; `None` leaves the column out.
    """
    if not requests:
        return "This part of the run has no prompts."
    exact = tokenizer.name != WORDS.name
    rows: list[tuple[str, list[int]]] = []
    for task, of_task in groupby(requests, key=lambda request: request.task.name):
        group = list(of_task)
        tokens = [round(tokenizer.count(request.text) * (1 if exact else TOKENS_PER_WORD)) for request in group]
        answers = [request.answer_tokens for request in group]
        over = sum(sum(pair) > (window or 0) for pair in zip(tokens, answers, strict=True))
        documents = len({request.document for request in group})
        rows.append((task, [len(group), documents, sum(tokens), max(tokens), sum(answers), over]))
    columns = list(zip(*(numbers for _, numbers in rows), strict=True))
    rows.append(("all", [max(column) if index == 3 else sum(column) for index, column in enumerate(columns)]))
    cells = []
    for task, numbers in rows:
        *counts, over_window = (f"{number:,}" for number in numbers)
        cost = f"{(numbers[2] * price[0] + numbers[4] * price[1]) / 1e6:,.2f}" if price else ""
        cells.append((task, *counts, over_window if window else "", cost))
    head = ("task", "prompts", "documents", "tokens", "longest", "answers", "over window" if window else "")
    table = Table((*head, "price" if price else ""), cells, right=range(1, 8))
    counted = "by the tokenizer" if exact else "as four thirds of the words"
    most = ", and the price the most it costs" if price else ""
    return f"{table.text()}\nTokens are counted {counted}; 'answers' is the most that may be generated{most}."
