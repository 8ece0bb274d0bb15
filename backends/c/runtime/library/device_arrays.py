

class _OnDevice:
    """An array in the memory of the device. It stays there: other calls of the module take it as it is, and `numpy.asarray` copies it to the
    host."""

    __slots__ = ("_kind", "_handle", "_address", "_sizes")

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        return self._sizes

    @property
    def dtype(self) -> _np.dtype:
        """The type of the elements."""
        return self._kind.dtype

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("an array of the device comes to the host as a copy")
        array = self._kind.to_host(self)
        return array if dtype is None else array.astype(dtype, copy=False)

    def __len__(self) -> int:
        return self._sizes[0]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self._sizes}, dtype={self.dtype})"

    def __del__(self):
        self._kind.free(_ctx, self._handle)

    def __reduce__(self):
        raise TypeError("an array of the device can't be pickled: numpy.asarray copies it to the host")


_wait = _function("futhark_context_sync", _c.c_int, _c.c_void_p)


class _ArrayOnDevice(_Array):
    def __init__(self, elem, rank, new_raw, free, new_view, describe, hand_over, new, values, dlpack):
        super().__init__(elem, rank, new_raw, free, new_view, describe, hand_over)
        address, numbers = _c.c_void_p, [_c.c_int64] * rank
        self.new = _function(new, address, address, address, *numbers)
        self.values = _function(values, _c.c_int, address, address, address)
        if dlpack is not None:
            self.dlpack = _function(dlpack, address, address, address, _c.c_bool)

    def check(self, where, dtype, rank):
        if dtype != self.dtype:
            raise TypeError(f"{where[0]}: {where[1]} must be an array of {self.dtype}, not of {dtype}")
        if rank != self.rank:
            raise TypeError(f"{where[0]}: {where[1]} must have {self.rank} dimensions, not {rank}")

    def take(self, value, where, lasting):
        """What C takes; and where the call uses memory of others on the device, what keeps that, and whether the result may lie there."""
        if isinstance(value, DeviceArray):
            self.check(where, value.dtype, len(value.shape))
            return value._handle, value, lasting
        loan = DeviceArray._borrow(value, where, lasting)
        if loan is not None:
            self.check(where, loan.dtype, len(loan.shape))
            handle = self.new_raw(_ctx, loan.address, *loan.shape)
            return handle or _fail(_out_of_memory, where[0]), loan, lasting
        array = value if type(value) is _np.ndarray else self.imported(value, where)
        self.check(where, array.dtype, array.ndim)
        array = _np.ascontiguousarray(array)
        handle = self.new(_ctx, array.ctypes.data, *array.shape)
        return handle or _fail(_out_of_memory, where[0]), None, lasting

    def drop(self, taken):
        handle, loan, lasting = taken
        if isinstance(loan, DeviceArray):
            return
        if loan is not None:
            # others may use the memory as they like from here on
            _wait(_ctx)
        if loan is None or not lasting:
            self.free(_ctx, handle)
            return
        number = next(_loan_numbers)
        _lent[number] = loan
        if not self.hand_over(_ctx, handle, _returned, number):
            del _lent[number]

    def give(self, cell):
        array, room = DeviceArray(), self.room()
        array._kind, array._handle = self, cell.value
        self.describe(_ctx, cell.value, room)
        array._address, *shape = room
        array._sizes = tuple(shape)
        return array

    def to_host(self, array):
        host = _np.empty(array.shape, self.dtype)
        status = self.values(_ctx, array._handle, host.ctypes.data)
        return host if status == 0 else _fail(status, "a copy to the host")
