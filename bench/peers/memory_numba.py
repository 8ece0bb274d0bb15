"""The memory programs in Numba: loops as in C, with what is made of hashes inside of each run, as in FUN. Those that price options are in
memory_numba_prices.py."""

import memory_tables as tables
from common import np, serve, threads
from memory_numba_prices import locvolcalib, option_pricing
from with_numba import in_order, loops, prange

f32, u32, i32 = np.float32, np.uint32, np.int32
SIDE, LANES = 128, 64


@in_order
def hashed(seed, k):
    x = u32(u32(u32(k) * u32(747796405)) + u32(seed * 2891336453 + 1))
    x = u32((x ^ x >> u32(16)) * u32(0x7FEB352D))
    x = u32((x ^ x >> u32(15)) * u32(0x846CA68B))
    return u32(x ^ x >> u32(16))


@in_order
def fraction(seed, k):
    return f32(i32(hashed(seed, k) >> u32(8))) * f32(1 / 16777216)


@loops
def nw_similar(like, letters, similar):
    for i in prange(len(similar)):
        of_letter = like[letters[0, i]]
        for j in range(similar.shape[1]):
            similar[i, j] = of_letter[letters[1, j]]


@in_order
def nw_tile(similar, scores, top, left, height, width):
    """Rows in two passes: what comes from above, in vectors, then what comes from the left."""
    for i in range(top, top + height):
        above, like, row = scores[i, left : left + width + 1], similar[i, left : left + width], scores[i + 1, left + 1 : left + width + 1]
        for j in range(width):
            row[j] = max(i32(above[j] + like[j]), i32(above[j + 1] - i32(10)))
        best = scores[i + 1, left]
        for j in range(width):
            best = max(i32(best - i32(10)), row[j])
            row[j] = best


@loops
def nw_diagonal(similar, scores, number, first, last):
    for i in prange(first, last + 1):
        nw_tile(similar, scores, i * SIDE, (number - i) * SIDE, SIDE, SIDE)


@loops
def nw_sum(scores):
    sum = 0
    for i in prange(len(scores)):
        for j in range(len(scores)):
            sum += scores[i, j]
    return sum


@in_order
def nw_of(like, similar, scores):
    n = len(similar)
    letters = np.empty((2, n), np.int32)
    for k in range(n):
        letters[0, k], letters[1, k] = hashed(1, k) % u32(24), hashed(2, k) % u32(24)
    nw_similar(like, letters, similar)
    for k in range(n + 1):
        scores[k, 0] = scores[0, k] = -10 * k
    tiles = n // SIDE
    for number in range(2 * tiles - 1):
        nw_diagonal(similar, scores, number, max(0, number - tiles + 1), min(number, tiles - 1))
    return scores[n, n], nw_sum(scores)


@loops
def lud_fill(a):
    n = len(a)
    for i in prange(n):
        for j in range(n):
            a[i, j] = fraction(1, i * n + j)
        a[i, i] += f32(n)


@in_order
def lud_block(a, start, end):
    for k in range(start, end):
        for i in range(k + 1, end):
            a[i, k] /= a[k, k]
            for j in range(k + 1, end):
                a[i, j] -= a[i, k] * a[k, j]


@loops
def lud_row(a, start, end, pieces):
    size = len(a) - end
    for piece in prange(pieces):
        first, last = end + size * piece // pieces, end + size * (piece + 1) // pieces
        for i in range(start + 1, end):
            row = a[i, first:last]
            for k in range(start, i):
                factor, above = a[i, k], a[k, first:last]
                for j in range(len(row)):
                    row[j] -= factor * above[j]


@loops
def lud_rest(a, start, end):
    """Each row below: its factors, then the rest of it, which loses four products at a time."""
    for i in prange(end, len(a)):
        for k in range(start, end):
            factor = a[i, k] / a[k, k]
            a[i, k] = factor
            for j in range(k + 1, end):
                a[i, j] -= factor * a[k, j]
        row = a[i, end:]
        for k in range(start, end, 4):
            w, x, y, z = a[i, k], a[i, k + 1], a[i, k + 2], a[i, k + 3]
            of_w, of_x, of_y, of_z = a[k, end:], a[k + 1, end:], a[k + 2, end:], a[k + 3, end:]
            for j in range(len(row)):
                row[j] -= w * of_w[j] + x * of_x[j] + y * of_y[j] + z * of_z[j]


