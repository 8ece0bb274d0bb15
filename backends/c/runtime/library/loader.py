import ctypes as _c
import itertools as _itertools
import operator as _operator
import os as _os
import typing as _t

import numpy as _np
import numpy.typing as _npt


class Error(RuntimeError):
    """What ended a call: a text with the line of the source where it stopped."""


class OutOfMemory(Error, MemoryError):
    """A call needs more memory than there is, or than `configure` allows."""


_folder, _file = _os.path.split(_os.path.abspath(__file__))
_lib = _c.CDLL(_os.path.join(_folder, f"lib{_os.path.splitext(_file)[0]}.so"))
_free_text = _c.CDLL(None).free
_free_text.argtypes = [_c.c_void_p]
_free_text.restype = None
