"""The ten kernels in Numba: loops as in C, with `prange` where there is more than one thread."""

import os
import sys

from common import np, serve, threads

# where code may be kept, it is by the number of threads: Numba does not tell parallel code from other by itself
kept = "NUMBA_CACHE_DIR" in os.environ
if kept:
    os.environ["NUMBA_CACHE_DIR"] += f"/{threads}"

try:
    from numba import njit, prange
except ImportError:
    sys.exit("skipped: Numba is not installed")

loops = njit(fastmath=True, parallel=threads > 1, error_model="numpy", cache=kept)
in_order = njit(fastmath=True, error_model="numpy", cache=kept)


@loops
def dot_of(a, b):
    sum = np.float32(0)
    for k in prange(len(a)):
        sum += a[k] * b[k]
    return sum


@loops
def exp_sum_of(a):
    sum = np.float32(0)
    for k in prange(len(a)):
        sum += np.float32(2) * np.exp(a[k]) + np.float32(1)
    return sum


@loops
def matmul_into(a, b, out):
    for i in prange(len(a)):
        out[i] = 0
        for k in range(len(b)):
            left = a[i, k]
            for j in range(b.shape[1]):
                out[i, j] += left * b[k, j]


@loops
def jacobi_step(old, new):
    for i in prange(1, old.shape[0] - 1):
        for j in range(1, old.shape[1] - 1):
            sum = old[i, j] + old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
            new[i, j] = np.float32(0.2) * sum


@in_order
def jacobi_steps(first, second, steps):
    for step in range(steps):
        if step % 2 == 0:
            jacobi_step(first, second)
        else:
            jacobi_step(second, first)


@loops
def scan_into(a, out, pieces):
    # sums of pieces, and then each piece from what is before it
    before, size = np.zeros(pieces + 1, np.int32), len(a)
    if pieces > 1:
        for piece in prange(pieces):
            sum = np.int32(0)
            for k in range(size * piece // pieces, size * (piece + 1) // pieces):
                sum += a[k]
            before[piece + 1] = sum
    for piece in range(pieces):
        before[piece + 1] += before[piece]
    for piece in prange(pieces):
        sum = before[piece]
        for k in range(size * piece // pieces, size * (piece + 1) // pieces):
            sum += a[k]
            out[k] = sum


@loops
def blur_into(image, out):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            sum = np.float32(0)
            for k in range(3):
                sum += image[i + k, j] + image[i + k, j + 1] + image[i + k, j + 2]
            out[i, j] = sum * np.float32(1 / 9)


@in_order
def nw_block(similar, scores, top, left, side):
    for i in range(top, top + side):
        for j in range(left, left + side):
            gap = max(scores[i, j + 1], scores[i + 1, j]) - np.int32(10)
            scores[i + 1, j + 1] = max(scores[i, j] + similar[i, j], gap)


@loops
def nw_diagonal(similar, scores, number, first, last, side):
    for i in prange(first, last + 1):
        nw_block(similar, scores, i * side, (number - i) * side, side)


@in_order
def nw_into(similar, scores, side):
    for k in range(len(scores)):
        scores[k, 0] = scores[0, k] = -10 * k
    blocks = len(similar) // side
    for number in range(2 * blocks - 1):
        nw_diagonal(similar, scores, number, max(0, number - blocks + 1), min(number, blocks - 1), side)


@loops
def lu_step(a, k):
    for i in prange(k + 1, len(a)):
        factor = a[i, k] / a[k, k]
        a[i, k] = factor
        for j in range(k + 1, len(a)):
            a[i, j] -= factor * a[k, j]


@in_order
def lu_in_place(a):
    for k in range(len(a) - 1):
        lu_step(a, k)


@loops
def histogram_of(numbers, pieces):
    size, counts = len(numbers), np.zeros((pieces, 1024), np.int32)
    for piece in prange(pieces):
        for k in range(size * piece // pieces, size * (piece + 1) // pieces):
            counts[piece, numbers[k]] += 1
    total = counts[0]
    for piece in range(1, pieces):
        total += counts[piece]
    return total


@loops
def triad_into(a, b, out):
    for k in prange(len(a)):
        out[k] = a[k] + np.float32(3) * b[k]


def into(function, out, *data):
    """A run that fills an array."""

    def run():
        function(*data, out)
        return out

    return run


def jacobi(steps, plate):
    first, second = plate.copy(), plate.copy()

    def run():
        first[:], second[:] = plate, plate
        jacobi_steps(first, second, steps)
        return second if steps % 2 else first

    return run


def lu(a):
    work = a.copy()

    def run():
        work[:] = a
        lu_in_place(work)
        return work

    return run


def nw(similar):
    n = len(similar)
    return into(lambda s, out: nw_into(s, out, 128 if threads > 1 else n), np.empty((n + 1, n + 1), np.int32), similar)


if __name__ == "__main__":
    serve(
        {
            "dot": lambda a, b: lambda: dot_of(a, b),
            "exp_sum": lambda a: lambda: exp_sum_of(a),
            "matmul": lambda a, b: into(matmul_into, np.empty_like(a), a, b),
            "jacobi": jacobi,
            "scan": lambda a: into(lambda a, out: scan_into(a, out, threads), np.empty_like(a), a),
            "blur": lambda image: into(blur_into, np.empty([size - 2 for size in image.shape], image.dtype), image),
            "nw": nw,
            "lu": lu,
            "histogram": lambda numbers: lambda: histogram_of(numbers, threads),
            "triad": lambda a, b: into(triad_into, np.empty_like(a), a, b),
        }
    )