@loops
def total(a):
    """The sum of a matrix in f64."""
    sum = 0.0
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            sum += a[i, j]
    return sum


@in_order
def lud_of(a, width, pieces):
    lud_fill(a)
    for start in range(0, len(a), width):
        lud_block(a, start, start + width)
        lud_row(a, start, start + width, pieces)
        lud_rest(a, start, start + width)
    return total(a)


@loops
def hotspot_fill(field, power):
    n = len(field)
    for i in prange(n):
        for j in range(n):
            field[i, j] = f32(323) + f32(20) * fraction(1, i * n + j)
            power[i, j] = f32(0.0001) * fraction(2, i * n + j)


@loops
def hotspot_step(old, new, power, step, across, out):
    n = len(old)
    for i in prange(n):
        row, above, below, watts, next = old[i], old[max(i - 1, 0)], old[min(i + 1, n - 1)], power[i], new[i]
        for j in range(1, n - 1):
            sides = above[j] + below[j] + row[j - 1] + row[j + 1] - f32(4) * row[j]
            next[j] = row[j] + step * (watts[j] + sides * across + (f32(80) - row[j]) * out)
        for j, beside in ((0, 1), (n - 1, n - 2)):
            sides = above[j] + below[j] + row[beside] - f32(3) * row[j]
            next[j] = row[j] + step * (watts[j] + sides * across + (f32(80) - row[j]) * out)


@in_order
def hotspot_of(fields, power, steps, step, across, out):
    hotspot_fill(fields[0], power)
    for t in range(steps):
        hotspot_step(fields[t % 2], fields[1 - t % 2], power, step, across, out)
    return total(fields[steps % 2]) / power.size


WAYS, BACK, WEIGHTS, SPEEDS, CELLS = tables.WAYS, tables.BACK, tables.WEIGHTS, tables.WAYS.astype(np.float32), 1024


@in_order
def lbm_cells(old, new, ways, at, count, lid, width, moments):
    """Cells that follow each other in memory, as vectors. Each loop writes one array, as those have vectors."""
    rho, ux, uy, uz, less = moments[0, :count], moments[1, :count], moments[2, :count], moments[3, :count], moments[4, :count]
    moments[:4] = 0
    for q in range(19):
        came = old[q, at - ways[q] : at - ways[q] + count]
        for x in range(count):
            rho[x] += came[x]
        for k in range(3):
            way, flow = SPEEDS[q, k], moments[k + 1, :count]
            if way != f32(0):
                for x in range(count):
                    flow[x] += way * came[x]
    for k in range(1, 4):
        flow = moments[k, :count]
        for x in range(count):
            flow[x] /= rho[x]
    for x in range(count if lid else 0):
        # of the plane with a rim, cells that are neither in a wall nor next to one
        row, column = (at + x) // width % lid, (at + x) % width
        if 2 < row < lid - 3 and 2 < column < width - 3:
            ux[x], uy[x], uz[x] = f32(0.005), f32(0.002), f32(0)
    for x in range(count):
        less[x] = f32(1) - f32(1.5) * (ux[x] * ux[x] + uy[x] * uy[x] + uz[x] * uz[x])
    for q in range(19):
        out, came, weight = new[q, at : at + count], old[q, at - ways[q] : at - ways[q] + count], f32(1.95) * WEIGHTS[q]
        a, b, c = SPEEDS[q, 0], SPEEDS[q, 1], SPEEDS[q, 2]
        for x in range(count):
            e = a * ux[x] + b * uy[x] + c * uz[x]
            out[x] = f32(-0.95) * came[x] + weight * rho[x] * (less[x] + f32(3) * e + f32(4.5) * e * e)


