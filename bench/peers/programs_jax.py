"""The twenty programs in JAX, compiled by XLA; results are fresh arrays. Sorting, the transform of Fourier and searching are calls of the library."""

from common import np, serve
from with_jax import jax, jnp

f32, u32, i32 = np.float32, np.uint32, np.int32
fori_loop, while_loop = jax.lax.fori_loop, jax.lax.while_loop


def prepare(function):
    """Compiles a function of the data, in which numbers are known, as sizes are; a run waits for the results."""

    def prepared(*data):
        numbers = [place for place, x in enumerate(data) if np.ndim(x) == 0]
        data = [int(x) if np.ndim(x) == 0 else jax.device_put(x) for x in data]
        compiled = jax.jit(function, static_argnums=numbers)
        return lambda: jax.block_until_ready(compiled(*data))

    return prepared


def batch(a, b):
    return sum(a[:, :, k, None] * b[:, k, None, :] for k in range(4))


def binomial(prices, strikes, steps=256, piece=16):
    """Some trees at a time, which stay in a cache. Nodes beyond the end of a step are computed, too."""
    time = f32(1 / steps)
    up, less = np.exp(f32(0.3) * np.sqrt(time)), np.exp(f32(-0.02) * time)
    p = (np.exp(f32(0.02) * time) - 1 / up) / (up - 1 / up)
    # of even and of odd powers: a step needs neighbours of one kind
    powers = jnp.asarray(up ** np.arange(-steps, 3 * steps + 2, dtype=f32)).reshape(-1, 2).T

    def some(options):
        price, strike = (option[:, None] * 20 + 40 for option in options)

        def step(back, values):
            first = back + 1
            of_step = jax.lax.dynamic_slice(powers, (first % 2, first // 2), (1, steps + 1))
            later = jnp.concatenate([values[:, 1:], values[:, -1:]], axis=1)
            return jnp.maximum(jnp.maximum(0, strike - price * of_step), less * (p * later + (1 - p) * values))

        return fori_loop(0, steps, step, jnp.maximum(0, strike - price * powers[0, : steps + 1]))[:, 0]

    return jax.lax.map(some, (prices.reshape(-1, piece), strikes.reshape(-1, piece))).ravel()


def black_scholes(prices, strikes, years):
    def distribution(d):
        k = 1 / (1 + f32(0.2316419) * jnp.abs(d))
        tail = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        w = 1 - 0.39894228 * jnp.exp(-0.5 * d * d) * tail
        return jnp.where(d < 0, 1 - w, w)

    price, strike, time = prices * 100 + 1, strikes * 100 + 1, years + 0.1
    spread = 0.3 * jnp.sqrt(time)
    d = (jnp.log(price / strike) + 0.065 * time) / spread
    return price * distribution(d) - strike * jnp.exp(-0.02 * time) * distribution(d - spread)


def convolution(image, filter):
    height, width = image.shape
    padded = jnp.pad(image, 2)
    return sum(padded[a : a + height, b : b + width] * filter[a, b] for a in range(5) for b in range(5))


def fourier(re, im):
    wave = jnp.fft.fft(jax.lax.complex(re, im))
    return wave.real, wave.imag


def heat(block):
    def step(_, x):
        sum = x[:-2, 1:-1, 1:-1] + x[2:, 1:-1, 1:-1] + x[1:-1, :-2, 1:-1] + x[1:-1, 2:, 1:-1] + x[1:-1, 1:-1, :-2] + x[1:-1, 1:-1, 2:]
        fresh = jnp.pad(f32(0.15) * sum + f32(0.1) * x[1:-1, 1:-1, 1:-1], 1)
        return jnp.where(inner, fresh, x)

    inner = jnp.pad(jnp.ones([size - 2 for size in block.shape], bool), 1)
    return fori_loop(0, 10, step, block)


def kmeans(first, points):
    """Distances, but for the square of the point, and sums as products of matrices."""

    def round(_, centres):
        distances = jnp.sum(centres * centres, axis=1) - 2 * points @ centres.T
        mine = jax.nn.one_hot(jnp.argmin(distances, axis=1), len(centres), dtype=points.dtype)
        return mine.T @ points / jnp.maximum(jnp.sum(mine, axis=0), 1)[:, None]

    return fori_loop(0, 5, round, first)


def knapsack(weights, values, room=8192):
    places = jnp.arange(room, dtype=i32)

    def put(best, thing):
        weight, value = thing
        filled = jnp.where(places < weight, 0, jnp.roll(best, weight) + value)
        return jnp.maximum(best, filled), None

    return jax.lax.scan(put, jnp.zeros(room, i32), (weights, values))[0][-1]


def life(cells):
    def step(_, x):
        rows = jnp.roll(x, 1, axis=0) + x + jnp.roll(x, -1, axis=0)
        sums = jnp.roll(rows, 1, axis=1) + rows + jnp.roll(rows, -1, axis=1)
        # three with the cell itself, or four where that lives
        return ((sums == 3) | ((sums == 4) & (x == 1))).astype(x.dtype)

    return fori_loop(0, 50, step, cells)


def mandelbrot(columns, rows, most=200, steps=8):
    """Row by row and some steps at a time, until all points of the row have left; those that have only get farther."""

    def row(at):
        re, im = columns * 3 - 2, at * 2 - 1

        def step(state):
            k, x, y, counts, _ = state
            for _ in range(steps):
                inside = x * x + y * y < 4
                x, y, counts = x * x - y * y + re, 2 * x * y + im, counts + inside
            return k + steps, x, y, counts, jnp.any(inside)

        zeros = jnp.zeros_like(re)
        return while_loop(lambda state: (state[0] < most) & state[4], step, (0, zeros, zeros, zeros.astype(i32), True))[3]

    return jax.lax.map(row, rows)


def monte_carlo(walks, first):
    """The first counter is no constant, so that the result can't be computed by the compiler."""
    counters = first[0] + 64 * jnp.arange(walks, dtype=u32)

    def step(k, state):
        at, high = state
        x = counters + k.astype(u32)
        x = (x ^ (x >> 16)) * u32(0x7FEB352D)
        x = (x ^ (x >> 15)) * u32(0x846CA68B)
        at = at + ((x ^ (x >> 16)) >> 8).astype(i32).astype(f32) * f32(1 / 8388608) - 1
        return at, jnp.maximum(high, at)

    zeros = jnp.zeros(walks, f32)
    return jnp.sum(fori_loop(0, 64, step, (zeros, zeros))[1]) / walks


def nbody(xs, ys, zs, masses):
    def pulls(at):
        dx, dy, dz = xs - at[0], ys - at[1], zs - at[2]
        r = dx * dx + dy * dy + dz * dz + f32(0.5)
        s = masses / jnp.sqrt(r * r * r)
        return jnp.sum(dx * s), jnp.sum(dy * s), jnp.sum(dz * s)

    return jax.lax.map(pulls, (xs, ys, zs), batch_size=16)


def paths(distances):
    return fori_loop(0, len(distances), lambda k, d: jnp.minimum(d, d[:, k][:, None] + d[k]), distances)


def segments(xs):
    """Sums without regard to segments, less what was the sum before the segment."""
    sums, begins = jnp.cumsum(xs, dtype=xs.dtype), (xs & 63) == 0
    start = jax.lax.cummax(jnp.where(begins, jnp.arange(len(xs), dtype=i32), 0))
    return jnp.where(begins[start], sums - (sums - xs)[start], sums)


def sieve(n, one, piece=4096):
    """Strikes out some multiples of a prime at a time, since how many there are is not known. What is at first comes as data, so that the compiler
    can't count."""

    def strike(k, prime):
        def some(state):
            multiple, prime = state
            return multiple + piece * k, prime.at[multiple + k * jnp.arange(piece, dtype=i32)].set(False, mode="drop")

        return while_loop(lambda state: (state[0] < n) & state[1][k], some, (k * k, prime))[1].at[k].set(prime[k])

    prime = fori_loop(2, int((n - 1) ** 0.5) + 1, strike, jnp.broadcast_to(one, (n,)))
    return jnp.sum(prime[2:].astype(i32))


def sparse(values, columns, x):
    return jnp.sum(values * x[columns & 131071], axis=1)


def subsequence(a, b):
    """Anti-diagonals of the table, of which the last two are kept; beside the letters of the first word those of the second in reverse."""
    n, m = len(a), len(b)
    # letters that none has, beyond both ends
    others = jnp.concatenate([jnp.full(n, 9, b.dtype), b[::-1] & 3, jnp.full(n, 9, b.dtype)])
    a, rows = a & 3, jnp.arange(1, n + 1, dtype=i32)

    def diagonal(d, state):
        one, two = state
        same = a == jax.lax.dynamic_slice(others, (n + m - 1 - d,), (n,))
        inside = (rows <= d) & (rows > d - m)
        next = jnp.where(same, two[:-1] + 1, jnp.maximum(one[:-1], one[1:]))
        return jnp.concatenate([jnp.zeros(1, i32), jnp.where(inside, next, 0)]), one

    zeros = jnp.zeros(n + 1, i32)
    return fori_loop(0, n + m, diagonal, (zeros, zeros))[0][n]


functions = [batch, binomial, black_scholes, convolution, fourier, heat, kmeans, knapsack, life, mandelbrot, nbody, paths, segments, sparse, subsequence]
library = {"bitonic": jnp.sort, "radix_sort": jnp.sort, "search": jnp.searchsorted}
serve(
    {name: prepare(function) for name, function in ({function.__name__: function for function in functions} | library).items()}
    | {
        "monte_carlo": lambda walks: prepare(monte_carlo)(walks, np.zeros(1, u32)),
        "sieve": lambda n: prepare(sieve)(n, np.ones(1, bool)),
    }
)
