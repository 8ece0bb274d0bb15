"""Calls all that the Python module of program.fut has; the folder of the module is the argument."""

import gc
import pickle
import sys
import threading
import weakref

import numpy as np

sys.path.insert(0, sys.argv[1])
import program as p


def raises(kind, part, function, *arguments):
    try:
        function(*arguments)
    except kind as error:
        assert part in str(error), (part, str(error))
        return
    raise AssertionError(f"no {kind.__name__} with {part}")


# arrays, scalars and tuples; nothing is copied
xs = np.array([1, 2, 3], np.int32)
ys, y = p.main(xs, 1)
assert ys.tolist() == [2, 3, 4] and ys.dtype == np.int32 and y == 2 and type(y) is int
assert p.usage().copied == 0
assert p.main.__doc__.startswith("Doc of main.") and "xs: [n]i32" in p.main.__doc__
assert p.main.__annotations__["xs"] == "_npt.NDArray[_np.int32]"
# results outlive all else, and their memory goes with the last array on it
used = p.usage().now
part = p.mat(np.arange(6, dtype=np.float64).reshape(2, 3))[1:, :1]
gc.collect()
assert part.tolist() == [[1.0], [2.0]] and p.usage().now > used
del part
assert p.usage().now == used
# errors: the source line, and which parameter
raises(p.Error, "program.fut:2:", p.main, xs, 9)
raises(p.Error, "Assertion is false: (x > 0)", p.bad, -1)
assert p.bad(5) == 5
raises(TypeError, "main: xs must be an array of int32, not of int64", p.main, xs.astype(np.int64), 0)
raises(TypeError, "main: xs must have 1 dimensions, not 2", p.main, xs.reshape(1, 3), 0)
raises(TypeError, "main: xs must be an array of int32", p.main, None, 0)
raises(TypeError, "main: k must be an integer", p.main, xs, 1.5)
raises(p.Error, "dimension 0 of argument xs of sized is 3 where 4 is needed", p.sized, 4, np.arange(3))
shared = np.arange(4)
raises(p.Error, "arguments xs and ys of add share memory", p.add, shared[:3], shared[1:])
assert p.sized(3, np.arange(3)) == 3
raises(OverflowError, "bad: x is 2147483648", p.bad, 2**31)
raises(TypeError, "unr: x must be a R, not int", p.unr, 3)
# lists are converted where no number changes
assert p.main([1, 2, 3], 0)[0].tolist() == [2, 3, 4]
raises(OverflowError, "no int32", p.main, [2**40], 0)
raises(TypeError, "must be an array of int32", p.main, [0.5], 0)
# nothing is copied in whatever order it lies, but for what is written over
m = np.arange(12, dtype=np.float64).reshape(3, 4)
before = p.usage().copied
broadcast = [np.broadcast_to(m[0], (3, 4)), np.broadcast_to(np.float64(2), (2, 5))]
for view in [m.T, m[::-1], m[:, ::2], m[1:, 1:3], m[:, ::-1].T, m, m[1:], m[1:2], m[:0], m[1:2, 1:3], *broadcast]:
    assert np.array_equal(p.mat(view), view.T)
assert p.usage().copied == before
steps = np.arange(6, dtype=np.int64)
assert p.add(steps[::2], steps[:2:-1]).tolist() == [5, 6, 7] and steps[0] == 0
assert p.usage().copied == before + 24
before += 24
# consumed arrays are written over, and results may lie in them
own = np.array([1, 2, 3], np.int64)
alive = weakref.ref(own)
changed = p.upd(own)
assert own[0] == 7 and np.shares_memory(own, changed) and p.usage().copied == before
del own
gc.collect()
assert alive() is not None and changed.tolist() == [7, 2, 3]
del changed
gc.collect()
assert alive() is None
frozen = np.array([1, 2, 3], np.int64)
frozen.flags.writeable = False
assert p.upd(frozen).tolist() == [7, 2, 3] and frozen[0] == 1


class Interface:
    def __init__(self, array):
        self.__array_interface__ = array.__array_interface__


class Dlpack:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


before = p.usage().copied
for wrapper in [Interface, Dlpack]:
    assert p.main(wrapper(xs), 0)[0].tolist() == [2, 3, 4]
assert p.usage().copied == before
assert np.from_dlpack(p.main(xs, 0)[0]).tolist() == [2, 3, 4]
# records keep the arrays that they are made of
b = np.array([1, 2], np.float32)
alive = weakref.ref(b)
r = p.R(10, b)
del b
gc.collect()
assert alive() is not None and r.a == 10 and r.b.tolist() == [1, 2]
assert p.unr(r).tolist() == [11, 12]
assert p.unr(pickle.loads(pickle.dumps(r))).tolist() == [11, 12]
assert repr(p.mk(1)) == "R(a=3, b=array([2.], dtype=float32))"
kept = r.b
del r
gc.collect()
assert alive() is not None and kept.tolist() == [1, 2]
del kept
gc.collect()
assert alive() is None
raises(p.Error, "no value of type r", p.R.from_bytes, b"garbage")
# sums
s = p.mks(xs)
assert s.variant == "some" and s.payload[0].tolist() == [1, 2, 3] and s.payload[1] is True
assert p.uns(s) == 7 and p.uns(p.S.one(42)) == 42 and p.uns(p.S.none()) == 0
assert p.S.none().payload == () and p.uns(p.S.some(xs, False)) == 6
# arrays of records
ps = p.pts(5)
assert ps.shape == (5,) and len(ps) == 5 and ps[3].x == 3 and ps[-1].x == 4
assert ps.x.tolist() == [0, 1, 2, 3, 4] and p.sumpts(ps) == 10
raises(IndexError, "out of bounds", ps.__getitem__, 5)
assert [q.x for q in ps] == [0, 1, 2, 3, 4]
assert p.sumpts(p.Arr1dPt(ps.x, ps.x)) == 30
assert p.sumpts(p.Arr1dPt.of([p.Pt(2, 3), p.Pt(4, 5)])) == 26 and p.sumpts(p.Arr1dPt.of([])) == 0
raises(p.Error, "differ in size", p.Arr1dPt, np.zeros(2, np.float32), np.zeros(3, np.float32))
# a limit for memory; what is there stays, and calls go on when it is lifted
p.configure(memory_limit=p.usage().now + 1000)
raises(p.OutOfMemory, "more than the limit", p.pts, 10**6)
raises(MemoryError, "the limit", p.mat, np.ones((100, 100)).T)
p.configure(memory_limit=0)
raises(ValueError, "threads can't be -1", lambda: p.configure(threads=-1))
raises(TypeError, "memory_limit is a number", lambda: p.configure(memory_limit="all"))
# what there was no memory for was not used
peak = p.usage().peak
raises(p.OutOfMemory, "more than the machine has", p.pts, 10**15)
assert p.usage().peak == peak, (peak, p.usage())
assert len(p.pts(10**6)) == 10**6 and p.usage().peak >= 4 * 10**6
# threads
numbers = np.arange(10000, dtype=np.int32)
wrong = []


def work(k):
    for _ in range(200):
        if (p.main(numbers[k:], 0)[0] != numbers[k:] + 1).any():
            wrong.append(k)


threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not wrong
del ps, s, ys
gc.collect()
assert p.usage().now == 0, p.usage()
print("all right")
