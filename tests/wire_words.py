"""How docs/protocol.md writes a type, a value and a name, made from the types themselves."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, get_args

import msgspec
from msgspec import inspect

from kems_net.messages import Command, Hello, Message, ProbeAnswer
from kems_net.sheetfile import RuleSheet

NOTHING = "-"
"""Stands where a field can't be left out."""


def snake(name: str) -> str:
    """A class's name as the wire has it."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def fields_of(cls: type) -> tuple[inspect.Field, ...]:
    """The fields of a message or a rule sheet, in order."""
    kind = inspect.type_info(cls)
    assert isinstance(kind, inspect.StructType)
    return kind.fields


def type_in_words(kind: inspect.Type) -> str:
    """A type as the document's tables have it."""
    match kind:
        case inspect.UnionType(types=types):
            if {part.cls for part in types if isinstance(part, inspect.StructType)} == _COMMANDS:
                return "command"
            named = sorted(types, key=lambda each: isinstance(each, inspect.NoneType))
            return " or ".join(map(type_in_words, named))
        case inspect.StructType(cls=cls) | inspect.EnumType(cls=cls):
            return snake(cls.__name__)
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            return f"list{_between(least, most)} of {type_in_words(item)}"
        case inspect.TupleType(item_types=(item, _)):
            return f"pair of {type_in_words(item)}"
        case inspect.DictType(key_type=key, value_type=value):
            return f"map of {type_in_words(key)} to {type_in_words(value)}"
        case inspect.StrType(pattern=pattern, min_length=least, max_length=most):
            return f"{_TEXTS[pattern]}{_between(least, most)}"
        case inspect.IntType(ge=low, le=high):
            return f"integer{_between(low, high)}"
        case inspect.FloatType(gt=None, ge=low, le=high):
            return f"number{_between(low, high)}"
        case inspect.FloatType(gt=low, le=high):
            return f"number (above {_number(low)}, up to {_number(high)})"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "nil"
        case inspect.CustomType(cls=cls):
            return snake(cls.__name__)
        case _:
            raise TypeError(f"no words for {kind}")


def default_in_words(field: inspect.Field) -> str:
    """What a field means that is left out, as the document's tables have it."""
    value: Any = field.default
    if value is msgspec.NODEFAULT:
        factory: Any = field.default_factory
        value = NOTHING if factory is msgspec.NODEFAULT else factory()
    match value:
        case None:
            return "nil"
        case bool():
            return str(value).lower()
        case Enum():
            return str(value.value)
        case str():
            return value or '""'
        case int() | float():
            return _number(value)
        case tuple() | list():
            return f"[{', '.join(map(_number, value))}]"
        case _:
            return str(value)


def enums_in(*classes: type) -> set[type[Enum]]:
    """Every enum that occurs in these messages."""
    return {
        part.cls
        for cls in classes
        for part in _parts(inspect.type_info(cls))
        if isinstance(part, inspect.EnumType)
    }


def messages_in(cls: type) -> set[type[Message]]:
    """The message itself, and those that can stand in it."""
    return {
        part.cls
        for part in _parts(inspect.type_info(cls))
        if isinstance(part, inspect.StructType) and issubclass(part.cls, Message)
    }


def _parts(kind: inspect.Type) -> Iterator[inspect.Type]:
    yield kind
    match kind:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from _parts(field.type)
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            for each in types:
                yield from _parts(each)
        case inspect.VarTupleType(item_type=item):
            yield from _parts(item)
        case inspect.DictType(key_type=key, value_type=value):
            yield from _parts(key)
            yield from _parts(value)
        case _:
            pass


def _between(low: float | None, high: float | None) -> str:
    if low is None and high is None:
        return ""
    if low is None:
        return f" (up to {_number(high)})"
    if high is None:
        return f" (at least {_number(low)})"
    return f" ({_number(low)}..{_number(high)})"


def _number(value: Any) -> str:
    if abs(value) == 2**53:
        return "2^53" if value > 0 else "-2^53"
    return str(int(value)) if value == int(value) else str(value)


def _pattern(cls: type, name: str) -> str | None:
    for field in fields_of(cls):
        for part in _parts(field.type):
            if field.name == name and isinstance(part, inspect.StrType):
                return part.pattern
    raise LookupError(name)


_TEXTS = {
    None: "text",
    _pattern(Hello, "team"): "team letter",
    _pattern(ProbeAnswer, "key"): "Z85 key",
    _pattern(RuleSheet, "title"): "line",
    _pattern(RuleSheet, "word"): "letters",
}
_COMMANDS = set(get_args(Command))
