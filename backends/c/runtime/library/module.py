_out_of_memory = 3


def _function(name, result, *arguments):
    function = getattr(_lib, name)
    function.restype = result
    if arguments:
        function.argtypes = arguments
    return function


_config = _function("futhark_context_config_new", _c.c_void_p)()
_ctx = _c.c_void_p(_function("futhark_context_new", _c.c_void_p, _c.c_void_p)(_config))
_get_error = _function("futhark_context_get_error", _c.c_void_p, _c.c_void_p)
_set_threads = _function("futhark_context_config_set_num_threads", None, _c.c_void_p, _c.c_int)
_set_limit = _function("fun_context_config_set_memory_limit", None, _c.c_void_p, _c.c_uint64)
_clear = _function("futhark_context_clear_caches", _c.c_int, _c.c_void_p)
_counters = [
    _function("fun_context_" + _name, _c.c_uint64, _c.c_void_p) for _name in ("bytes", "peak_bytes", "copied_bytes")
]
_copied_here = 0


class Usage(_t.NamedTuple):
    """Bytes: in arrays now; in arrays and calls at most; copied between the arrays of callers and those of calls."""

    now: int
    peak: int
    copied: int


def configure(*, threads: int | None = None, memory_limit: int | None = None) -> None:
    """How many threads parallel loops take, and how many bytes arrays and a call may use together; 0 for as many as there are."""
    for name, value in (("threads", threads), ("memory_limit", memory_limit)):
        if value is not None and not isinstance(value, int):
            raise TypeError(f"{name} is a number, not {value!r}")
        if value is not None and not 0 <= value < 2**31 << 32 * (name == "memory_limit"):
            raise ValueError(f"{name} can't be {value}")
    if threads is not None:
        _set_threads(_config, threads)
    if memory_limit is not None:
        _set_limit(_config, memory_limit)


def usage() -> Usage:
    """What memory the module uses."""
    now, peak, copied = (counter(_ctx) for counter in _counters)
    return Usage(now, peak, copied + _copied_here)


def reset_peak() -> None:
    """Lets the peak begin anew with what is used now."""
    _clear(_ctx)


def _fail(status, what):
    address = _get_error(_ctx)
    text = f"{what} failed with code {status}"
    if address:
        text = _c.string_at(address).decode(errors="replace").removeprefix("Error: ")
        _free_text(address)
    raise (OutOfMemory if status == _out_of_memory else Error)(text)


# Arrays of callers that results lie in, by number, until no result does.
_lent = {}
_loan_numbers = _itertools.count(1)


@_c.CFUNCTYPE(None, _c.c_void_p)
def _returned(number):
    _lent.pop(number, None)


_addressof, _first_byte = _c.addressof, _c.c_char.from_buffer


# A type has `cell`, where C puts a value of it; `take`, from a value of Python's to what C takes; `drop`, when the call has ended; and `give`,
# from a cell to a value of Python's. `where` are the names of function and parameter; `lasting` says that the call may write over the memory of
# the argument or give it back. Values that are `owned` are taken as tuples, of which C gets the first part.


class _Integer:
    owned = False

    def __init__(self, cell, low, high):
        self.cell, self.low, self.high = cell, low, high

    def take(self, value, where, lasting):
        try:
            number = _operator.index(value)
        except TypeError:
            raise TypeError(f"{where[0]}: {where[1]} must be an integer, not {value!r}") from None
        if self.low <= number <= self.high:
            return number
        raise OverflowError(f"{where[0]}: {where[1]} is {number}, which is not between {self.low} and {self.high}")

    def give(self, cell):
        return cell.value


class _Float:
    owned = False

    def __init__(self, cell):
        self.cell = cell

    def take(self, value, where, lasting):
        try:
            return float(value)
        except (TypeError, ValueError):
            raise TypeError(f"{where[0]}: {where[1]} must be a number, not {value!r}") from None

    def give(self, cell):
        return cell.value


