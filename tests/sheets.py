"""Rule sheets in which no two numbers are alike: a test sees it if the wrong key is read."""

from kems_net.rulesheet import Scoring
from kems_net.sheetfile import RuleSheet, load_sheet

KEMS, WRONG, ONE, DOUBLE, CONTRE_WRONG, MANY = 2, 3, 4, 5, 6, 7
"""What calls are worth in a sheet of `unlike`."""
NUMBERS: dict[str, object] = {
    "kems": KEMS,
    "wrong_call": WRONG,
    "contre_one": ONE,
    "double": DOUBLE,
    "contre_wrong": CONTRE_WRONG,
    "contre_many": MANY,
    "countdown_after_sweep_s": 1.0,
    "countdown_s": 1.5,
    "study_s": (2.25, 2.75),
    "double_window_s": 3.5,
    "verdict_s": 8.0,
    "sweep_after_s": 9.0,
    "proof_s": 10.0,
    "notice_s": 11.0,
    "dealer_wait_s": 12.0,
    "consent_s": 13.0,
    "away_s": 21.0,
    "huddle_s": 61.0,
    "max_round_s": 320.0,
}


def unlike(name: str, **changes: object) -> RuleSheet:
    """A shipped sheet with a number of its own in each key, and with these changes."""
    sheet = load_sheet(name)
    end: dict[str, object] = {"word": "KEMPSTOWN"} if sheet.scoring is Scoring.LETTERS else {}
    if sheet.target:
        end["target"] = 41
    return sheet.with_(**(NUMBERS | end | changes))
