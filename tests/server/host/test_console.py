from threading import Event, Thread

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kems_server.host.console import WORDS, Console, answer_to
from kems_server.host.hubprocess import CLOSE, END_MATCH
from kems_server.host.roster import Roster, after
from kems_server.views.notices import Joined

ROSTER = after(Roster(), Joined("main", "Ana", 0, "A", bot=False))


def test_the_host_asks_who_is_here() -> None:
    assert answer_to("who", ROSTER) == ("main  team A  Ana", None)


def test_the_host_ends_a_match_or_the_hub() -> None:
    assert answer_to("end", ROSTER)[1] == END_MATCH
    assert answer_to(" Quit ", ROSTER)[1] == CLOSE


def test_a_slip_of_the_finger_costs_nothing() -> None:
    text, command = answer_to("qiut", ROSTER)
    assert command is None
    assert "'qiut'" in text
    assert answer_to("", ROSTER) == ("", None)


@pytest.mark.parametrize("word", WORDS)
def test_every_command_is_explained(word: str) -> None:
    help_text, _command = answer_to("help", ROSTER)
    assert any(line.startswith(word) for line in help_text.splitlines())
    assert "there is no command" not in answer_to(word, ROSTER)[0]


def test_commands_are_typed_at_a_prompt_until_the_host_quits(
    capsys: pytest.CaptureFixture[str],
) -> None:
    commands: list[str] = []
    with (
        create_pipe_input() as keyboard,
        create_app_session(input=keyboard, output=DummyOutput()),
    ):
        keyboard.send_text("end\rquit\r")
        Console(commands.append, lambda: ROSTER).run()
    assert commands == [END_MATCH, CLOSE]
    capsys.readouterr()


@pytest.mark.parametrize("key", ["\x03", "\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_ctrl_c_and_ctrl_d_quit(key: str) -> None:
    commands: list[str] = []
    with (
        create_pipe_input() as keyboard,
        create_app_session(input=keyboard, output=DummyOutput()),
    ):
        keyboard.send_text(key)
        Console(commands.append, lambda: ROSTER).run()
    assert commands == [CLOSE]


def test_the_prompt_ends_when_the_hub_does() -> None:
    commands: list[str] = []
    asked = Event()

    def roster() -> Roster:
        asked.set()
        return ROSTER

    with (
        create_pipe_input() as keyboard,
        create_app_session(input=keyboard, output=DummyOutput()),
    ):
        console = Console(commands.append, roster)

        def stop_once_it_asks() -> None:
            asked.wait(10)
            console.stop()

        keyboard.send_text("who\r")
        stopper = Thread(target=stop_once_it_asks)
        stopper.start()
        console.run()
        stopper.join()
    assert commands == []
