"""Which bytes calls of the Python module of views.fut copy; the folder of the module is the argument."""

import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import views as v

random = np.random.default_rng(1)


def copied(expected, result, *bytes_of):
    """The result is right, and as many bytes were copied as these arrays have, none if there are none."""
    for got, wanted in zip(result, expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-5)
    global before
    now = v.usage().copied
    assert now - before == sum(array.nbytes for array in bytes_of), (now - before, [array.strides for array in bytes_of])
    before = now


before = v.usage().copied
# whole, transposed, permuted, reversed, in steps, sliced, repeated, without elements
orders = [
    lambda xs: xs,
    lambda xs: xs.T,
    lambda xs: xs.transpose(1, 2, 0),
    lambda xs: xs[::-1, ::-1, ::-1],
    lambda xs: xs[::-1, ::-1, ::-1].T,
    lambda xs: xs[:, ::-1],
    lambda xs: xs[::2, 1:, ::-2],
    lambda xs: xs[1:3, 1:2, 2:],
    lambda xs: np.broadcast_to(xs[0], xs.shape),
    lambda xs: xs[:, :0],
]
cube = random.random((4, 5, 6))
for order in orders:
    copied([order(cube).T], [v.turned(order(cube))])
    # several arrays, each in another order
    xs = order(cube.astype(np.float32))
    weights = random.random(xs.shape[1::-1]).astype(np.float32).T[::-1, ::-1]
    start = random.random(2 * xs.shape[0]).astype(np.float32)[::-2]
    copied([start + (weights * xs.sum(2)).sum(1)], [v.weighed(xs, weights, start)])
orders = [
    lambda xs: xs,
    lambda xs: xs.T,
    lambda xs: xs[::-1, ::-1],
    lambda xs: xs[::-1, ::-1].T,
    lambda xs: xs[::-2, ::3],
    lambda xs: xs[1:, 2:5],
]
plane = random.random((6, 8))
for order in orders:
    xs, single = order(plane), order(plane.astype(np.float32))
    # results that are a tuple with a record in it
    rows, rest = v.sums(xs)
    copied([xs.sum(1), xs.sum(0), xs.sum()], [rows, rest.columns, rest.all])
    # arrays in tuples and records are in row order: those that are stay where they are, others are copied, once; arrays beside them stay
    factors, scales = random.random(xs.shape[1]), random.random(2 * xs.shape[0])[::-2]
    copied([scales * (xs @ factors)], [v.product((xs, factors), scales)], *([] if xs.flags.c_contiguous else [xs]))
    grid, start = v.Grid(single, 2), scales.astype(np.float32)[::-1]
    copied([2 * start + single.sum(1)], [v.scaled(grid, start)], *([] if single.flags.c_contiguous else [single]))
    copied([start + single.sum(1)], [v.scaled(v.Grid(grid.cells, 1), start)])
x, y, weights = random.random(5), random.random(10)[::2], random.random(5)[::-1]
copied([(weights * (x + x)).sum()], [v.moments(v.Arr1dPoint(x, x), weights)])
copied([(weights * (x + y)).sum()], [v.moments(v.Arr1dPoint(x, y), weights)], y)
print("all right")
