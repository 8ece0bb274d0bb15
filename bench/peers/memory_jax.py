"""The memory programs in JAX, compiled by XLA. What is made of hashes is made in each run, as in FUN, from a number that is no constant, so that the
compiler can't do it; what is made of sizes alone, as grids, bridges and direction numbers, are constants. The factors of lud and the nearest of nn
are calls of the library, tridiagonal systems are scans."""

import memory_tables as tables
from common import np, serve
from with_jax import jax, jnp

jax.config.update("jax_enable_x64", True)
f32, u32, i32 = np.float32, np.uint32, np.int32
fori_loop, scan = jax.lax.fori_loop, jax.lax.scan


def nw(zero, n, _):
    """Anti-diagonals, each from the last two."""
    letters, rows = zero + jnp.arange(n, dtype=u32), jnp.arange(n + 1, dtype=i32)
    first, second = (tables.hashes(seed, letters) % u32(24) for seed in (1, 2))
    like, first = tables.likeness(jnp).ravel(), first * u32(24)
    # beside the letters of the first word, those of the second in reverse
    others = jnp.concatenate([jnp.zeros(n, u32), second[::-1], jnp.zeros(n, u32)])

    def diagonal(state, d):
        one, two = state
        similar = like[first + jax.lax.dynamic_slice(others, (2 * n + 1 - d,), (n,))]
        best = jnp.maximum(two[:-1] + similar, jnp.maximum(one[:-1], one[1:]) - 10)
        next = jnp.concatenate([-10 * d[None], jnp.where(rows[1:] < d, best, -10 * d)])
        return (next, one), next

    start = jnp.zeros(n + 1, i32)
    scores = scan(diagonal, (start, start), jnp.arange(1, 2 * n + 1, dtype=i32))[1]
    numbers = jnp.arange(1, 2 * n + 1, dtype=i32)[:, None]
    return scores[-1, n], jnp.sum(jnp.where((rows <= numbers) & (numbers - rows <= n), scores, 0), dtype=jnp.int64)


def lud(zero, n, _):
    """Its pivots are those on the diagonal, which are the largest."""
    matrix = tables.fractions(1, zero + jnp.arange(n * n, dtype=u32)).reshape(n, n) + f32(n) * jnp.eye(n, dtype=f32)
    return jnp.sum(jax.lax.linalg.lu(matrix)[0], dtype=jnp.float64)


def hotspot(zero, n, steps):
    step, across, out = map(f32, tables.chip(n))
    cells, (i, j) = zero + jnp.arange(n * n, dtype=u32).reshape(n, n), jnp.ogrid[:n, :n]
    power = f32(0.0001) * tables.fractions(2, cells)

    def next(_, here):
        wide = jnp.pad(here, 1)
        sides = jnp.where(i > 0, wide[:-2, 1:-1], here) + jnp.where(i < n - 1, wide[2:, 1:-1], here) - 4 * here
        sides += jnp.where(j > 0, wide[1:-1, :-2], here) + jnp.where(j < n - 1, wide[1:-1, 2:], here)
        return here + step * (power + sides * across + (80 - here) * out)

    return jnp.sum(fori_loop(0, steps, next, 323 + 20 * tables.fractions(1, cells)), dtype=jnp.float64) / (n * n)


def moved(x, ways):
    """Each cell of the neighbour in a direction, beyond the edge of itself."""
    for axis, way in enumerate(ways):
        edge, inside = (slice(1), slice(-1)) if way > 0 else (slice(-1, None), slice(1, None))
        before = (slice(None),) * axis
        parts = [x[(*before, edge)], x[(*before, inside)]]
        x = jnp.concatenate(parts[::way], axis=axis) if way else x
    return x


def lbm(zero, steps, nx, ny, nz):
    """An array for each direction, which collide plane by plane, so that what is between stays in a cache."""
    z, y, x = jnp.ogrid[:nz, :ny, :nx]
    walls = (z == 0) | (z == nz - 1) | (y == 0) | (y == ny - 1) | (x == 0) | (x == nx - 1)
    lids = ((z == 1) | (z == nz - 2)) & (y > 1) & (y < ny - 2) & (x > 1) & (x < nx - 2)

    def collide(data):
        wall, lid, *f = data
        flows = [sum(f[q] * int(way) for q, way in enumerate(ways) if way) for ways in tables.WAYS.T]
        rho = sum(f)
        u = [jnp.where(lid, f32(speed), flow / rho) for flow, speed in zip(flows, (0.005, 0.002, 0))]
        less = 1 - f32(1.5) * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
        # not computed again for each direction
        rho, less, *u = jax.lax.optimization_barrier((rho, less, *u))

        def out(q):
            e = sum((u[k] * int(way) for k, way in enumerate(tables.WAYS[q]) if way), jnp.zeros_like(rho))
            rest = f32(1.95) * tables.WEIGHTS[q] * rho * (less + 3 * e + f32(4.5) * e * e)
            return jnp.where(wall, f[tables.BACK[q]], f32(-0.95) * f[q] + rest)

        return [out(q) for q in range(19)]

    def step(_, grids):
        into = [moved(grid, way[::-1]) for grid, way in zip(grids, tables.WAYS.tolist())]
        return [grid.reshape(nz, ny, nx) for grid in jax.lax.map(collide, [x.reshape(nz, -1) for x in (walls, lids, *into)])]

    still = [jnp.broadcast_to(weight + zero.astype(f32), (nz, ny, nx)) for weight in tables.WEIGHTS]
    return sum(jnp.sum(grid, dtype=jnp.float64) for grid in fori_loop(0, steps, step, still))


