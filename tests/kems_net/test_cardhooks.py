"""Cards on their way through msgspec: read as the one instance, written as their notation."""

import msgspec
import pytest

from kems_net.cardhooks import card_text, to_card
from kems_net.cards import Card, pack_of


@pytest.mark.parametrize("card", pack_of(104))
def test_a_card_comes_back_as_the_same_card(card: Card) -> None:
    written = msgspec.json.encode((card,), enc_hook=card_text)
    assert msgspec.json.decode(written, type=tuple[Card, ...], dec_hook=to_card)[0] is card


def test_what_is_no_card_is_not_read_as_one() -> None:
    with pytest.raises(msgspec.ValidationError, match="not a card"):
        msgspec.json.decode(b'["1H"]', type=tuple[Card, ...], dec_hook=to_card)


def test_no_other_type_is_let_through() -> None:
    with pytest.raises(NotImplementedError):
        to_card(complex, "1")
    with pytest.raises(NotImplementedError):
        card_text(1j)
