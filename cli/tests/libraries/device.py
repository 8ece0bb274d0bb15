"""A module whose arrays lie on CUDA's device (or on what stands for it): what is copied, and memory that goes to other libraries and comes from
them. Takes the folder of the module; STAND_IN_WAITS names a file with a line for whatever makes the host wait."""

import ctypes
import gc
import os
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import resident

xs = np.arange(1, 5, dtype=np.float32)


def waits():
    """What the host waited for since this was asked before."""
    path = os.environ["STAND_IN_WAITS"]
    if not os.path.exists(path):
        return []
    with open(path) as lines:
        found = lines.read().split()
    os.remove(path)
    return found


def refuses(kind, part, function, *values):
    try:
        function(*values)
    except kind as error:
        assert part in str(error), error
    else:
        raise AssertionError(f"{function} takes {values}")


def chains():
    resident.twice(xs)
    waits()
    ys = resident.twice(xs)
    assert waits() == ["write"]
    zs = resident.add(ys, ys)
    total = resident.total(zs)
    assert total == 40 and waits() == ["read"]
    assert (np.asarray(zs) == 4 * xs).all() and waits() == ["read"]
    assert zs.shape == (4,) and len(zs) == 4 and zs.dtype == np.float32
    turned = resident.turned(np.arange(6, dtype=np.float32).reshape(2, 3).T)
    assert np.asarray(turned).tolist() == [[0, 1, 2], [3, 4, 5]]
    same = resident.same(zs)
    assert same.__cuda_array_interface__["data"] == zs.__cuda_array_interface__["data"]
    point = resident.point(10, ys)
    assert point.x == 10 and np.asarray(resident.moved(point)).tolist() == [12, 14, 16, 18]
    first, second = resident.both(ys)
    assert np.asarray(first).tolist() == [2, 4, 6, 8] and np.asarray(second).tolist() == [3, 5, 7, 9]
    bs, hs, us = resident.flags(np.array([True, False]), np.array([1, 2], np.float16), np.array([1, 255], np.uint8))
    assert np.asarray(bs).tolist() == [False, True] and np.asarray(hs).tolist() == [2, 4] and np.asarray(us).tolist() == [2, 0]
    assert np.asarray(resident.twice([1.0, 2.0])).tolist() == [2, 4]
    refuses(TypeError, "must be an array of float32", resident.twice, bs)
    refuses(TypeError, "must have 1 dimensions", resident.twice, turned)
    refuses(resident.Error, "out of bounds", resident.gather, xs, np.array([9]))


