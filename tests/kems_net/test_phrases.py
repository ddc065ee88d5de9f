from kems_net.phrases import any_of, in_english, in_turn, listed, phrase, said_in, verbatim


def test_a_phrase_says_what_it_was_written_with() -> None:
    assert in_english(phrase("help")) == "help"
    assert in_english(phrase("{who} took {card}", who="Bo", card="7♠")) == "Bo took 7♠"


def test_a_phrase_within_a_phrase_is_put_into_words_too() -> None:
    french = {"Four {rank}!": "Quatre {rank} !", "sevens": "sept"}
    say = said_in(lambda text: french.get(text, text))
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
    french = {"Go.": "Partez.", "Come back at {hour}.": "Revenez à {hour} h."}
    say = said_in(lambda text: french.get(text, text))
    both = in_turn(phrase("Go."), phrase("Come back at {hour}.", hour=8))
    assert in_english(both) == "Go. Come back at 8."
    assert say(both) == "Partez. Revenez à 8 h."
