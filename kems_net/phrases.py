"""What the screen says, as values: an English sentence with holes, and what belongs in them.

Pure. A sentence is put into the player's language when it is painted, by a `Say`; so a state holds
no language, and every sentence can be found in the source (`phrase("...")`) by a translator.
"""

from collections.abc import Callable

from msgspec import Struct


class Phrase(Struct, frozen=True):
    """A sentence with holes such as `{who}`, and what fills them."""

    text: str
    fills: tuple[tuple[str, "str | int | Phrase"], ...] = ()


Say = Callable[[Phrase], str]
"""Puts a phrase into words."""


def phrase(text: str, /, **fills: str | int | Phrase) -> Phrase:
    """The phrase of that text."""
    return Phrase(text, tuple(fills.items()))


def verbatim(said: str) -> Phrase:
    """Somebody's own words, or a name: what no translator touches."""
    return Phrase("{said}", (("said", said),))


def said_in(look_up: Callable[[str], str]) -> Say:
    """The `Say` of a catalogue: `look_up` gives a sentence's translation, or the sentence."""

    def say(wanted: Phrase) -> str:
        fills = {
            name: say(fill) if isinstance(fill, Phrase) else fill for name, fill in wanted.fills
        }
        sentence = look_up(wanted.text)
        return sentence.format(**fills) if fills else sentence

    return say


def in_english(wanted: Phrase) -> str:
    """A phrase in the words it was written in."""
    return _english(wanted)


_english = said_in(lambda text: text)
