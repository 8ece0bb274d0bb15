

class _Opaque:
    """A value of a type that Python has no notation for. It has memory of its own, or shares that of what it was made of."""

    __slots__ = ("_handle",)

    def __del__(self):
        handle = getattr(self, "_handle", None)
        if handle is not None:
            self._free(_ctx, handle)

    def __reduce__(self):
        return (type(self).from_bytes, (self.to_bytes(),))

    def to_bytes(self) -> bytes:
        """The value as bytes, which `from_bytes` takes."""
        room, size = _c.c_void_p(), _c.c_size_t()
        status = self._store(_ctx, self._handle, _c.byref(room), _c.byref(size))
        if status != 0:
            _fail(status, type(self).__name__)
        try:
            return _c.string_at(room, size.value)
        finally:
            _free_text(room)

    @classmethod
    def from_bytes(cls, data: bytes) -> _t.Self:
        """The value that `to_bytes` gave these bytes for."""
        handle = cls._restore(_ctx, data)
        return cls._of(handle) if handle else _fail(2, cls.__name__)

    @classmethod
    def _of(cls, handle):
        value = cls.__new__(cls)
        value._handle = handle
        return value


class _Record(_Opaque):
    __slots__ = ()

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"


class _OpaqueType:
    owned = False
    cell = _c.c_void_p

    def __init__(self, kind, free, store, restore):
        self.kind = kind
        kind._free = _function(free, _c.c_int, _c.c_void_p, _c.c_void_p)
        kind._store = _function(store, _c.c_int, _c.c_void_p, _c.c_void_p, _c.c_void_p, _c.c_void_p)
        kind._restore = _function(restore, _c.c_void_p, _c.c_void_p, _c.c_char_p)

    def take(self, value, where, lasting):
        if isinstance(value, self.kind):
            return value._handle
        raise TypeError(f"{where[0]}: {where[1]} must be a {self.kind.__name__}, not {type(value).__name__}")

    def give(self, cell):
        return self.kind._of(cell.value)


def _parts(function, parts, handle):
    """What C takes a value apart to."""
    outs = [part.cell() for part in parts]
    status = function(_ctx, *map(_c.byref, outs), _c.c_void_p(handle))
    if status != 0:
        _fail(status, "a variant")
    return tuple(part.give(out) for part, out in zip(parts, outs))


class _OpaqueArray(_Opaque):
    """An array of records or sums."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        return tuple(self._shape(_ctx, self._handle).contents)

    def __len__(self) -> int:
        return self.shape[0]

    def _element(self, indices):
        indices = indices if isinstance(indices, tuple) else (indices,)
        shape = self.shape
        if len(indices) != len(shape):
            raise IndexError(f"{type(self).__name__} has {len(shape)} dimensions, not {len(indices)}")
        places = []
        for index, size in zip(map(_operator.index, indices), shape):
            if not -size <= index < size:
                raise IndexError(f"index {index} is out of bounds for size {size}")
            places.append(_c.c_int64(index % size))
        out = self._elem.cell()
        status = self._index(_ctx, _c.byref(out), _c.c_void_p(self._handle), *places)
        return self._elem.give(out) if status == 0 else _fail(status, type(self).__name__)

    @classmethod
    def _listed(cls, elements, shape):
        elements = list(elements)
        shape = (len(elements),) if shape is None else tuple(shape)
        count = 1
        for size in shape:
            count *= size
        if len(shape) != cls._rank or count != len(elements):
            raise ValueError(f"{cls.__name__}: {len(elements)} elements have no shape {shape} of {cls._rank} dimensions")
        where, taken = (cls.__name__, "an element"), []
        try:
            for element in elements:
                taken.append(cls._elem.take(element, where, False))
            handles = [item[0] if cls._elem.owned else item for item in taken]
            out = _c.c_void_p()
            room = (_c.c_void_p * max(len(handles), 1))(*handles)
            status = cls._new(_ctx, _c.byref(out), room, *map(_c.c_int64, shape))
            return cls._of(out.value) if status == 0 else _fail(status, cls.__name__)
        finally:
            if cls._elem.owned:
                for item in taken:
                    cls._elem.drop(item)

    @classmethod
    def _array(cls, elem, rank, index, shape, new):
        cls._elem, cls._rank = elem, rank
        cls._index, cls._new = getattr(_lib, index), getattr(_lib, new)
        cls._shape = _function(shape, _c.POINTER(_c.c_int64 * rank), _c.c_void_p, _c.c_void_p)
