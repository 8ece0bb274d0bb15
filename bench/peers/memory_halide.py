"""Five of the seven memory programs in Halide, scheduled by hand: vectors, threads where there are several; NumPy adds up what is left of sums and
makes the rims of arrays. nw is on one thread, as it has no anti-diagonals. Absent are lud, whose steps each have another shape, and locvolcalib, whose
systems take a dozen of stages in each of many steps, with another order of the arrays for each direction."""

import memory_tables as tables
from common import np, serve, threads
from with_halide import compiled, hl, lanes, target, x, y

z, q, row, piece, inner = (hl.Var(name) for name in ("z", "q", "row", "piece", "inner"))
LANES = 4 * lanes


def shared(function, axis, size, pieces=threads):
    """Gives each thread a piece of an axis where there are several."""
    if threads > 1:
        function.split(axis, axis, inner, (size + pieces - 1) // pieces, hl.TailStrategy.GuardWithIf).parallel(axis)


def fraction(seed, k):
    k = hl.u32(k) * hl.u32(747796405) + hl.u32((seed * 2891336453 + 1) % 2**32)
    k = (k ^ (k >> 16)) * hl.u32(0x7FEB352D)
    k = (k ^ (k >> 15)) * hl.u32(0x846CA68B)
    return hl.f32(hl.i32((k ^ (k >> 16)) >> 8)) * hl.f32(1 / 16777216)


def total(array):
    """Gives what sums a matrix by columns, in vectors of f64, and NumPy these."""
    height, width = array.shape
    field, sums, k = hl.ImageParam(hl.Float(32), 2), hl.Func("sums"), hl.RDom([(0, height)])
    sums[x] = hl.f64(0)
    sums[x] += hl.f64(field[x, k])
    sums.vectorize(x, lanes).update().reorder(x, k).vectorize(x, lanes)
    columns = compiled(sums, [field], [array], np.empty(width))
    return lambda: columns().sum()


def nw(n, _):
    like, first, second = (hl.ImageParam(hl.Int(32), rank) for rank in (2, 1, 1))
    similar, scores, at = hl.Func("similar"), hl.Func("scores"), hl.RDom([(1, n), (1, n)])
    similar[x, y] = like[hl.clamp(second[x], 0, 23), hl.clamp(first[y], 0, 23)]
    similar.compute_root().vectorize(x, lanes)
    scores[x, y] = -10 * hl.max(x, y)
    gap = hl.max(scores[at.x, at.y - 1], scores[at.x - 1, at.y]) - 10
    scores[at.x, at.y] = hl.max(scores[at.x - 1, at.y - 1] + similar[at.x - 1, at.y - 1], gap)
    code, out, numbers = scores.compile_to_callable([like, first, second], target), np.empty((n + 1, n + 1), np.int32), np.arange(n, dtype=np.uint32)
    filled = hl.Buffer(out)

    def run():
        letters = [(tables.hashes(seed, numbers) % 24).astype(np.int32) for seed in (1, 2)]
        code(*(hl.Buffer(array) for array in (tables.likeness(np), *letters)), filled)
        return out[n, n], out.sum(dtype=np.int64)

    return run


def hotspot(n, steps):
    """In an array with a rim that is as warm as the cells at the edge."""
    step, across, out = (hl.f32(number) for number in tables.chip(n))
    fields, power = np.empty((2, n + 2, n + 2), np.float32), np.empty((n, n), np.float32)
    warm, heat, old, watts, new = hl.Func("warm"), hl.Func("heat"), *(hl.ImageParam(hl.Float(32), 2) for _ in range(2)), hl.Func("new")
    warm[x, y] = 323 + 20 * fraction(1, (y - 1) * n + x - 1)
    heat[x, y] = hl.f32(0.0001) * fraction(2, y * n + x)
    here = old[x, y]
    sides = old[x, y - 1] + old[x, y + 1] + old[x - 1, y] + old[x + 1, y] - 4 * here
    new[x, y] = here + step * (watts[x - 1, y - 1] + sides * across + (80 - here) * out)
    for function in (warm, heat, new):
        function.vectorize(x, lanes)
        shared(function, y, n)
    codes = [function.compile_to_callable(inputs, target) for function, inputs in ((warm, []), (heat, []), (new, [old, watts]))]
    whole, given = [hl.Buffer(field) for field in fields], hl.Buffer(power)
    inside = [field.cropped([(1, n), (1, n)]) for field in whole]
    last = np.empty((n, n), np.float32)
    sum = total(last)

    def run():
        codes[0](inside[0])
        codes[1](given)
        for t in range(steps):
            field = fields[t % 2]
            field[0], field[-1] = field[1], field[-2]
            field[:, 0], field[:, -1] = field[:, 1], field[:, -2]
            codes[2](whole[t % 2], given, inside[1 - t % 2])
        last[:] = fields[steps % 2, 1:-1, 1:-1]
        return sum() / (n * n)

    return run


def lbm(steps, nx, ny, nz):
    """In arrays with a rim that is as the cells at the edge; all directions of a row together."""
    grids = np.empty((2, 19, nz + 2, ny + 2, nx + 2), np.float32)
    old, moments, out = hl.ImageParam(hl.Float(32), 4), hl.Func("moments"), hl.Func("out")
    f = [old[x - a, y - b, z - c, k] for k, (a, b, c) in enumerate(tables.WAYS.tolist())]
    wall = (x == 1) | (x == nx) | (y == 1) | (y == ny) | (z == 1) | (z == nz)
    lid = ((z == 2) | (z == nz - 1)) & (y > 2) & (y < ny - 1) & (x > 2) & (x < nx - 1)

    def along(ways, values):
        terms = [value if way > 0 else -value for way, value in zip(ways, values) if way]
        return sum(terms[1:], terms[0]) if terms else hl.f32(0)

    density = sum(f[1:], f[0])
    u = [hl.select(lid, hl.f32(moved), along(ways, f) / density) for ways, moved in zip(tables.WAYS.T, (0.005, 0.002, 0))]
    moments[x, y, z] = (density, *u, 1 - hl.f32(1.5) * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]))
    rho, *u, less = (moments[x, y, z][k] for k in range(5))
    flows = []
    for k, ways in enumerate(tables.WAYS):
        e = along(ways, u)
        rest = hl.f32(1.95 * float(tables.WEIGHTS[k])) * rho * (less + 3 * e + hl.f32(4.5) * e * e)
        flows.append(hl.select(wall, f[tables.BACK[k]], hl.f32(-0.95) * f[k] + rest))
    out[x, y, z, q] = hl.mux(q, flows)
    out.bound(q, 0, 19).reorder(x, q, y, z).unroll(q).vectorize(x, lanes)
    moments.compute_at(out, y).vectorize(x, lanes)
    shared(out, z, nz)
    code, whole = out.compile_to_callable([old], target), [hl.Buffer(grid) for grid in grids]
    inside = [grid.cropped([(1, nx), (1, ny), (1, nz), (0, 19)]) for grid in whole]

    def run():
        grids[0] = tables.WEIGHTS[:, None, None, None]
        for t in range(steps):
            new = grids[1 - t % 2]
            code(whole[t % 2], inside[1 - t % 2])
            new[..., 0], new[..., -1] = new[..., 1], new[..., -2]
            new[:, :, 0], new[:, :, -1] = new[:, :, 1], new[:, :, -2]
            new[:, 0], new[:, -1] = new[:, 1], new[:, -2]
        return grids[steps % 2, :, 1:-1, 1:-1, 1:-1].sum(dtype=np.float64)

    return run


