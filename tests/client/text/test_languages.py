import ast
import re
import string
from pathlib import Path

import polib
import pytest

import kems_client
import kems_net
from kems_client.drawing.paint import paint
from kems_client.linemode.sentences import REASONS
from kems_client.options import LANGUAGES
from kems_client.state.screen_state import ScreenState
from kems_client.text.languages import language_of, languages, speaks
from kems_client.text.widths import width
from kems_net.phrases import Phrase, counted, in_english, phrase
from kems_net.sheetfile import load_sheet, sheet_names, shipped_texts
from tests.client.drawn import SCENES

SOURCES = sorted(
    path
    for package in (kems_client, kems_net)
    for path in Path(package.__file__ or "").parent.rglob("*.py")
)
WORDS = Path(kems_client.__file__ or "").parent / "words"
WORD = re.compile(r"[A-Za-zÀ-ÿ]{3,}")
OTHERS = [language for language in languages() if language != "en"]


def entries(language: str) -> list[polib.POEntry]:
    """What a translator has written, sentence by sentence."""
    return list(polib.pofile(str(WORDS / f"{language}.po")))


def sentences_of_the_source() -> set[str]:
    """Every literal that is said: of phrases, counted phrases and words; refusals; the sheets."""
    found = {*REASONS.values(), *shipped_texts()}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="phrase") | ast.Attribute(attr="words"),
                    args=[ast.Constant(value=str() as said), *_],
                ):
                    found.add(said)
                case ast.Call(
                    func=ast.Name(id="counted"),
                    args=[ast.Constant(value=str() as one), ast.Constant(value=str() as many), *_],
                ):
                    found |= {one, many}
                case _:
                    pass
    return found


def holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_missing_from_a_catalogue_and_nothing_unused(language: str) -> None:
    written = [said for entry in entries(language) for said in (entry.msgid, entry.msgid_plural)]
    assert {said for said in written if said} == sentences_of_the_source()
    assert len([entry for entry in entries(language) if entry.msgid]) == len(
        {entry.msgid for entry in entries(language)}
    )
    assert all(entry.translated() for entry in entries(language))


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_holes(language: str) -> None:
    for entry in entries(language):
        if entry.msgid_plural:
            for translated in entry.msgstr_plural.values():
                assert holes(entry.msgid_plural) - {"count"} <= holes(translated)
                assert holes(translated) <= holes(entry.msgid_plural)
        else:
            assert holes(entry.msgid) == holes(entry.msgstr), entry.msgid


@pytest.mark.parametrize(("language", "plurals"), [("fr", 2), ("ar", 6)])
def test_what_is_counted_has_every_plural_of_the_language(language: str, plurals: int) -> None:
    counts = [entry for entry in entries(language) if entry.msgid_plural]
    assert counts
    assert all(set(entry.msgstr_plural) == set(range(plurals)) for entry in counts)


def test_one_is_one_and_many_are_many_in_each_language() -> None:
    def points(count: int) -> Phrase:
        return counted("1 point", "{count} points", count)

    english, french, arabic = (
        [speaks(language)(points(count)) for count in (1, 2, 5, 11)]
        for language in ("en", "fr", "ar")
    )
    assert english == ["1 point", "2 points", "5 points", "11 points"]
    assert french == ["1 point", "2 points", "5 points", "11 points"]
    assert arabic == ["نقطة واحدة", "نقطتان", "5 نقاط", "11 نقطة"]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("moment", sorted(SCENES))
def test_every_picture_holds_in_every_language(language: str, moment: str) -> None:
    for columns, rows in ((60, 20), (80, 24), (100, 30), (200, 50)):
        canvas = paint(SCENES[moment](), columns, rows, say=speaks(language))
        assert all(width("".join(row)) == columns for row in canvas.chars)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", sheet_names())
def test_no_rule_is_said_in_english_elsewhere(language: str, name: str) -> None:
    say, sheet = speaks(language), load_sheet(name)
    for english, rule in zip(sheet.in_words(), sheet.in_phrases(), strict=True):
        said = say(rule)
        assert said != english
        assert said.endswith(".")
        assert "{" not in said


def test_a_rule_is_said_in_the_grammar_of_its_language() -> None:
    rules = [speaks("fr")(rule) for rule in load_sheet("party").in_phrases()]
    assert rules[0].startswith("4, 6, 8, 9 ou 12 joueurs ; équipes de 2 à 4 ou 8 joueurs, ")
    assert "Kem's juste (un partenaire a un carré) : 1 point pour l'équipe qui annonce." in rules


def own_words(state: ScreenState) -> set[str]:
    """What people have typed, and what they are called."""
    typed = [fill for line in state.lines for _, fill in line.text.fills if isinstance(fill, str)]
    names = [at.name for at in state.view.seats]
    table = state.view.welcome.table if state.view.welcome else ""
    return set(WORD.findall(" ".join((state.typed, table, *typed, *names))))


@pytest.mark.parametrize("moment", sorted(SCENES))
def test_nothing_on_an_arabic_screen_is_left_in_english(moment: str) -> None:
    state = SCENES[moment]()
    allowed = own_words(state) | {"KEM", "KEMPS", "ms", "Enter", "Esc", "Tab"}
    for columns, rows in ((60, 20), (80, 24), (100, 30), (200, 50)):
        shown = paint(state, columns, rows, say=speaks("ar")).text()
        cut_short = {own[:cells] for own in allowed for cells in range(1, len(own))}
        assert set(WORD.findall(shown)) <= allowed | cut_short


def test_the_languages_that_can_be_asked_for_are_those_that_there_are() -> None:
    assert languages() == LANGUAGES
    assert {"en", "fr"} <= set(LANGUAGES)


def test_french_says_it_as_the_game_does() -> None:
    say = speaks("fr")
    assert say(phrase("The hunt is open")) == "La chasse s'ouvre"
    assert say(phrase("took {cards}", cards="7♠")) == "prend 7♠"
    assert speaks("xx") is in_english


def test_the_locale_says_which_language() -> None:
    assert language_of({"LC_ALL": "C.UTF-8", "LANG": "fr_FR.UTF-8"}) == "en"
    assert language_of({"LC_ALL": "", "LANG": "fr_FR.UTF-8"}) == "fr"
    assert language_of({"LANG": "de_DE"}) == "en"
    assert language_of({}) == "en"
