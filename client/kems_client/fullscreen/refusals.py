"""Why a request was refused, as a phrase: the sentences are those of line mode. Pure."""

from kems_client.drawing.glyphs import UNICODE, label
from kems_client.linemode.sentences import milliseconds, why_refused
from kems_client.state.table_view import TableView
from kems_net.cards import Seat
from kems_net.messages import Refused
from kems_net.phrases import Phrase, phrase, verbatim
from kems_net.sanitize import clean


def refusal(view: TableView, refused: Refused) -> Phrase:
    """The sentence for a refusal."""
    card = phrase("that card") if refused.card is None else verbatim(label(refused.card, UNICODE))
    margin = phrase("a little")
    if refused.margin_us is not None:
        margin = phrase("{ms} ms", ms=milliseconds(refused.margin_us))
    sentence = Phrase(
        why_refused(refused),
        (("card", card), ("by", _who(view, refused.by)), ("margin", margin)),
    )
    if refused.photo_finish:
        return phrase("{sentence} (a photo finish)", sentence=sentence)
    return sentence


def _who(view: TableView, seat: Seat | None) -> Phrase:
    if seat is None:
        return phrase("somebody")
    return phrase("you") if seat == view.my_seat else verbatim(clean(view.name_of(seat)))
