"""The memory programs in NumPy: whole arrays, or pieces that fit into a cache. What is made of hashes is made in each run, as FUN does. The linear
parts of lbm's and option_pricing's steps are products of matrices; a call of the library picks the nearest of nn."""

import memory_tables as tables
from common import np, serve

f32 = np.float32


def fill(out, piece=16384):
    """Gives what fills an array with fractions of a seed, times a factor and more."""
    flat, room = out.reshape(-1), np.empty(piece, f32)

    def filled(seed, factor, more):
        for start in range(0, len(flat), piece):
            end = min(start + piece, len(flat))
            some = np.multiply(tables.fractions(seed, np.arange(start, end, dtype=np.uint32)), f32(factor), out=room[: end - start])
            np.add(some, f32(more), out=flat[start:end])

    return filled


def nw(n, _):
    """Row by row. With ten for each row and column added, gaps cost nothing, so that what comes from the left is a maximum of a prefix."""
    scores, rows, costs = np.empty((n + 1, n + 1), np.int32), np.zeros((2, n + 1), np.int32), 10 * np.arange(2 * n + 1, dtype=np.int32)
    letters, room = np.arange(n, dtype=np.uint32), np.empty(n, np.int32)

    def run():
        first, second = (tables.hashes(seed, letters) % 24 for seed in (1, 2))
        similar = tables.likeness(np)[:, second] + np.int32(20)
        rows[:] = 0
        np.negative(costs[: n + 1], out=scores[0])
        for i, letter in enumerate(first.tolist()):
            above, row = rows[i % 2], rows[1 - i % 2]
            np.add(above[:-1], similar[letter], out=room)
            np.maximum(room, above[1:], out=row[1:])
            np.maximum.accumulate(row, out=row)
            np.subtract(row, costs[i + 1 : i + n + 2], out=scores[i + 1])
        return scores[n, n], scores.sum(dtype=np.int64)

    return run


def lud(n, width):
    """Blocks beside the diagonal are products with inverses of the small triangles on it, which is quicker than solving."""
    a, unit, room = np.empty((n, n), f32), np.eye(width, dtype=f32), np.empty(n * n, f32)
    filled = fill(a)

    def run():
        filled(1, 1, 0)
        a.reshape(-1)[:: n + 1] += n
        for start in range(0, n, width):
            end = start + width
            block = a[start:end, start:end]
            for k in range(width - 1):
                block[k + 1 :, k] /= block[k, k]
                block[k + 1 :, k + 1 :] -= np.outer(block[k + 1 :, k], block[k, k + 1 :])
            if end < n:
                a[start:end, end:] = np.linalg.inv(np.tril(block, -1) + unit) @ a[start:end, end:]
                a[end:, start:end] = a[end:, start:end] @ np.linalg.inv(np.triu(block))
                product = room[: (n - end) ** 2].reshape(n - end, n - end)
                np.matmul(a[end:, start:end], a[start:end, end:], out=product)
                np.subtract(a[end:, end:], product, out=a[end:, end:])
        return a.sum(dtype=np.float64)

    return run


def hotspot(n, steps, piece=16384):
    """In an array with a rim that is as warm as the cells at the edge, some cells at a time as they lie in memory, those of the rim among them."""
    wide, room = n + 2, np.empty(piece, f32)
    fields, power, data = np.zeros((2, wide, wide), f32), np.zeros((wide, wide), f32), np.empty((n, n), f32)
    flat, filled = fields.reshape(2, -1), fill(data)

    def run():
        step, across, out = tables.chip(n)
        filled(2, 0.0001 * step, 80 * step * out)
        power[1:-1, 1:-1] = data
        filled(1, 20, 323)
        fields[0, 1:-1, 1:-1] = data
        for t in range(steps):
            field, old, new = fields[t % 2], flat[t % 2], flat[1 - t % 2]
            field[0], field[-1] = field[1], field[-2]
            field[:, 0], field[:, -1] = field[:, 1], field[:, -2]
            for start in range(wide, wide * (n + 1), piece):
                end = min(start + piece, wide * (n + 1))
                change, next = room[: end - start], new[start:end]
                np.add(old[start - wide : end - wide], old[start + wide : end + wide], out=change)
                np.add(change, old[start - 1 : end - 1], out=change)
                np.add(change, old[start + 1 : end + 1], out=change)
                np.multiply(change, f32(step * across), out=change)
                np.add(change, power.reshape(-1)[start:end], out=change)
                np.multiply(old[start:end], f32(1 - step * (4 * across + out)), out=next)
                np.add(next, change, out=next)
        return fields[steps % 2, 1:-1, 1:-1].sum(dtype=np.float64) / (n * n)

    return run


