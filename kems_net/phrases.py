"""What the screen says, as values: an English sentence with holes, and what belongs in them.

Pure. A sentence is put into the player's language when it is painted, by a `Say`; so a state holds
no language, and every sentence can be found in the source (`phrase("...")`) by a translator.
"""

from collections.abc import Callable, Sequence

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


def in_turn(*sentences: Phrase) -> Phrase:
    """Whole sentences, one after another."""
    names = [f"sentence{number}" for number in range(len(sentences))]
    holes = " ".join(f"{{{name}}}" for name in names)
    return Phrase(holes, tuple(zip(names, sentences, strict=True)))


def listed(parts: Sequence[Phrase]) -> Phrase:
    """Clauses or numbers in a row: 4, 6, 8."""
    said, *others = parts
    for part in others:
        said = phrase("{several}, {next}", several=said, next=part)
    return said


def any_of(numbers: Sequence[int]) -> Phrase:
    """Numbers to choose from: 4, 6 or 8."""
    *others, last = (verbatim(str(number)) for number in numbers)
    return phrase("{several} or {last}", several=listed(others), last=last) if others else last


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
