"""Rows of QASPER, made for tests of runs."""

from pathlib import Path

from written_files import write


def write_rows(folder: Path, count: int) -> str:
    """Write the rows, three questions about each document, and return the folder as a source."""
    rows = []
    for i in range(count):
        document = f"Document {i // 3}. " + "word " * 60
        prompt = f"You are given an article.\n\nArticle:\n{document}\n\nQuestion:\nWhat is {i}?\n\nAnswer:\n"
        rows.append({"id": f"q{i}", "pid": f"q{i}_0", "input": prompt, "output": f"answer to {prompt[-20:]}"})
    write(folder / "qasper" / "validation.jsonl", rows)
    return str(folder)
