"""Fifteen of the twenty programs in Halide, scheduled by hand as the kernels are. Absent are those that write to places which are computed
(radix_sort, sieve), and those whose steps each have another shape (bitonic, fourier) or where numbers choose what is summed (kmeans)."""

from common import np, serve, threads
from with_halide import compiled, hl, images, lanes, target, x, y

z, inner, block = hl.Var("z"), hl.Var("inner"), hl.Var("block")


def shared(function, axis, size, pieces=threads):
    """Gives each thread a piece of an axis where there are several; the loop over what one does."""
    if threads == 1:
        return axis
    function.split(axis, axis, inner, (size + pieces - 1) // pieces, hl.TailStrategy.GuardWithIf).parallel(axis)
    return inner


def vectors(function, size):
    """One dimension in vectors and by threads."""
    function.vectorize(x, lanes)
    shared(function, x, size // lanes)


def stepping(function, old, steps, data, renew=lambda array: None):
    """A run of some steps from one array to another and back, which leaves the rim as it is, or as `renew` makes it before each."""
    code = function.compile_to_callable([old], target)
    arrays = [data.copy(), data.copy()]
    whole = [hl.Buffer(array) for array in arrays]
    inside = [buffer.cropped([(1, size - 2) for size in reversed(data.shape)]) for buffer in whole]

    def run():
        arrays[0][:] = data
        for step in range(steps):
            renew(arrays[step % 2])
            code(whole[step % 2], inside[1 - step % 2])
        return arrays[steps % 2]

    return run


def batch(a, b):
    left, right = inputs = images([a, b])
    out = hl.Func("out")
    out[x, y, z] = sum((left[k, y, z] * right[x, k, z] for k in range(1, 4)), left[0, y, z] * right[x, 0, z])
    out.bound(x, 0, 4).bound(y, 0, 4).vectorize(x, 4).unroll(y)
    for image in inputs:
        image.dim(0).set_bounds(0, 4)
        image.dim(1).set_bounds(0, 4).set_stride(4)
        image.dim(2).set_stride(16)
    shared(out, z, len(a))
    return compiled(out, inputs, [a, b], np.empty_like(a))


def binomial(prices, strikes, steps=256):
    """Trees side by side in a vector."""
    price, strike = inputs = images([prices, strikes])
    f32, time = np.float32, np.float32(1 / steps)
    up, less = np.exp(f32(0.3) * np.sqrt(time)), np.exp(f32(-0.02) * time)
    p = (np.exp(f32(0.02) * time) - 1 / up) / (up - 1 / up)
    powers, values, out = hl.Func("powers"), hl.Func("values"), hl.Func("out")
    powers[x] = hl.pow(hl.f32(float(up)), hl.f32(x - steps))

    def worth(place):
        return hl.max(hl.f32(0), strike[x] * 20 + 40 - (price[x] * 20 + 40) * powers[place])

    values[x, y] = worth(2 * y)
    at = hl.RDom([(0, steps), (0, steps)])
    at.where(at.x < steps - at.y)
    later = hl.f32(float(less * p)) * values[x, at.x + 1] + hl.f32(float(less * (1 - p))) * values[x, at.x]
    values[x, at.x] = hl.max(worth(2 * at.x + at.y + 1), later)
    out[x] = values[x, 0]
    powers.compute_root()
    out.split(x, block, x, 2 * lanes).vectorize(x, lanes)
    values.compute_at(out, shared(out, block, len(prices) // (2 * lanes))).vectorize(x, lanes)
    values.update().reorder(x, at.x, at.y).vectorize(x, lanes).unroll(x)
    return compiled(out, inputs, [prices, strikes], np.empty_like(prices))


def black_scholes(prices, strikes, years):
    inputs = images([prices, strikes, years])

    def distribution(d):
        k = 1 / (1 + hl.f32(0.2316419) * hl.abs(d))
        tail = hl.f32(1.330274429)
        for factor in (-1.821255978, 1.781477937, -0.356563782, 0.31938153):
            tail = hl.f32(factor) + k * tail
        w = 1 - hl.f32(0.39894228) * hl.exp(hl.f32(-0.5) * d * d) * tail * k
        return hl.select(d < 0, 1 - w, w)

    price, strike, time = inputs[0][x] * 100 + 1, inputs[1][x] * 100 + 1, inputs[2][x] + hl.f32(0.1)
    spread, out = hl.f32(0.3) * hl.sqrt(time), hl.Func("out")
    d = (hl.log(price / strike) + hl.f32(0.065) * time) / spread
    out[x] = price * distribution(d) - strike * hl.exp(hl.f32(-0.02) * time) * distribution(d - spread)
    vectors(out, len(prices))
    return compiled(out, inputs, [prices, strikes, years], np.empty_like(prices))


def convolution(image, filter):
    """Strips of rows, each from a copy with zeros around it."""
    inputs = images([image, filter])
    padded, sum, out = hl.BoundaryConditions.constant_exterior(inputs[0], hl.f32(0)), hl.Func("sum"), hl.Func("out")
    at = hl.RDom([(0, 5), (0, 5)])
    sum[x, y] = hl.f32(0)
    sum[x, y] += padded[x + at.x - 2, y + at.y - 2] * inputs[1][at.x, at.y]
    out[x, y] = sum[x, y]
    strip, inner_x, row = hl.Var("strip"), hl.Var("inner_x"), hl.Var("row")
    out.split(y, strip, y, 32).tile(x, y, inner_x, row, 2 * lanes, 4).vectorize(inner_x, lanes).unroll(inner_x).unroll(row)
    if threads > 1:
        out.parallel(strip)
    padded.compute_at(out, strip).vectorize(padded.args()[0], lanes)
    sum.compute_at(out, x).vectorize(x, lanes).unroll(x).unroll(y)
    sum.update().reorder(x, y, at.x, at.y).vectorize(x, lanes).unroll(x).unroll(y).unroll(at.x)
    return compiled(out, inputs, [image, filter], np.empty_like(image))


def heat(warm, steps=10):
    old, new = hl.ImageParam(hl.Float(32), 3), hl.Func("new")
    sides = old[x - 1, y, z] + old[x + 1, y, z] + old[x, y - 1, z] + old[x, y + 1, z] + old[x, y, z - 1] + old[x, y, z + 1]
    new[x, y, z] = hl.f32(0.15) * sides + hl.f32(0.1) * old[x, y, z]
    new.vectorize(x, lanes)
    shared(new, z, len(warm) - 2)
    return stepping(new, old, steps, warm)


def knapsack(weights, values, room=8192):
    """With the best of each number of things, not of the last alone."""
    inputs, best, out = images([weights, values]), hl.Func("best"), hl.Func("out")
    best[x, y] = hl.undef(hl.Int(32))
    best[x, 0] = 0
    at = hl.RDom([(0, room), (1, len(weights))])
    before = best[hl.clamp(at.x - inputs[0][at.y - 1], 0, room - 1), at.y - 1] + inputs[1][at.y - 1]
    best[at.x, at.y] = hl.select(at.x < inputs[0][at.y - 1], best[at.x, at.y - 1], hl.max(best[at.x, at.y - 1], before))
    best.compute_root().bound(x, 0, room).update(0).vectorize(x, lanes)
    # no cell needs one of its own row
    best.update(1).allow_race_conditions().vectorize(at.x, lanes)
    out[()] = best[room - 1, len(weights)]
    return compiled(out, inputs, [weights, values], np.empty((), np.int32))


def life(cells, rounds=50):
    """On cells with a rim of those from the other side, which NumPy copies."""
    old = images([cells])[0]
    rows, new = hl.Func("rows"), hl.Func("new")
    rows[x, y] = old[x, y - 1] + old[x, y] + old[x, y + 1]
    sums = rows[x - 1, y] + rows[x, y] + rows[x + 1, y]
    # three with the cell itself, or four where that lives
    new[x, y] = hl.select((sums == 3) | ((sums == 4) & (old[x, y] == 1)), hl.u8(1), hl.u8(0))
    new.vectorize(x, 4 * lanes)
    rows.compute_at(new, shared(new, y, len(cells))).vectorize(x, 4 * lanes)

    def renew(field):
        field[0], field[-1] = field[-2], field[1]
        field[:, 0], field[:, -1] = field[:, -2], field[:, 1]

    run = stepping(new, old, rounds, np.pad(cells, 1), renew)
    return lambda: run()[1:-1, 1:-1]


def mandelbrot(columns, rows, most=200):
    """All steps of each point; those that have left only get farther."""
    inputs, at, out, step = images([columns, rows]), hl.Func("at"), hl.Func("out"), hl.RDom([(0, most)])
    re, im = inputs[0][x] * 3 - 2, inputs[1][y] * 2 - 1
    at[x, y] = (hl.f32(0), hl.f32(0), hl.i32(0))
    real, imaginary, count = at[x, y][0], at[x, y][1], at[x, y][2]
    inside = real * real + imaginary * imaginary < 4
    at[x, y] = (real * real - imaginary * imaginary + re + 0 * step, 2 * real * imaginary + im, count + hl.select(inside, 1, 0))
    out[x, y] = at[x, y][2]
    out.split(x, block, x, 4 * lanes).vectorize(x, lanes)
    shared(out, y, len(rows), 4 * threads)
    at.compute_at(out, block).vectorize(x, lanes).unroll(x)
    at.update().reorder(x, step).vectorize(x, lanes).unroll(x)
    return compiled(out, inputs, [columns, rows], np.empty((len(rows), len(columns)), np.int32))


def monte_carlo(walks, steps=64):
    """The mean of the walks is NumPy's."""
    walk, out, step = hl.Func("walk"), hl.Func("out"), hl.RDom([(0, steps)])
    n = hl.u32(x) * steps + hl.u32(step)
    n = (n ^ (n >> 16)) * hl.u32(0x7FEB352D)
    n = (n ^ (n >> 15)) * hl.u32(0x846CA68B)
    walk[x] = (hl.f32(0), hl.f32(0))
    at = walk[x][0] + hl.f32(hl.i32((n ^ (n >> 16)) >> 8)) * hl.f32(1 / 8388608) - 1
    walk[x] = (at, hl.max(walk[x][1], at))
    out[x] = walk[x][1]
    out.split(x, block, x, 4 * lanes).vectorize(x, lanes)
    walk.compute_at(out, shared(out, block, walks // (4 * lanes))).vectorize(x, lanes).unroll(x)
    walk.update().reorder(x, step).vectorize(x, lanes).unroll(x)
    highest = compiled(out, [], [], np.empty(walks, np.float32))
    return lambda: highest().sum() / np.float32(walks)


def nbody(xs, ys, zs, masses):
    """The pulls on the bodies of some vectors, one body after the other."""
    places = images([xs, ys, zs, masses])
    pulls, out, other = hl.Func("pulls"), hl.Func("out"), hl.RDom([(0, len(xs))])
    apart = [place[other] - place[x] for place in places[:3]]
    r = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2] + hl.f32(0.5)
    # an estimate of the root, made better by a step of Newton's
    root = hl.fast_inverse_sqrt(r)
    root = root * (hl.f32(1.5) - hl.f32(0.5) * r * root * root)
    s = places[3][other] * root * root * root
    pulls[x] = (hl.f32(0), hl.f32(0), hl.f32(0))
    pulls[x] = tuple(pulls[x][k] + apart[k] * s for k in range(3))
    out[x] = tuple(pulls[x][k] for k in range(3))
    out.split(x, block, x, 4 * lanes).vectorize(x, lanes)
    pulls.compute_at(out, shared(out, block, len(xs) // (4 * lanes))).vectorize(x, lanes).unroll(x)
    pulls.update().reorder(x, other).vectorize(x, lanes).unroll(x)
    return compiled(out, places, [xs, ys, zs, masses], *(np.empty_like(xs) for _ in range(3)))


def paths(distances):
    inputs, n, ways = images([distances]), len(distances), hl.Func("ways")
    at = hl.RDom([(0, n), (0, n), (0, n)])
    ways[x, y] = inputs[0][x, y]
    ways[at.x, at.y] = hl.min(ways[at.x, at.y], ways[at.z, at.y] + ways[at.x, at.z])
    ways.bound(x, 0, n).bound(y, 0, n).vectorize(x, lanes)
    # a step does not change the row and the column that it reads
    wide, piece, row = hl.RVar("wide"), hl.RVar("piece"), hl.RVar("row")
    update = ways.update().allow_race_conditions().split(at.x, wide, at.x, 4 * lanes).vectorize(at.x, 4 * lanes).unroll(wide, 4)
    if threads > 1:
        update.split(at.y, piece, row, n // threads).parallel(piece)
    return compiled(ways, inputs, [distances], np.empty_like(distances))


def search(sorted, keys):
    inputs, place, out = images([sorted, keys]), hl.Func("place"), hl.Func("out")
    halving = hl.RDom([(0, len(sorted).bit_length())])
    place[x] = (hl.i32(0), hl.i32(len(sorted)))
    low, high = place[x][0], place[x][1]
    middle = (low + high + 0 * halving) // 2
    less = inputs[0][hl.clamp(middle, 0, len(sorted) - 1)] < inputs[1][x]
    place[x] = (hl.select((low < high) & less, middle + 1, low), hl.select((low < high) & ~less, middle, high))
    out[x] = hl.i64(place[x][0])
    out.split(x, block, x, 4 * lanes).vectorize(x, lanes)
    place.compute_at(out, shared(out, block, len(keys) // (4 * lanes))).vectorize(x, lanes).unroll(x)
    place.update().reorder(x, halving).vectorize(x, lanes).unroll(x)
    return compiled(out, inputs, [sorted, keys], np.empty(len(keys), np.int64))


def segments(xs):
    """On one thread; it has no scan on several."""
    inputs, sums, k = images([xs]), hl.Func("sums"), hl.RDom([(1, len(xs) - 1)]).x
    sums[x] = hl.undef(hl.Int(32))
    sums[0] = inputs[0][0]
    sums[k] = hl.select(inputs[0][k] & 63 == 0, 0, sums[k - 1]) + inputs[0][k]
    return compiled(sums, inputs, [xs], np.empty_like(xs))


def sparse(values, columns, vector):
    inputs, sum, out, k = images([values, columns, vector]), hl.Func("sum"), hl.Func("out"), hl.RDom([(0, values.shape[1])])
    sum[x] = hl.f32(0)
    sum[x] += inputs[0][k, x] * inputs[2][inputs[1][k, x] & 131071]
    out[x] = sum[x]
    out.split(x, block, x, lanes).vectorize(x, lanes)
    sum.compute_at(out, shared(out, block, len(values) // lanes)).vectorize(x, lanes)
    sum.update().unroll(k)
    return compiled(out, inputs, [values, columns, vector], np.empty_like(vector))


def subsequence(a, b):
    """With the whole table, on one thread: it has no anti-diagonals."""
    inputs, longest, out = images([a, b]), hl.Func("longest"), hl.Func("out")
    at = hl.RDom([(1, len(b)), (1, len(a))])
    longest[x, y] = hl.undef(hl.Int(32))
    longest[x, 0] = 0
    longest[0, y] = 0
    same = (inputs[0][at.y - 1] & 3) == (inputs[1][at.x - 1] & 3)
    other = hl.max(longest[at.x - 1, at.y], longest[at.x, at.y - 1])
    longest[at.x, at.y] = hl.select(same, longest[at.x - 1, at.y - 1] + 1, other)
    longest.compute_root()
    out[()] = longest[len(b), len(a)]
    return compiled(out, inputs, [a, b], np.empty((), np.int32))


functions = [batch, binomial, black_scholes, convolution, heat, knapsack, life, mandelbrot, monte_carlo, nbody, paths, search, segments, sparse]
serve({function.__name__: function for function in [*functions, subsequence]})
