"""Nine of the ten kernels in Halide, scheduled by hand: vectors, tiles, threads where there is more than one. LU has no plain form in it: what
is updated shrinks with each step, and each step reads all of the one before."""

import sys

from common import np, serve, threads

try:
    import halide as hl
except ImportError:
    sys.exit("skipped: Halide is not installed")

target = hl.get_jit_target_from_environment()
lanes = target.natural_vector_size(hl.Float(32))
x, y, inner_x, inner_y = (hl.Var(name) for name in ("x", "y", "inner_x", "inner_y"))


def compiled(function, inputs, data, *outs):
    """A run that fills `outs` from the data."""
    code = function.compile_to_callable(inputs, target)
    buffers = [hl.Buffer(array) for array in (*data, *outs)]

    def run():
        code(*buffers)
        return outs if len(outs) > 1 else outs[0]

    return run


def images(data):
    kinds = {"f": hl.Float, "i": hl.Int, "u": hl.UInt}
    return [hl.ImageParam(kinds[array.dtype.kind](8 * array.itemsize), array.ndim) for array in data]


def summed(term, *data):
    """The sum of a term of each element: in as many partial sums as some vectors have lanes, in each thread."""
    inputs, size, width = images(data), len(data[0]), 4 * lanes
    k, total = hl.RDom([(0, size)]), hl.Func("total")
    total[()] = hl.f32(0)
    total[()] += term(*[values[k.x] for values in inputs])
    outer, lane, piece = hl.RVar("outer"), hl.RVar("lane"), hl.RVar("piece")
    column, row = hl.Var("column"), hl.Var("row")
    if threads > 1:
        total.update().split(k.x, piece, outer, size // threads).split(outer, outer, lane, width)
        parts = total.update().rfactor([(piece, row), (lane, column)])
        parts.compute_root().vectorize(column, lanes).parallel(row)
        parts.update().reorder(column, outer, row).vectorize(column, lanes).unroll(column).parallel(row)
    else:
        total.update().split(k.x, outer, lane, width)
        parts = total.update().rfactor(lane, column)
        parts.compute_root().vectorize(column, lanes)
        parts.update().reorder(column, outer).vectorize(column, lanes).unroll(column)
    return compiled(total, inputs, data, np.zeros((), np.float32))


def matmul(a, b):
    left, right = inputs = images([a, b])
    n, out, product, packed = len(a), hl.Func("out"), hl.Func("product"), hl.Func("packed")
    k = hl.RDom([(0, n)])
    packed[x, y] = right[x, y]
    product[x, y] = hl.f32(0)
    product[x, y] += left[k.x, y] * packed[x, k.x]
    out[x, y] = product[x, y]
    # tiles of 8 rows of two vectors each in registers, a column of tiles at a time, whose columns of the right matrix are copied together
    out.bound(x, 0, n).bound(y, 0, n).tile(x, y, inner_x, inner_y, 2 * lanes, 8)
    out.reorder(inner_x, inner_y, y, x).vectorize(inner_x, lanes).unroll(inner_x).unroll(inner_y)
    if threads > 1:
        out.parallel(x)
    packed.compute_at(out, x).vectorize(x, lanes).unroll(x)
    product.compute_at(out, y).vectorize(x, lanes).unroll(x).unroll(y)
    product.update().reorder(x, y, k.x).vectorize(x, lanes).unroll(x).unroll(y)
    return compiled(out, inputs, [a, b], np.empty_like(a))


def jacobi(steps, plate):
    old, new = hl.ImageParam(hl.Float(32), 2), hl.Func("new")
    new[x, y] = hl.f32(0.2) * (old[x, y] + old[x, y - 1] + old[x, y + 1] + old[x - 1, y] + old[x + 1, y])
    new.vectorize(x, lanes)
    inside = plate.shape[0] - 2
    if threads > 1:
        new.split(y, y, inner_y, (inside + threads - 1) // threads, hl.TailStrategy.GuardWithIf).parallel(y)
    code = new.compile_to_callable([old], target)
    plates = [plate.copy(), plate.copy()]
    whole = [hl.Buffer(array) for array in plates]
    inner = [buffer.cropped([(1, inside), (1, inside)]) for buffer in whole]

    def run():
        plates[0][:], plates[1][:] = plate, plate
        for step in range(steps):
            code(whole[step % 2], inner[1 - step % 2])
        return plates[steps % 2]

    return run


def scan(a):
    """On one thread; it has no scan on several."""
    inputs = images([a])
    k, sums = hl.RDom([(1, len(a) - 1)]), hl.Func("sums")
    sums[x] = hl.undef(hl.Int(32))
    sums[0] = inputs[0][0]
    sums[k.x] = sums[k.x - 1] + inputs[0][k.x]
    return compiled(sums, inputs, [a], np.empty_like(a))


def blur(image):
    inputs = images([image])
    rows, out = hl.Func("rows"), hl.Func("out")
    rows[x, y] = inputs[0][x, y] + inputs[0][x + 1, y] + inputs[0][x + 2, y]
    out[x, y] = (rows[x, y] + rows[x, y + 1] + rows[x, y + 2]) * hl.f32(1 / 9)
    out.split(y, y, inner_y, 64).vectorize(x, lanes)
    if threads > 1:
        out.parallel(y)
    rows.store_at(out, y).compute_at(out, inner_y).vectorize(x, lanes)
    return compiled(out, inputs, [image], np.empty([size - 2 for size in image.shape], image.dtype))


def nw(similar):
    """On one thread: it has no anti-diagonals."""
    inputs, n = images([similar]), len(similar)
    at, scores = hl.RDom([(1, n), (1, n)]), hl.Func("scores")
    scores[x, y] = -10 * hl.max(x, y)
    gap = hl.max(scores[at.x, at.y - 1], scores[at.x - 1, at.y]) - 10
    scores[at.x, at.y] = hl.max(scores[at.x - 1, at.y - 1] + inputs[0][at.x - 1, at.y - 1], gap)
    return compiled(scores, inputs, [similar], np.empty((n + 1, n + 1), np.int32))


def histogram(numbers):
    inputs = images([numbers])
    k, counts = hl.RDom([(0, len(numbers))]), hl.Func("counts")
    counts[x] = 0
    counts[hl.clamp(inputs[0][k.x], 0, 1023)] += 1
    if threads > 1:
        piece, rest, row = hl.RVar("piece"), hl.RVar("rest"), hl.Var("row")
        counts.update().split(k.x, piece, rest, len(numbers) // threads)
        parts = counts.update().rfactor(piece, row)
        parts.compute_root().parallel(row)
        parts.update().parallel(row)
    return compiled(counts, inputs, [numbers], np.zeros(1024, np.int32))


def triad(a, b):
    inputs = images([a, b])
    out = hl.Func("out")
    out[x] = inputs[0][x] + hl.f32(3) * inputs[1][x]
    if threads > 1:
        out.split(x, y, x, len(a) // (32 * threads)).parallel(y)
    out.vectorize(x, lanes)
    return compiled(out, inputs, [a, b], np.empty_like(a))


if __name__ == "__main__":
    serve(
        {
            "dot": lambda a, b: summed(lambda p, q: p * q, a, b),
            "exp_sum": lambda a: summed(lambda p: hl.f32(2) * hl.exp(p) + hl.f32(1), a),
            "matmul": matmul,
            "jacobi": jacobi,
            "scan": scan,
            "blur": blur,
            "nw": nw,
            "histogram": histogram,
            "triad": triad,
        }
    )
