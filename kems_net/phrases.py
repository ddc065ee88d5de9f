"""What the screen says, as values: an English sentence with holes, and what belongs in them.

Pure. A sentence is put into the player's language when it is painted, by a `Say`; so a state holds
no language, and a translator finds every sentence in the source: `phrase("...")` and
`counted("...", "...")`. Translations are gettext's: each language has the plurals it needs.
"""

from collections.abc import Callable, Sequence
from gettext import NullTranslations

from msgspec import Struct


class Phrase(Struct, frozen=True):
    """A sentence with holes such as `{who}`, and what fills them."""

    text: str
    fills: tuple[tuple[str, "str | int | Phrase"], ...] = ()
    plural: str = ""
    """The English sentence for another number than one; empty where nothing is counted."""
    count: int = 1


Say = Callable[[Phrase], str]
"""Puts a phrase into words."""


def phrase(text: str, /, **fills: str | int | Phrase) -> Phrase:
    """The phrase of that text."""
    return Phrase(text, tuple(fills.items()))


def counted(one: str, many: str, /, count: int, **fills: str | int | Phrase) -> Phrase:
    """The phrase for so many: one sentence for one, another with `{count}` for other numbers."""
    return Phrase(one, (("count", count), *fills.items()), many, count)


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


def said_in(translations: NullTranslations) -> Say:
    """The `Say` of a catalogue; a sentence that it lacks is said in English."""

    def say(wanted: Phrase) -> str:
        fills = {
            name: say(fill) if isinstance(fill, Phrase) else fill for name, fill in wanted.fills
        }
        if wanted.plural:
            sentence = translations.ngettext(wanted.text, wanted.plural, wanted.count)
        else:
            sentence = translations.gettext(wanted.text)
        return sentence.format(**fills) if fills else sentence

    return say


def in_english(wanted: Phrase) -> str:
    """A phrase in the words it was written in."""
    return _english(wanted)


_english = said_in(NullTranslations())
