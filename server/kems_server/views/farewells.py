"""The words with which the hub ends a connection: one line for a person, by the reason. Pure."""

from kems_net.messages import Farewell, FarewellReason

_WORDS = {
    FarewellReason.VERSION: "this hub speaks another version",
    FarewellReason.CODE: (
        "this hub asks for its code word: start with --code WORD, as the host says it"
    ),
    FarewellReason.FULL: "no seat is free here: try another table, or --watch",
    FarewellReason.TEAM_FULL: "that team is full: try another one, or none",
    FarewellReason.NO_SUCH_TEAM: "there is no such team at this table",
    FarewellReason.NO_SUCH_TABLE: "there is no such table at this hub",
    FarewellReason.NAME_TAKEN: (
        "somebody here has that name, or one that looks like it: take another with --name"
    ),
    FarewellReason.BAD_NAME: "that name can't be seen: take letters",
    FarewellReason.KEY_IN_USE: "you play from another window already: close it, or take --profile",
    FarewellReason.REPLACED: "you came back over another connection",
    FarewellReason.CUT_OFF: "too much came from here: try again in a few seconds",
    FarewellReason.LEFT: "goodbye",
    FarewellReason.CLOSING: "the hub closes: thank you for playing",
}


def farewell(reason: FarewellReason, text: str | None = None) -> Farewell:
    """The farewell of that reason, in its usual words or in others."""
    return Farewell(reason, _WORDS[reason] if text is None else text)
