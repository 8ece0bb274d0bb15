# Calls a library of program.fut by way of futhark-ffi, in the folder where its module _program is.
import sys

sys.path.insert(0, ".")
import _program
import numpy as np
from futhark_ffi import Futhark

library = Futhark(_program)
turned = library.from_futhark(library.mat(np.arange(6, dtype=np.float64).reshape(2, 3)))
assert (turned == np.arange(6).reshape(2, 3).T).all()
assert list(library.from_futhark(library.upd(np.array([1, 2, 3], dtype=np.int64)))) == [7, 2, 3]
record = library.mk(3)
restored = library.restore_r(library.store_r(record))
assert list(library.from_futhark(library.unr(restored))) == [5, 5, 5]
try:
    library.bad(-1)
    raise SystemExit("no exception")
except ValueError as error:
    assert "Assertion is false: (x > 0)" in str(error)
print("all right")
