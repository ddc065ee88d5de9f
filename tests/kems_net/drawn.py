"""Messages drawn at random, from what their types say alone: bounds, patterns, unions and all."""

from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

from kems_net import messages
from kems_net.cards import pack_of
from kems_net.messages import Message

PACKABLE = st.integers(-(2**63), 2**64 - 1)
"""The whole numbers MessagePack can carry."""

EVERY_MESSAGE: tuple[type[Message], ...] = tuple(
    kind
    for kind in vars(messages).values()
    if isinstance(kind, type) and issubclass(kind, Message) and kind is not Message
)

ANY_VALUE: st.SearchStrategy[object] = st.recursive(
    st.none()
    | st.booleans()
    | PACKABLE
    | st.floats()
    | st.text(max_size=6)
    | st.binary(max_size=6)
    | st.sampled_from(["QH", "wink", "A", "A\n", "ping", "request"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
"""Whatever MessagePack can carry."""


def strategy_for(kind: object) -> st.SearchStrategy[Any]:
    """Values of a type as the wire has it."""
    return _of(inspect.type_info(kind))


def _of(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.StructType(cls=cls, fields=fields):
            return st.builds(cls, **{field.name: _of(field.type) for field in fields})
        case inspect.UnionType(types=types):
            return st.one_of(*map(_of, types))
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            return st.lists(_of(item), min_size=least or 0, max_size=most or 3).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*map(_of, items))
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_of(key), _of(value), max_size=3)
        case inspect.StrType(pattern=str(pattern), max_length=most):
            return st.from_regex(pattern).filter(lambda text: len(text) <= (most or 1000))
        case inspect.StrType(min_length=least, max_length=most):
            return st.text(min_size=least or 0, max_size=most or 50)
        case inspect.IntType(ge=None, le=None):
            return PACKABLE
        case inspect.IntType(ge=low, le=high):
            return st.integers(low, high)
        case inspect.FloatType(gt=None, ge=low, le=high):
            return st.floats(low, high)
        case inspect.FloatType(gt=low, le=high):
            return st.floats(low, high, exclude_min=True)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.EnumType(cls=members):
            return st.sampled_from(list(members))
        case inspect.CustomType():
            return st.sampled_from(pack_of(104))
        case _:
            raise TypeError(f"no message has a {kind}")
