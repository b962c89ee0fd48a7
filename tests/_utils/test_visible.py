"""Control characters are shown, and nothing else is changed."""

import json
import pickle
import sys

import pytest
from hypothesis import given, strategies as st

from clusterwise._utils.errors import EngineError, InputError, MissingExtraError
from clusterwise._utils.visible import escape_in_json, visible, visible_lines
from helpers.hostile import NAMES, UNREADABLE, controls

# All characters, lone surrogates and unassigned ones too.
TEXTS = st.text(st.integers(0, sys.maxunicode).map(chr))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x07\x7f\x80\x9b", r"\x07\x7f\x80\x9b"),
        ("\u202e\u2066\u2069\u200e\ufeff", r"\u202e\u2066\u2069\u200e\ufeff"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\ud800\udcff", r"\ud800\udcff"),
        ("\U000e0041", r"\U000e0041"),
        ("a\u200db\u200c", r"a\u200db\u200c"),
        ("\u200d👩", "\\u200d👩"),
        ("👩\u200d", "👩\\u200d"),
        ("é\u200d\u200dé", r"é\u200d\u200dé"),
    ],
)
def test_control_characters_are_escaped(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "", "plain", r"C:\new\x1b", "Čeština ñ ß", "日本語\u3000東京", "12\u202f345\xa0€",
        "שלום עולם", "می\u200cخواهم", "👩\u200d👩\u200d👧 ❤\ufe0f", "e\u0301", "'\"[bold]$x$",
    ],
)  # fmt: skip
def test_ordinary_text_stays_as_it_is(text):
    assert visible(text) == text


@given(TEXTS)
def test_nothing_but_joiners_is_left_of_controls(text):
    shown = visible(text)
    assert controls(shown) <= {"\u200c", "\u200d"}
    assert "\n" not in shown
    assert visible(shown) == shown
    shown.encode("utf-8")


def test_lines_stay_lines():
    assert visible_lines("a\x1b\n\tb\r\n") == "a\\x1b\n\\tb\\r\n"


@given(st.dictionaries(TEXTS, TEXTS), st.sampled_from([None, 2]))
def test_json_keeps_every_character(value, indent):
    text = escape_in_json(json.dumps(value, ensure_ascii=False, indent=indent))
    assert json.loads(text) == value
    assert controls(text) <= {"\u200c", "\u200d"}


def test_json_keeps_letters_readable():
    assert escape_in_json('"é日👩\x9b\U000e0041"') == '"é日👩\\u009b\\udb40\\udc41"'


@pytest.mark.parametrize("kind", [InputError, EngineError, MissingExtraError])
@pytest.mark.parametrize("name", [*NAMES, UNREADABLE])
def test_messages_of_errors_are_one_visible_line(kind, name):
    error = kind(f"{name} is wrong; use another.")
    assert str(error) == f"{visible(name)} is wrong; use another."
    assert not controls(str(error))
    assert "\n" not in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (kind, str(error))


def test_errors_are_those_of_python():
    assert issubclass(InputError, ValueError)
    assert issubclass(EngineError, RuntimeError)
    assert issubclass(MissingExtraError, ImportError)