class _Half(_Float):
    def take(self, value, where, lasting):
        return int(_np.float16(_f64.take(value, where, lasting)).view(_np.uint16))

    def give(self, cell):
        return float(_np.uint16(cell.value).view(_np.float16))


class _Bool:
    owned = False
    cell = _c.c_bool

    def take(self, value, where, lasting):
        if isinstance(value, (bool, _np.bool_)):
            return bool(value)
        raise TypeError(f"{where[0]}: {where[1]} must be a bool, not {value!r}")

    def give(self, cell):
        return cell.value


class _Memory:
    """What keeps the memory of a result."""

    __slots__ = ("__array_interface__", "handle", "free")

    def __del__(self):
        self.free(_ctx, self.handle)


class _Array:
    owned = True
    cell = _c.c_void_p

    def __init__(self, elem, rank, new_raw, free, new_view, describe, hand_over):
        self.dtype, self.rank = _np.dtype(elem), rank
        address, numbers = _c.c_void_p, [_c.c_int64] * rank
        self.new_raw = _function(new_raw, address, address, address, *numbers)
        self.new_view = _function(new_view, address, address, address, _c.c_int64, *numbers, *numbers)
        self.hand_over = _function(hand_over, _c.c_bool, address, address, type(_returned), address)
        self.free = _function(free, _c.c_int, address, address)
        self.describe = _function(describe, None, address, address, address)
        self.room = _c.c_int64 * (rank + 1)

    def take(self, value, where, lasting):
        array = value if type(value) is _np.ndarray else self.imported(value, where)
        if array.dtype != self.dtype:
            raise TypeError(f"{where[0]}: {where[1]} must be an array of {self.dtype}, not of {array.dtype}")
        if array.ndim != self.rank:
            raise TypeError(f"{where[0]}: {where[1]} must have {self.rank} dimensions, not {array.ndim}")
        flags = array.flags
        if not flags.aligned or (lasting and not flags.writeable):
            array = self.copied(array)
        elif not flags.c_contiguous and any(stride % array.itemsize for stride in array.strides):
            array = self.copied(array)
        elif not flags.c_contiguous:
            steps = [stride // array.itemsize for stride in array.strides]
            handle = self.new_view(_ctx, array.ctypes.data, 0, *steps, *array.shape)
            return handle or _fail(_out_of_memory, where[0]), array, lasting
        try:
            address = _addressof(_first_byte(array))
        except (TypeError, ValueError, BufferError):
            # what is read-only or empty
            address = array.ctypes.data
        handle = self.new_raw(_ctx, address, *array.shape)
        return handle or _fail(_out_of_memory, where[0]), array, lasting

    def copied(self, array):
        global _copied_here
        _copied_here += array.nbytes
        return array.copy(order="C")

    def imported(self, value, where):
        """What is no NumPy array as one: without a copy where it has an interface for that."""
        if isinstance(value, _np.ndarray) or hasattr(value, "__array_interface__"):
            return _np.asarray(value)
        if hasattr(value, "__dlpack__"):
            return _np.from_dlpack(value)
        try:
            array = _np.asarray(value)
        except ValueError as error:
            raise TypeError(f"{where[0]}: {where[1]} must be an array of {self.dtype}: {error}") from None
        if array.dtype == self.dtype:
            return array
        if array.size > 0 and array.dtype.kind not in ("iuf" if self.dtype.kind == "f" else "iu"):
            raise TypeError(f"{where[0]}: {where[1]} must be an array of {self.dtype}, not {value!r}")
        exact = self.copied(array.astype(self.dtype))
        if self.dtype.kind != "f" and not (exact == array).all():
            raise OverflowError(f"{where[0]}: {where[1]} has numbers that are no {self.dtype}")
        return exact

    def drop(self, taken):
        handle, array, lasting = taken
        if not lasting:
            self.free(_ctx, handle)
            return
        number = next(_loan_numbers)
        _lent[number] = array
        if not self.hand_over(_ctx, handle, _returned, number):
            del _lent[number]

    def give(self, cell):
        handle = cell.value
        memory, room = _Memory(), self.room()
        memory.free, memory.handle = self.free, handle
        self.describe(_ctx, handle, room)
        address, *shape = room
        shape = tuple(shape)
        if 0 in shape:
            return _np.empty(shape, self.dtype)
        memory.__array_interface__ = {
            "version": 3, "typestr": self.dtype.str, "shape": shape, "data": (address, False)
        }
        return _np.asarray(memory)


class _Tuple:
    owned = True
    cell = _c.c_void_p

    def __init__(self, name, new, free, *parts):
        self.parts = [(str(k), part) for k, (part, _) in enumerate(parts)]
        self.new = _Callable(new, name, [(part_name, part, True) for part_name, part in self.parts], self)
        self.free = _function(free, _c.c_int, _c.c_void_p, _c.c_void_p)
        self.projections = [_Projection(project, part) for part, project in parts]

    def take(self, value, where, lasting):
        if not isinstance(value, tuple) or len(value) != len(self.parts):
            raise TypeError(f"{where[0]}: {where[1]} must be a tuple of {len(self.parts)}, not {value!r}")
        return (self.new.raw(value, f"{where[0]}: {where[1]}").value,)

    def drop(self, taken):
        self.free(_ctx, taken[0])

    def give(self, cell):
        try:
            return tuple([projection(cell) for projection in self.projections])
        finally:
            self.free(_ctx, cell)


class _Projection:
    def __init__(self, name, part):
        self.function = _function(name, _c.c_int, _c.c_void_p, _c.c_void_p, _c.c_void_p)
        self.part = part

    def __call__(self, handle):
        out = self.part.cell()
        status = self.function(_ctx, _c.byref(out), handle)
        return self.part.give(out) if status == 0 else _fail(status, "projection")


class _Callable:
    """A function of the library that gives a value. Each parameter is its name, its type, and whether the call may write over the memory
    of the argument or give it back."""

    def __init__(self, name, shown, params, output):
        cells = [kind.cell for _, kind, _ in params]
        self.function = _function(name, _c.c_int, _c.c_void_p, _c.c_void_p, *cells)
        self.shown, self.output = shown, output
        self.params = [((shown, param), kind, lasting) for param, kind, lasting in params]

    def __call__(self, *values):
        return self.output.give(self.raw(values, None))

    def raw(self, values, shown):
        """The cell of the result. `shown` may say what messages call the function."""
        out, taken, owned = self.output.cell(), [], []
        try:
            for value, (where, kind, lasting) in zip(values, self.params):
                argument = kind.take(value, where if shown is None else (shown, where[1]), lasting)
                if kind.owned:
                    owned.append((kind, argument))
                    argument = argument[0]
                taken.append(argument)
            status = self.function(_ctx, _c.byref(out), *taken)
            if status != 0:
                _fail(status, self.shown)
        finally:
            for kind, argument in owned:
                kind.drop(argument)
        return out


_i8 = _Integer(_c.c_int8, -(2**7), 2**7 - 1)
_i16 = _Integer(_c.c_int16, -(2**15), 2**15 - 1)
_i32 = _Integer(_c.c_int32, -(2**31), 2**31 - 1)
_i64 = _Integer(_c.c_int64, -(2**63), 2**63 - 1)
_u8 = _Integer(_c.c_uint8, 0, 2**8 - 1)
_u16 = _Integer(_c.c_uint16, 0, 2**16 - 1)
_u32 = _Integer(_c.c_uint32, 0, 2**32 - 1)
_u64 = _Integer(_c.c_uint64, 0, 2**64 - 1)
_f16 = _Half(_c.c_uint16)
_f32 = _Float(_c.c_float)
_f64 = _Float(_c.c_double)
_bool = _Bool()