def polynomial(factors, x):
    sum = factors[0]
    for factor in factors[1:]:
        sum = sum * x + factor
    return sum


def quantiles(p):
    """The middle and the tails of all."""
    q, near = p - 0.5, jnp.minimum(p, 1 - p)
    r, far = q * q, jnp.sqrt(-2 * jnp.log(near))
    tails = jnp.copysign(polynomial(tables.TAIL, far) / polynomial(tables.UNDER_TAIL, far), q)
    return jnp.where(near < tables.LOW, tails, q * polynomial(tables.MIDDLE, r) / polynomial(tables.UNDER_MIDDLE, r))


def option_pricing(zero, n, dates, piece=1024):
    of_bits = tables.directions(3 * dates)
    table, (matrix, added) = tables.sobol_table(of_bits, piece), tables.log_prices(dates)
    bits = np.arange(tables.BITS, dtype=u32)

    def paths(start):
        """The numbers from here on; the first of all is left out, and what is beyond the last."""
        gray = start ^ start >> 1
        first = jax.lax.reduce(jnp.where(gray >> bits & 1 == 1, of_bits, u32(0)), u32(0), jax.lax.bitwise_xor, (1,))
        z = quantiles(((table ^ first[:, None]).astype(jnp.float64) + 0.5) * 2.0**-tables.BITS)
        prices = jnp.exp(matrix @ z + added[:, None])
        mean = jnp.sum(jnp.min(prices.reshape(dates, 3, piece), axis=1), axis=0) / dates
        number = start + jnp.arange(piece, dtype=u32)
        return jnp.sum(jnp.where((number > 0) & (number <= n), jnp.maximum(mean - 90, 0), 0))

    starts = zero + jnp.arange(0, n + 1, piece, dtype=u32)
    return np.exp(-0.02 * dates) * jnp.sum(jax.lax.map(paths, starts)) / n


def solved(low, on, high, right):
    """Tridiagonal systems along the first axis, all others side by side."""

    def forwards(before, at):
        on_before, high_before, right_before = before
        low, on, high, right = at
        by = low / on_before
        now = on - by * high_before, high, right - by * right_before
        return now, now

    def backwards(after, at):
        on, high, right = at
        result = (right - high * after) / on
        return result, result

    start = jnp.ones_like(on[0]), jnp.zeros_like(high[0]), jnp.zeros_like(right[0])
    return scan(backwards, start[2], scan(forwards, start, (low, on, high, right))[1], reverse=True)[1]


def locvolcalib(zero, outer, steps, m, n, t=5.0, nu=0.6, beta=0.5):
    """All strikes together: arrays of x, strikes and y, turned for the systems in y."""
    xs, ys, at = tables.grid(m, n)
    dx, in_y = tables.second(xs)[:, :, None], 0.25 * nu * nu * tables.second(ys)
    variances = (np.where(xs > 0, xs, 0) ** (2 * beta))[:, None] * np.exp(2 * ys)

    def step(k, values):
        g = steps - 2 - k
        time = t * g / (steps - 1)
        inverse = 1 / (t * (g + 1) / (steps - 1) - time)
        low, on, high = 0.25 * jnp.exp(-nu * nu * time) * variances * dx
        in_x = jnp.pad(values, ((1, 1), (0, 0), (0, 0)))
        wide = jnp.pad(values, ((0, 0), (0, 0), (1, 1)))
        v = 2 * (in_y[0] * wide[:, :, :-2] + in_y[1] * values + in_y[2] * wide[:, :, 2:])
        u = inverse * values + low[:, None] * in_x[:-2] + on[:, None] * values + high[:, None] * in_x[2:] + v
        u = solved(-low, inverse - on, -high, u)
        turned = (inverse * u - 0.5 * v).T
        return solved(-in_y[0], inverse - in_y[1], -in_y[2], turned).T

    strikes = zero + 0.001 * np.arange(outer)
    values = jnp.broadcast_to(jnp.maximum(xs[:, None] - strikes, 0)[:, :, None], (m, outer, n))
    return jnp.sum(fori_loop(0, steps - 1, step, values)[at, :, n // 2])


def nn(zero, n, k):
    points = zero + jnp.arange(n, dtype=u32)
    y, x = 56 * tables.fractions(1, points) + f32(7 - 30), 358 * tables.fractions(2, points) - 90
    far, found = jax.lax.top_k(-jnp.sqrt(y * y + x * x), k)
    return jnp.sum(found, dtype=jnp.int64), -jnp.sum(far)


def prepare(function):
    """Compiles a function of the sizes; a run waits for the results."""

    def prepared(*sizes):
        compiled, zero = jax.jit(lambda zero: function(zero, *map(int, sizes))), jax.device_put(u32(0))
        return lambda: jax.block_until_ready(compiled(zero))

    return prepared


serve({function.__name__: prepare(function) for function in (nw, lud, hotspot, lbm, option_pricing, locvolcalib, nn)})