def lbm(steps, nx, ny, nz):
    """A plane at a time, in arrays with a rim that is as the cells at the edge."""
    grids, into = np.empty((2, nz + 2, 19, ny + 2, nx + 2), f32), np.empty((19, ny, nx), f32)
    flat, out, old_part = into.reshape(19, -1), np.empty_like(into), np.empty_like(into)
    moments, terms = np.empty((4, ny * nx), f32), np.empty((10, ny * nx), f32)
    ways = tables.WAYS.astype(f32)
    of_moments = np.vstack([np.ones(19, f32), ways.T])
    # what is at rest is linear in the density, the flow and the density times products of two speeds
    pairs = [(a, b) for a in range(3) for b in range(a, 3)]
    products = [4.5 * (1 + (a != b)) * ways[:, a] * ways[:, b] - 1.5 * (a == b) for a, b in pairs]
    of_rest = (1.95 * tables.WEIGHTS * np.vstack([np.ones(19), *(3 * ways.T), *products])).T.astype(f32)
    lid = (slice(2, ny - 2), slice(2, nx - 2))

    def collide(old, new, z):
        for q, (x, y, up) in enumerate(tables.WAYS.tolist()):
            into[q] = old[z + 1 - up, q, 1 - y : ny + 1 - y, 1 - x : nx + 1 - x]
        plane = new[z + 1, :, 1:-1, 1:-1]
        if z in (0, nz - 1):
            np.take(into, tables.BACK, axis=0, out=out)
            plane[:] = out
            return
        np.matmul(of_moments, flat, out=moments)
        rho, speeds = moments[0], moments[1:]
        np.divide(speeds, rho, out=speeds)
        if z in (1, nz - 2):
            for speed, moved in zip(speeds, (0.005, 0.002, 0)):
                speed.reshape(ny, nx)[lid] = moved
        terms[0] = rho
        flows = np.multiply(speeds, rho, out=terms[1:4])
        for term, (a, b) in zip(terms[4:], pairs):
            np.multiply(flows[a], speeds[b], out=term)
        np.matmul(of_rest, terms, out=out.reshape(19, -1))
        np.multiply(into, f32(0.95), out=old_part)
        np.subtract(out, old_part, out=plane)
        # walls throw back what comes to them
        for wall in ((slice(None), 0), (slice(None), -1), (slice(None), slice(None), 0), (slice(None), slice(None), -1)):
            plane[wall] = into[wall][tables.BACK]

    def run():
        grids[0] = tables.WEIGHTS[:, None, None]
        for t in range(steps):
            old, new = grids[t % 2], grids[1 - t % 2]
            for z in range(nz):
                collide(old, new, z)
            new[1:-1, :, :, 0], new[1:-1, :, :, -1] = new[1:-1, :, :, 1], new[1:-1, :, :, -2]
            new[1:-1, :, 0], new[1:-1, :, -1] = new[1:-1, :, 1], new[1:-1, :, -2]
            new[0], new[-1] = new[1], new[-2]
        return grids[steps % 2, 1:-1, :, 1:-1, 1:-1].sum(dtype=np.float64)

    return run


def polynomial(factors, x):
    sum = factors[0] * x
    for factor in factors[1:-1]:
        sum += factor
        sum *= x
    sum += factors[-1]
    return sum


def quantiles(p):
    """The tails by themselves, as there are few."""
    tails = (p < tables.LOW) | (p > 1 - tables.LOW)
    end = p[tails]
    q = p - 0.5
    r = q * q
    q *= polynomial(tables.MIDDLE, r)
    q /= polynomial(tables.UNDER_MIDDLE, r)
    far = np.sqrt(-2 * np.log(np.minimum(end, 1 - end)))
    q[tails] = np.copysign(polynomial(tables.TAIL, far) / polynomial(tables.UNDER_TAIL, far), end - 0.5)
    return q