class Tensor(ctypes.Structure):
    """A DLTensor, by the description of DLPack 1."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("flags", ctypes.c_uint64), ("tensor", Tensor),
    ]


def python_function(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


in_capsule = python_function("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
rename = python_function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
new_capsule = python_function("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
driver = ctypes.CDLL("libcuda.so.1")


def on_device(address, count):
    """So many floats at an address of the device."""
    got = (ctypes.c_float * count)()
    assert driver.cuMemcpyDtoH_v2(got, ctypes.c_uint64(address), ctypes.c_size_t(4 * count)) == 0
    return list(got)


def kinds():
    expected = [(np.array([True, False]), 6, 8), (np.array([1, 2], np.float16), 2, 16), (np.array([1, 255], np.uint8), 1, 8)]
    for result, (_, code, bits) in zip(resident.flags(*(given for given, _, _ in expected)), expected):
        tensor = Managed.from_address(in_capsule(result.__dlpack__(), b"dltensor")).tensor
        assert (tensor.code, tensor.bits) == (code, bits)


def exports():
    before = resident.usage().now
    array = resident.twice(np.arange(6, dtype=np.float32).reshape(2, 3)[0])
    matrix = resident.turned(np.arange(6, dtype=np.float32).reshape(3, 2))
    assert matrix.__dlpack_device__() == (2, 0)
    interface = matrix.__cuda_array_interface__
    assert interface["shape"] == (2, 3) and interface["typestr"] == "<f4" and interface["stream"] == 1
    assert on_device(interface["data"][0], 6) == [0, 2, 4, 1, 3, 5]
    waits()
    capsule = matrix.__dlpack__(stream=1, max_version=(1, 1))
    assert waits() == []
    managed = Versioned.from_address(in_capsule(capsule, b"dltensor_versioned"))
    assert (managed.major, managed.flags) == (1, 0)
    old = matrix.__dlpack__()
    for tensor in managed.tensor, Managed.from_address(in_capsule(old, b"dltensor")).tensor:
        assert (tensor.device_type, tensor.device_id, tensor.ndim, tensor.byte_offset) == (2, 0, 2, 0)
        assert (tensor.code, tensor.bits, tensor.lanes) == (2, 32, 1)
        assert tensor.shape[:2] == [2, 3] and tensor.strides[:2] == [3, 1] and tensor.data == interface["data"][0]
    # the memory stays until both are done with it: the one takes what is in its capsule, the other dies as it is
    assert resident.usage().now == before + 12 + 24
    del array, matrix, old
    gc.collect()
    assert resident.usage().now == before + 24 and on_device(managed.tensor.data, 6) == [0, 2, 4, 1, 3, 5]
    rename(capsule, b"used_dltensor_versioned")
    waits()
    managed.deleter(ctypes.addressof(managed))
    # the device is waited for before the memory has another use
    assert resident.usage().now == before and waits() == ["all"]
    del capsule
    gc.collect()
    array = resident.twice(xs)
    array.__dlpack__(stream=7)
    assert "all" in waits()
    refuses(BufferError, "as it is", lambda: array.__dlpack__(dl_device=(1, 0)))
    refuses(RuntimeError, "", np.from_dlpack, array)
    del array
    gc.collect()
    assert resident.usage().now == before


class Lender:
    """A library with memory on the device, as far as DLPack goes: it notes what it is asked, and whether its memory is given back."""

    def __init__(self, values, versioned=True, strides=None, read_only=False, device=(2, 0)):
        self.values, self.versioned, self.device, self.returned, self.asked = values, versioned, device, 0, None
        address, count = ctypes.c_uint64(), len(values)
        assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(4 * count + 8)) == 0
        assert driver.cuMemcpyHtoD_v2(ctypes.c_uint64(address.value + 8), (ctypes.c_float * count)(*values), ctypes.c_size_t(4 * count)) == 0
        self.address = address.value + 8
        kind = Versioned if versioned else Managed
        self.shape = (ctypes.c_int64 * 1)(count)
        self.strides = None if strides is None else (ctypes.c_int64 * 1)(*strides)
        self.managed = kind(deleter=type(kind(tensor=Tensor()).deleter)(self.take_back))
        self.managed.tensor = Tensor(address.value, *device, 1, 2, 32, 1, self.shape, self.strides, 8)
        if versioned:
            self.managed.major, self.managed.flags = 1, int(read_only)

    def take_back(self, _address):
        self.returned += 1

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **asked):
        if not self.versioned and "max_version" in asked:
            raise TypeError("unexpected keyword")
        self.asked = asked
        name = b"dltensor_versioned" if self.versioned else b"dltensor"
        return new_capsule(ctypes.addressof(self.managed), name, None)


class Interface:
    """The same as far as Numba's protocol goes."""

    def __init__(self, lender, **more):
        self.lender = lender
        self.__cuda_array_interface = {
            "version": 3, "shape": (len(lender.values),), "typestr": "<f4", "data": (lender.address, False), **more
        }

    @property
    def __cuda_array_interface__(self):
        return self.__cuda_array_interface


def imports():
    for versioned in True, False:
        lender = Lender([1, 2, 3], versioned)
        waits()
        doubled = resident.twice(lender)
        # nothing is copied; the memory goes back once the device has read it
        assert waits() == ["all"] and lender.returned == 1 and lender.asked["stream"] == 1
        assert np.asarray(doubled).tolist() == [2, 4, 6]
    for stream, wanted in (None, ["all"]), (1, ["all"]), (9, ["all", "all"]):
        waits()
        doubled = resident.twice(Interface(lender, stream=stream))
        assert waits() == wanted and np.asarray(doubled).tolist() == [2, 4, 6]
    # an argument that is consumed is written over, and stays until its results are gone
    lender = Lender([1, 2, 3])
    result = resident.first_is(lender, 7)
    assert on_device(lender.address, 3) == [7, 2, 3] and np.asarray(result).tolist() == [7, 2, 3]
    assert result.__cuda_array_interface__["data"][0] == lender.address and lender.returned == 0
    del result
    gc.collect()
    assert lender.returned == 1
    refuses(TypeError, "row order", resident.twice, Lender([1, 2, 3], strides=[2]))
    refuses(TypeError, "read-only", resident.first_is, Lender([1, 2, 3], read_only=True), 7)
    refuses(TypeError, "first device", resident.twice, Lender([1, 2, 3], device=(2, 1)))
    refuses(TypeError, "row order", resident.twice, Interface(lender, strides=(8,)))
    refuses(TypeError, "must be an array of uint8", resident.flags, np.array([True]), np.array([1], np.float16), Lender([1]))
    assert np.asarray(resident.twice(Lender([1, 2], strides=[1], read_only=True))).tolist() == [2, 4]


chains()
kinds()
exports()
imports()
print("all right")
