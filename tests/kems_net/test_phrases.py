from collections.abc import Mapping
from gettext import NullTranslations

from kems_net.phrases import (
    any_of,
    counted,
    in_english,
    in_turn,
    listed,
    phrase,
    said_in,
    verbatim,
)


class Catalogue(NullTranslations):
    """A few sentences of another language."""

    def __init__(self, sentences: Mapping[str, str]) -> None:
        super().__init__()
        self._sentences = sentences

    def gettext(self, message: str) -> str:
        return self._sentences.get(message, message)


def test_what_is_counted_is_one_or_many() -> None:
    said = [
        in_english(counted("{who}: 1 point", "{who}: {count} points", n, who="Bo"))
        for n in (0, 1, 2)
    ]
    assert said == ["Bo: 0 points", "Bo: 1 point", "Bo: 2 points"]


def test_a_phrase_says_what_it_was_written_with() -> None:
    assert in_english(phrase("help")) == "help"
    assert in_english(phrase("{who} took {card}", who="Bo", card="7♠")) == "Bo took 7♠"


def test_a_phrase_within_a_phrase_is_put_into_words_too() -> None:
    say = said_in(Catalogue({"Four {rank}!": "Quatre {rank} !", "sevens": "sept"}))
    assert say(phrase("Four {rank}!", rank=phrase("sevens"))) == "Quatre sept !"
    assert say(phrase("untold")) == "untold"


def test_what_people_type_is_never_taken_for_holes() -> None:
    assert in_english(verbatim("{who} {0}")) == "{who} {0}"


def test_numbers_and_clauses_substitute_a_row() -> None:
    assert in_english(any_of((4, 6, 8))) == "4, 6 or 8"
    assert in_english(any_of((4, 6))) == "4 or 6"
    assert in_english(any_of((4,))) == "4"
    assert in_english(listed([phrase("one"), phrase("two"), phrase("three")])) == "one, two, three"


def test_whole_sentences_follow_one_another() -> None:
    say = said_in(Catalogue({"Go.": "Partez.", "Come back at {hour}.": "Revenez à {hour} h."}))
    both = in_turn(phrase("Go."), phrase("Come back at {hour}.", hour=8))
    assert in_english(both) == "Go. Come back at 8."
    assert say(both) == "Partez. Revenez à 8 h."