def option_pricing(n, dates, piece=1024):
    def run():
        of_bits = tables.directions(3 * dates)
        table = tables.sobol_table(of_bits, piece)
        matrix, added = tables.log_prices(dates)
        sum = 0
        for start in range(0, n + 1, piece):
            gray = start ^ start >> 1
            first = np.bitwise_xor.reduce(of_bits[:, [k for k in range(tables.BITS) if gray >> k & 1]], axis=1)
            # the first number of all is left out
            numbers = table[:, int(start == 0) : n + 1 - start] ^ first[:, None]
            z = quantiles((numbers + 0.5) * 2.0**-tables.BITS)
            prices = matrix @ z
            prices += added[:, None]
            np.exp(prices, out=prices)
            mean = prices.reshape(dates, 3, -1).min(axis=1).sum(axis=0) / dates
            sum += np.maximum(mean - 90, 0).sum()
        return np.exp(-0.02 * dates) * sum / n

    return run


def locvolcalib(outer, steps, m, n, t=5.0, nu=0.6, beta=0.5):
    """All strikes together, with factors of systems once for all: arrays of x, strikes and y, turned for the systems in y."""
    values, u, v, room = (np.empty((m, outer, n)) for _ in range(4))
    turned, wide = np.empty((n, outer, m)), np.empty((outer, m))
    long = np.empty((outer, n))

    def run():
        xs, ys, at = tables.grid(m, n)
        dx, dy = tables.second(xs)[:, :, None], tables.second(ys)
        values[:] = np.maximum(xs[:, None] - 0.001 * np.arange(outer), 0)[:, :, None]
        v[:, :, [0, -1]] = 0
        with np.errstate(divide="ignore", invalid="ignore"):
            of_x = np.exp(2 * beta * np.log(xs))
        variances = np.where(xs > 0, of_x, 0)[:, None] * np.exp(2 * ys)
        in_y = 0.25 * nu * nu * dy
        for g in range(steps - 2, -1, -1):
            time = t * g / (steps - 1)
            inverse = 1 / (t * (g + 1) / (steps - 1) - time)
            # a quarter of the variance times the weights of x[i - 1], x[i] and x[i + 1]
            low, here, high = 0.25 * np.exp(-nu * nu * time) * variances * dx
            np.multiply(values[:, :, :-2], 2 * in_y[0, 1:-1], out=v[:, :, 1:-1])
            for k, some in ((1, slice(1, -1)), (2, slice(2, None))):
                np.multiply(values[:, :, some], 2 * in_y[k, 1:-1], out=room[:, :, 1:-1])
                v[:, :, 1:-1] += room[:, :, 1:-1]
            np.multiply(values, (inverse + here)[:, None], out=u)
            np.multiply(values[:-1], low[1:, None], out=room[1:])
            u[1:] += room[1:]
            np.multiply(values[1:], high[:-1, None], out=room[:-1])
            u[:-1] += room[:-1]
            np.add(u, v, out=u)
            on = inverse - here
            for i in range(1, m):
                by = -low[i] / on[i - 1]
                on[i] += by * high[i - 1]
                u[i] -= np.multiply(u[i - 1], by, out=long)
            u[m - 1] /= on[m - 1]
            for i in range(m - 2, -1, -1):
                u[i] += np.multiply(u[i + 1], high[i], out=long)
                u[i] /= on[i]
            np.multiply(u, inverse, out=u)
            np.multiply(v, 0.5, out=v)
            np.subtract(u, v, out=u)
            turned[:] = u.T
            low, on, high = -in_y[0], inverse - in_y[1], -in_y[2]
            for j in range(1, n):
                by = low[j] / on[j - 1]
                on[j] -= by * high[j - 1]
                turned[j] -= np.multiply(turned[j - 1], by, out=wide)
            turned[n - 1] /= on[n - 1]
            for j in range(n - 2, -1, -1):
                turned[j] -= np.multiply(turned[j + 1], high[j], out=wide)
                turned[j] *= 1 / on[j]
            values[:] = turned.T
        return values[at, :, n // 2].sum()

    return run


def nn(n, k, piece=16384):
    """Of points as near as the last of the nearest, any."""
    distances = np.empty(n, f32)

    def run():
        for start in range(0, n, piece):
            some = np.arange(start, min(start + piece, n), dtype=np.uint32)
            y, x = f32(56) * tables.fractions(1, some) + f32(7 - 30), f32(358) * tables.fractions(2, some) - f32(90)
            np.sqrt(y * y + x * x, out=distances[start : start + piece])
        found = np.argpartition(distances, k)[:k]
        found = found[np.lexsort((found, distances[found]))]
        return found.sum(), distances[found].sum()

    return run


serve({function.__name__: lambda *sizes, make=function: make(*map(int, sizes)) for function in (nw, lud, hotspot, lbm, option_pricing, locvolcalib, nn)})
