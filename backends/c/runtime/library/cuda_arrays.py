

# DLPack: structures in memory that a capsule has the address of. All is on CUDA's first device, in its default stream, which DLPack calls 1.
_cuda, _cuda_managed, _stream = 2, 13, 1


class _DLTensor(_c.Structure):
    _fields_ = [
        ("data", _c.c_void_p), ("device_type", _c.c_int32), ("device_id", _c.c_int32), ("ndim", _c.c_int32), ("code", _c.c_uint8),
        ("bits", _c.c_uint8), ("lanes", _c.c_uint16), ("shape", _c.POINTER(_c.c_int64)), ("strides", _c.POINTER(_c.c_int64)),
        ("byte_offset", _c.c_uint64),
    ]


class _DLManagedTensor(_c.Structure):
    _fields_ = [("tensor", _DLTensor), ("manager", _c.c_void_p), ("deleter", _c.c_void_p)]


class _DLManagedTensorVersioned(_c.Structure):
    _fields_ = [
        ("major", _c.c_uint32), ("minor", _c.c_uint32), ("manager", _c.c_void_p), ("deleter", _c.c_void_p), ("flags", _c.c_uint64),
        ("tensor", _DLTensor),
    ]


_managed = {b"dltensor": _DLManagedTensor, b"dltensor_versioned": _DLManagedTensorVersioned}
_used = {b"dltensor": b"used_dltensor", b"dltensor_versioned": b"used_dltensor_versioned"}
_deleting = _c.CFUNCTYPE(None, _c.c_void_p)


def _capsule_function(name, result, *arguments):
    return _c.PYFUNCTYPE(result, *arguments)((name, _c.pythonapi))


_new_capsule = _capsule_function("PyCapsule_New", _c.py_object, _c.c_void_p, _c.c_char_p, _c.c_void_p)
_is_capsule = _capsule_function("PyCapsule_IsValid", _c.c_int, _c.py_object, _c.c_char_p)
_in_capsule = _capsule_function("PyCapsule_GetPointer", _c.c_void_p, _c.py_object, _c.c_char_p)
_rename_capsule = _capsule_function("PyCapsule_SetName", _c.c_int, _c.py_object, _c.c_char_p)
_function("fun_dlpack_python", None, _c.c_void_p, _c.c_void_p)(
    _c.cast(_c.pythonapi.PyCapsule_IsValid, _c.c_void_p), _c.cast(_c.pythonapi.PyCapsule_GetPointer, _c.c_void_p)
)
# What runs when a capsule dies, perhaps while an exception is on its way: none of it is Python's.
_drop_capsule = _c.cast(_lib.fun_dlpack_drop_capsule, _c.c_void_p)


class _Loan:
    """Memory of the device that another library has, for a call."""

    def __init__(self, address, shape, dtype, owner, release):
        self.address, self.shape, self.dtype, self.owner, self.release = address, shape, dtype, owner, release

    def __del__(self):
        if self.release is not None:
            self.release()


def _row_order(shape, strides, step):
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size > 1 and stride != step:
            return False
        step *= size
    return True


class DeviceArray(_OnDevice):
    __doc__ = _OnDevice.__doc__ + " CuPy and PyTorch use it where it lies: `torch.from_dlpack(array)`, `cupy.asarray(array)`."
    __slots__ = ()

    def __dlpack_device__(self) -> tuple[int, int]:
        return _cuda, 0

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device is not None and tuple(dl_device) != (_cuda, 0) or copy:
            raise BufferError("an array of the device is given as it is: numpy.asarray copies it to the host")
        if stream == 0:
            raise ValueError("CUDA has no stream 0 in DLPack")
        if stream not in (None, _stream, -1):
            _wait(_ctx)
        versioned = max_version is not None and max_version[0] >= 1
        address = self._kind.dlpack(_ctx, self._handle, versioned)
        if not address:
            _fail(_out_of_memory, "__dlpack__")
        return _new_capsule(address, b"dltensor_versioned" if versioned else b"dltensor", _drop_capsule)

    @property
    def __cuda_array_interface__(self) -> dict:
        return {
            "version": 3, "shape": self._sizes, "typestr": self.dtype.str, "data": (self._address or 0, False), "strides": None,
            "stream": _stream,
        }

    @staticmethod
    def _borrow(value, where, lasting):
        """Memory of CUDA's first device that is another library's; None for what has none."""
        if hasattr(value, "__dlpack__") and value.__dlpack_device__()[0] in (_cuda, _cuda_managed):
            return DeviceArray._borrow_capsule(value, where, lasting)
        if not hasattr(type(value), "__cuda_array_interface__"):
            return None
        found = value.__cuda_array_interface__
        (address, read_only), shape, dtype = found["data"], tuple(found["shape"]), _np.dtype(found["typestr"])
        DeviceArray._check(where, shape, found.get("strides"), dtype.itemsize, read_only and lasting, found.get("mask"))
        if found.get("stream") not in (None, _stream):
            _wait(_ctx)
        return _Loan(address, shape, dtype, value, None)

    @staticmethod
    def _borrow_capsule(value, where, lasting):
        if value.__dlpack_device__()[1] != 0:
            raise TypeError(f"{where[0]}: {where[1]} must lie on CUDA's first device")
        try:
            capsule = value.__dlpack__(stream=_stream, max_version=(1, 0))
        except TypeError:
            # from before there were versions
            capsule = value.__dlpack__(stream=_stream)
        name = next((name for name in _managed if _is_capsule(capsule, name)), None)
        if name is None:
            raise TypeError(f"{where[0]}: {where[1]} has a capsule that is not DLPack's")
        address = _in_capsule(capsule, name)
        managed = _managed[name].from_address(address)
        if name == b"dltensor_versioned" and managed.major != 1:
            raise TypeError(f"{where[0]}: {where[1]} comes by DLPack {managed.major}, which is not known")
        tensor = managed.tensor
        kind = {0: "i", 1: "u", 2: "f", 6: "b"}.get(tensor.code)
        if kind is None or tensor.lanes != 1 or tensor.bits % 8 != 0:
            raise TypeError(f"{where[0]}: {where[1]} has elements of no type that is known here")
        shape = tuple(tensor.shape[: tensor.ndim])
        strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else None
        read_only = name == b"dltensor_versioned" and bool(managed.flags & 1)
        DeviceArray._check(where, shape, strides, 1, read_only and lasting, None)
        dtype = _np.dtype(f"{kind}{tensor.bits // 8}")
        _rename_capsule(capsule, _used[name])
        release = (lambda: _deleting(managed.deleter)(address)) if managed.deleter else None
        return _Loan((tensor.data or 0) + tensor.byte_offset, shape, dtype, value, release)

    @staticmethod
    def _check(where, shape, strides, step, is_forbidden, mask):
        if strides is not None and 0 not in shape and not _row_order(shape, strides, step):
            raise TypeError(f"{where[0]}: {where[1]} must be in row order on the device")
        if is_forbidden:
            raise TypeError(f"{where[0]}: {where[1]} is read-only, and the call may write over it")
        if mask is not None:
            raise TypeError(f"{where[0]}: {where[1]} has a mask")


