"""Many processes at one board, some of them killed: every limit holds, and each entry is whole or absent."""

import subprocess
import sys
from pathlib import Path

import pytest
from boards import make_board, predictions
from sqlalchemy import func, select

from zs_lab.board import BoardSettings, LimitReached, open_board, owner
from zs_lab.board.database import ENTRIES, PREDICTIONS, SCORES

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]

#: Opens the board, waits for a line, submits all files for every code in turn; prints what was taken.
SUBMIT_ALL = """
import sys
from pathlib import Path
from zs_lab.board import open_board
from zs_metric import ZeroScrollsError
board = open_board(sys.argv[1])
print("ready", flush=True)
input()
for file in sorted(Path(sys.argv[2]).iterdir()):
    for code in sys.argv[3:]:
        submitter = board.submitter_of(code)
        try:
            print(submitter.name, board.submit(submitter, system="S", predictions=file).id)
        except ZeroScrollsError as error:
            print("refused:", type(error).__name__)
"""
#: Submits, and stops inside the transaction, after the entry is written.
SUBMIT_AND_STOP = """
import sys
from zs_lab.board import board as module, open_board
def stop(*_):
    print("inside", flush=True)
    input()
module.count_change = stop
board = open_board(sys.argv[1])
board.submit(board.submitter_of(sys.argv[2]), system="S", predictions=sys.argv[3])
"""


def started(code, first, *arguments):
    """A process that has printed this line."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == f"{first}\n"
    return process


def counts(board):
    with board.database.reading() as connection:
        tables = (ENTRIES, PREDICTIONS, SCORES)
        return [connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables]


def test_eight_processes_at_once_keep_every_limit_exactly(place, tmp_path):
    board = make_board(tmp_path, place, settings=BoardSettings(per_day=2, in_all=20))
    codes = [owner.invite(board, f"Team {i}")[0] for i in range(5)]
    # Each process has files of its own, but for one that all have; each code could submit 33 different ones.
    for process in range(8):
        for right in (*range(4 * process, 4 * process + 4), 39):
            predictions(tmp_path / f"files{process}", right)
    running = [started(SUBMIT_ALL, "ready", place, tmp_path / f"files{number}", *codes) for number in range(8)]
    for process in running:
        process.stdin.write("\n")
        process.stdin.flush()
    printed = [line for process in running for line in process.communicate(timeout=300)[0].splitlines()]
    assert [process.returncode for process in running] == [0] * 8
    taken = sorted(line for line in printed if not line.startswith("refused: "))
    assert [line.rpartition(" ")[0] for line in taken] == [f"Team {i}" for i in range(5) for _ in range(2)]
    assert set(printed) - set(taken) <= {"refused: LimitReached", "refused: NotAccepted"}
    assert counts(board) == [10, 10, 10]
    assert [board.allowance(board.submitter_of(code)).today for code in codes] == [0] * 5


def test_a_process_killed_inside_a_submission_leaves_nothing_of_it(place, tmp_path):
    board = make_board(tmp_path, place, settings=BoardSettings(per_day=1))
    code, file = owner.invite(board, "A")[0], predictions(tmp_path, 20)
    process = started(SUBMIT_AND_STOP, "inside", place, code, file)
    process.kill()
    process.communicate()
    again = open_board(place)
    assert (counts(again), again.entries()) == ([0, 0, 0], [])
    # The limit is not used, the predictions are no duplicate, and no lock is left.
    assert again.submit(again.submitter_of(code), system="S", predictions=file).average == 50.0
    with pytest.raises(LimitReached):
        again.submit(again.submitter_of(code), system="S", predictions=predictions(tmp_path, 21))
