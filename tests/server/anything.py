"""Any value of a frozen struct, for property tests: made from its annotations."""

import enum
import types
import typing
from typing import Annotated, Any, TypeVar

import msgspec
from hypothesis import strategies as st

from kems_net.cards import Card, pack_of

_T = TypeVar("_T")
CARDS = st.sampled_from(pack_of(104))
WHOLE = st.integers(-(2**53), 2**53)


def any_of(kind: type[_T]) -> st.SearchStrategy[_T]:
    """Any value of a struct, whether or not it makes sense in the game."""
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {name: _of(hints[name]) for name in kind.__struct_fields__}  # type: ignore[attr-defined]
    return st.builds(kind, **fields)


def _of(hint: Any) -> st.SearchStrategy[Any]:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        plain, *limits = arguments
        limit = next((each for each in limits if isinstance(each, msgspec.Meta)), None)
        if plain is int and limit is not None:
            return st.integers(int(limit.ge or 0), int(limit.le or 2**53))
        return _of(plain)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*(_of(each) for each in arguments))
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(_of(arguments[0]), max_size=4).map(tuple)
    if origin is tuple:
        return st.tuples(*(_of(each) for each in arguments))
    if origin is frozenset:
        return st.frozensets(_of(arguments[0]), max_size=4)
    if origin is dict:
        return st.dictionaries(_of(arguments[0]), _of(arguments[1]), max_size=4)
    if hint is Card:
        return CARDS
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return st.sampled_from(hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return any_of(hint)
    simple = {int: WHOLE, bool: st.booleans(), str: st.text(max_size=30), type(None): st.none()}
    return simple[hint]
