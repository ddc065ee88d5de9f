from kems_net.phrases import in_english, phrase, said_in, verbatim


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
