"""Why a session is over, in sentences that can be said in any language. Pure.

The hub says its farewell in English words and with a reason; a hub that is gone says nothing, and
the session puts it in words. What the player reads is the reason in their language, and the words
beside it only where they say more.
"""

from kems_net.messages import Farewell, FarewellReason
from kems_net.phrases import Phrase, phrase, verbatim

FAREWELLS: dict[FarewellReason, Phrase] = {
    FarewellReason.VERSION: phrase("this hub speaks another version"),
    FarewellReason.CODE: phrase(
        "this hub asks for its code word: start with --code WORD, as the host says it"
    ),
    FarewellReason.FULL: phrase("no seat is free here: try another table, or --watch"),
    FarewellReason.TEAM_FULL: phrase("that team is full: try another one, or none"),
    FarewellReason.NO_SUCH_TEAM: phrase("there is no such team at this table"),
    FarewellReason.NO_SUCH_TABLE: phrase("there is no such table at this hub"),
    FarewellReason.NAME_TAKEN: phrase(
        "somebody here has that name, or one that looks like it: take another with --name"
    ),
    FarewellReason.BAD_NAME: phrase("that name can't be seen: take letters"),
    FarewellReason.KEY_IN_USE: phrase(
        "you play from another window already: close it, or take --profile"
    ),
    FarewellReason.REPLACED: phrase("you came back over another connection"),
    FarewellReason.CUT_OFF: phrase("too much came from here: try again in a few seconds"),
    FarewellReason.LEFT: phrase("goodbye"),
    FarewellReason.CLOSING: phrase("the hub closes: thank you for playing"),
}
"""The words a hub usually has for each reason."""

GONE: tuple[Phrase, ...] = (
    phrase("the hub does not answer any more"),
    phrase("the hub of your game has ended"),
    phrase("another hub, with another key, has taken its place"),
    phrase("what this hub says of its table can't be: nobody can play there"),
)
"""What the session says of a hub that is gone, where that is one of a few sentences."""


def parting(farewell: Farewell | None, gone: str | None) -> tuple[Phrase, ...]:
    """Why it is over, each sentence on a line of its own."""
    if farewell is not None:
        usual = FAREWELLS[farewell.reason]
        return (usual,) if farewell.text == usual.text else (usual, verbatim(farewell.text))
    known = next((each for each in GONE if each.text == gone), None)
    return (verbatim(gone or "") if known is None else known,)
