"""The languages of the screen: gettext catalogues (`words/*.po`).

Pure but for the package's own files. The source is English; a sentence that a catalogue lacks is
said in English. The catalogues are compiled when a language is first wanted (20 ms, by `polib`),
not when the program is built: so an editable install, the sdist and the wheel all read what a
translator has just written, and no compiled file can be older than its source.
"""

from collections.abc import Mapping
from functools import cache
from gettext import GNUTranslations
from importlib import resources
from io import BytesIO

from kems_net.phrases import Say, in_english, said_in

ENGLISH = "en"


@cache
def catalogue(language: str) -> GNUTranslations:
    """How a language says each sentence of the source, in as many plurals as it has."""
    import polib  # noqa: PLC0415 - not wanted where English is spoken

    file = resources.files("kems_client") / "words" / f"{language}.po"
    with resources.as_file(file) as path:
        return GNUTranslations(BytesIO(polib.pofile(str(path)).to_binary()))


def languages() -> tuple[str, ...]:
    """The languages that there are, English first."""
    files = (resources.files("kems_client") / "words").iterdir()
    others = sorted(file.name[:-3] for file in files if file.name.endswith(".po"))
    return (ENGLISH, *others)


def speaks(language: str) -> Say:
    """What puts phrases into words of that language; English for one that there is not."""
    if language == ENGLISH or language not in languages():
        return in_english
    return said_in(catalogue(language))


def language_of(environ: Mapping[str, str]) -> str:
    """The language that the environment asks for, as far as there is one."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(name, "")
        if value:
            wanted = value.partition(".")[0].partition("_")[0].lower()
            return wanted if wanted in languages() else ENGLISH
    return ENGLISH
