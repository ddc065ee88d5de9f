"""The languages of the screen: gettext catalogues (`words/*.po`), read as they are written.

Pure but for the package's own files. The source is English; a sentence that a catalogue lacks is
said in English.
"""

import ast
from collections.abc import Mapping
from functools import cache
from importlib import resources

from kems_net.phrases import Say, in_english, said_in

ENGLISH = "en"


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Each sentence of the source, and how that language says it."""
    file = resources.files("kems_client") / "words" / f"{language}.po"
    return read_po(file.read_text(encoding="utf-8"))


def read_po(text: str) -> dict[str, str]:
    """The sentences of a catalogue: msgid and msgstr, each of one string or several."""
    entries: dict[str, str] = {}
    said: dict[str, str] = {}
    part = ""
    for line in [*text.splitlines(), ""]:
        keyword, _, rest = line.partition(" ")
        if keyword in ("msgid", "msgstr"):
            part, said[keyword] = keyword, ast.literal_eval(rest)
        elif line.startswith('"') and part:
            said[part] += ast.literal_eval(line)
        elif not line.strip():
            if said.get("msgid") and said.get("msgstr"):
                entries[said["msgid"]] = said["msgstr"]
            said, part = {}, ""
    return entries


def languages() -> tuple[str, ...]:
    """The languages that there are, English first."""
    files = (resources.files("kems_client") / "words").iterdir()
    others = sorted(file.name[:-3] for file in files if file.name.endswith(".po"))
    return (ENGLISH, *others)


def speaks(language: str) -> Say:
    """What puts phrases into words of that language; English for one that there is not."""
    if language == ENGLISH or language not in languages():
        return in_english
    sentences = catalogue(language)
    return said_in(lambda text: sentences.get(text, text))


def language_of(environ: Mapping[str, str]) -> str:
    """The language that the environment asks for, as far as there is one."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(name, "")
        if value:
            wanted = value.partition(".")[0].partition("_")[0].lower()
            return wanted if wanted in languages() else ENGLISH
    return ENGLISH