@loops
def lbm_step(old, new, ways, nx, ny, nz):
    """Arrays with a rim that is as the cells at the edge: so what flows in a direction comes from places all as far away."""
    width, plane = nx + 2, (nx + 2) * (ny + 2)
    for z in prange(nz):
        first = (z + 1) * plane + width + 1
        last = first + (ny - 1) * width + nx - 1
        if 0 < z < nz - 1:
            moments, lid = np.empty((5, CELLS), np.float32), ny + 2 if z == 1 or z == nz - 2 else 0
            for at in range(first, last + 1, CELLS):
                lbm_cells(old, new, ways, at, min(CELLS, last + 1 - at), lid, width, moments)
        for q in range(19):
            out, back = new[q], old[BACK[q]]
            # walls throw back what comes to them
            for y in range(ny):
                row = first + y * width
                wall = z == 0 or z == nz - 1 or y == 0 or y == ny - 1
                for x in range(row, row + nx, 1 if wall else nx - 1):
                    out[x] = back[x + ways[q]]
                out[row - 1], out[row + nx] = out[row], out[row + nx - 1]
            for x in range(first - 1, first + nx + 1):
                out[x - width], out[x + ny * width] = out[x], out[x + (ny - 1) * width]
    for q in prange(19):
        out = new[q]
        out[:plane], out[(nz + 1) * plane :] = out[plane : 2 * plane], out[nz * plane : (nz + 1) * plane]


@loops
def lbm_start(grid):
    for z in prange(grid.shape[1]):
        for q in range(19):
            grid[q, z] = WEIGHTS[q]


@loops
def lbm_total(grid):
    sum = 0.0
    for z in prange(1, grid.shape[1] - 1):
        for q in range(19):
            for y in range(1, grid.shape[2] - 1):
                for x in range(1, grid.shape[3] - 1):
                    sum += grid[q, z, y, x]
    return sum


@in_order
def lbm_of(grids, ways, steps):
    nz, ny, nx = grids.shape[2] - 2, grids.shape[3] - 2, grids.shape[4] - 2
    lbm_start(grids[0])
    for t in range(steps):
        lbm_step(grids[t % 2].reshape(19, -1), grids[1 - t % 2].reshape(19, -1), ways, nx, ny, nz)
    return lbm_total(grids[steps % 2])


@loops
def nn_fill(distances):
    for k in prange(len(distances)):
        y, x = f32(56) * fraction(1, k) + f32(7 - 30), f32(358) * fraction(2, k) - f32(90)
        distances[k] = np.sqrt(y * y + x * x)


@loops
def least_of(distances, pieces):
    """Of each piece in as many lanes as some vectors have, since a loop with one least number has no vectors."""
    rows, lanes = len(distances) // LANES, np.full((pieces, LANES), f32(3e38), np.float32)
    for piece in prange(pieces):
        least = lanes[piece]
        for row in range(rows * piece // pieces, rows * (piece + 1) // pieces):
            for lane in range(LANES):
                distance = distances[row * LANES + lane]
                least[lane] = distance if distance < least[lane] else least[lane]
    return lanes.min()


@in_order
def nn_of(distances, count, rounds, pieces):
    """In each round the least distance, in vectors, then where it is first."""
    nn_fill(distances[:count])
    distances[count:] = f32(3e38)
    found, far = 0, f32(0)
    for _ in range(rounds):
        least, at = least_of(distances, pieces), 0
        while distances[at] != least:
            at += 1
        distances[at] = f32(3e38)
        found, far = found + at, f32(far + least)
    return found, far


def nw(n, _):
    similar, scores = np.empty((n, n), np.int32), np.empty((n + 1, n + 1), np.int32)
    return lambda: nw_of(tables.likeness(np), similar, scores)


def lud(n, width):
    a = np.empty((n, n), np.float32)
    return lambda: lud_of(a, width, threads)


def hotspot(n, steps):
    fields, power = np.empty((2, n, n), np.float32), np.empty((n, n), np.float32)
    return lambda: hotspot_of(fields, power, steps, *map(f32, tables.chip(n)))


def lbm(steps, nx, ny, nz):
    grids, ways = np.empty((2, 19, nz + 2, ny + 2, nx + 2), np.float32), tables.WAYS @ np.array([1, nx + 2, (nx + 2) * (ny + 2)])
    return lambda: lbm_of(grids, ways, steps)


def nn(n, k):
    distances = np.empty((n + LANES - 1) // LANES * LANES, np.float32)
    return lambda: nn_of(distances, n, k, threads)


serve({function.__name__: lambda *sizes, make=function: make(*map(int, sizes)) for function in (nw, lud, hotspot, lbm, option_pricing, locvolcalib, nn)})