def polynomial(factors, x):
    sum = hl.f64(factors[0])
    for factor in factors[1:]:
        sum = sum * x + hl.f64(factor)
    return sum


def quantile(p):
    """The middle and a tail of each."""
    value, near = p - 0.5, hl.min(p, 1 - p)
    r, far = value * value, hl.sqrt(-2 * hl.log(near))
    tail = polynomial(tables.TAIL, far) / polynomial(tables.UNDER_TAIL, far)
    middle = value * polynomial(tables.MIDDLE, r) / polynomial(tables.UNDER_MIDDLE, r)
    return hl.select(near < hl.f64(tables.LOW), hl.select(value < 0, tail, -tail), middle)


def option_pricing(n, dates, size=1024):
    """Pieces of paths, whose numbers differ in the lowest bits alone."""
    of_bits, table = hl.ImageParam(hl.UInt(32), 2), hl.ImageParam(hl.UInt(32), 2)
    first, z, sums, out, k = hl.Func("first"), hl.Func("z"), hl.Func("sums"), hl.Func("out"), hl.RDom([(0, tables.BITS)])
    start = hl.u32(y * size)
    gray = start ^ (start >> 1)
    first[q, y] = hl.u32(0)
    first[q, y] = first[q, y] ^ hl.select(((gray >> hl.u32(k)) & 1) == 1, of_bits[k, q], hl.u32(0))
    z[x, q, y] = quantile((hl.f64(first[q, y] ^ table[x, q]) + 0.5) * 2.0**-tables.BITS)
    matrix, added = tables.log_prices(dates)
    mean = hl.f64(0)
    for date in range(dates):
        of_assets = []
        for line in range(3 * date, 3 * date + 3):
            terms = (hl.f64(float(factor)) * z[x, d, y] for d, factor in enumerate(matrix[line]) if factor)
            of_assets.append(hl.exp(sum(terms, hl.f64(float(added[line])))))
        mean += hl.min(of_assets[0], hl.min(of_assets[1], of_assets[2]))
    over = hl.max(mean / dates - 90, hl.f64(0))
    number = y * size + x
    sums[x, y] = hl.select((number > 0) & (number <= n), over, hl.f64(0))
    pieces, wide, path = n // size + 1, lanes // 2, hl.RDom([(0, size)])
    out[y] = hl.f64(0)
    out[y] += sums[path, y]
    first.compute_root()
    sums.compute_at(out, y).split(x, x, inner, wide).vectorize(inner)
    z.compute_at(sums, x).vectorize(x, wide)
    if threads > 1:
        block = hl.Var("block")
        out.update().split(y, block, y, 16, hl.TailStrategy.GuardWithIf).parallel(block)
    of_pieces = np.empty(pieces)
    code, filled = out.compile_to_callable([of_bits, table], target), hl.Buffer(of_pieces)

    def run():
        numbers = tables.directions(3 * dates)
        code(hl.Buffer(numbers), hl.Buffer(tables.sobol_table(numbers, size)), filled)
        return np.exp(-0.02 * dates) * of_pieces.sum() / n

    return run


def nn(n, k):
    """Rounds that find the nearest, and its row, of each of some lanes and pieces; NumPy takes the first of these out."""
    rows = (n + LANES - 1) // LANES
    size = (rows + threads - 1) // threads
    distances = np.empty((size * threads, LANES), np.float32)
    old, distance, best, out = hl.ImageParam(hl.Float(32), 2), hl.Func("distance"), hl.Func("best"), hl.Func("out")
    point = row * LANES + x
    a, b = 56 * fraction(1, point) + hl.f32(7 - 30), 358 * fraction(2, point) - 90
    distance[x, row] = hl.select(point < n, hl.sqrt(a * a + b * b), hl.f32(3e38))
    distance.vectorize(x, lanes)
    shared(distance, row, size * threads)
    at = hl.RDom([(0, size)])
    best[x, y] = (hl.f32(3e38), hl.i32(0))
    here = old[x, y * size + at]
    nearer = here < best[x, y][0]
    best[x, y] = (hl.select(nearer, here, best[x, y][0]), hl.select(nearer, y * size + at, best[x, y][1]))
    out[x, y] = (best[x, y][0], best[x, y][1])
    out.bound(x, 0, LANES).vectorize(x, lanes)
    if threads > 1:
        out.parallel(y)
    best.compute_at(out, y).vectorize(x, lanes).unroll(x)
    best.update().reorder(x, at, y).vectorize(x, lanes).unroll(x)
    least, of_rows = np.empty((threads, LANES), np.float32), np.empty((threads, LANES), np.int32)
    fill, find = distance.compile_to_callable([], target), out.compile_to_callable([old], target)
    whole, *outs = (hl.Buffer(array) for array in (distances, least, of_rows))
    flat, columns = distances.reshape(-1), np.arange(LANES)

    def run():
        fill(whole)
        found, far = 0, np.float32(0)
        for _ in range(k):
            find(whole, *outs)
            nearest = least.min()
            place = (of_rows * LANES + columns)[least == nearest].min()
            flat[place] = 3e38
            found, far = found + place, far + nearest
        return found, far

    return run


serve({function.__name__: lambda *sizes, make=function: make(*map(int, sizes)) for function in (nw, hotspot, lbm, option_pricing, nn)})
