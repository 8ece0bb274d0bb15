"""The twenty programs in Numba: loops as in C. Those whose loops are too short to be shared run on one thread."""

from common import np, serve, threads
from with_numba import in_order, into, loops, prange

f32, u32, i32 = np.float32, np.uint32, np.int32


@loops
def batch(a, b, out):
    for n in prange(len(a)):
        for i in range(4):
            for j in range(4):
                out[n, i, j] = a[n, i, 0] * b[n, 0, j] + a[n, i, 1] * b[n, 1, j] + a[n, i, 2] * b[n, 2, j] + a[n, i, 3] * b[n, 3, j]


STEPS = 256


@loops
def binomial(prices, strikes, out):
    time = f32(1 / STEPS)
    up, less = np.exp(f32(0.3) * np.sqrt(time)), np.exp(f32(-0.02) * time)
    p = (np.exp(f32(0.02) * time) - f32(1) / up) / (up - f32(1) / up)
    powers = np.empty(2 * STEPS + 1, np.float32)
    for k in range(2 * STEPS + 1):
        powers[k] = up ** f32(k - STEPS)
    for tree in prange(len(prices)):
        price, strike = prices[tree] * f32(20) + f32(40), strikes[tree] * f32(20) + f32(40)
        # what exercising is worth, of even and of odd powers: a step needs neighbours of one kind
        worth, values = np.empty((2, STEPS + 1), np.float32), np.empty(STEPS + 1, np.float32)
        for k in range(2 * STEPS + 1):
            worth[k & 1, k >> 1] = max(f32(0), strike - price * powers[k])
        values[:] = worth[0]
        for step in range(STEPS - 1, -1, -1):
            first = STEPS - step
            of_step = worth[first & 1, first >> 1 :]
            for j in range(step + 1):
                values[j] = max(of_step[j], less * (p * values[j + 1] + (f32(1) - p) * values[j]))
        out[tree] = values[0]


@loops
def bitonic_round(xs, size, apart):
    for pair in prange(len(xs) // 2):
        i = 2 * (pair & -apart) + (pair & (apart - 1))
        low, high = min(xs[i], xs[i + apart]), max(xs[i], xs[i + apart])
        rising = (i & size) == 0
        xs[i] = low if rising else high
        xs[i + apart] = high if rising else low


@in_order
def bitonic(data, xs):
    xs[:] = data
    size = 2
    while size <= len(xs):
        apart = size // 2
        while apart > 0:
            bitonic_round(xs, size, apart)
            apart //= 2
        size *= 2


@in_order
def distribution(d):
    k = f32(1) / (f32(1) + f32(0.2316419) * abs(d))
    tail = k * (f32(1.781477937) + k * (f32(-1.821255978) + k * f32(1.330274429)))
    tail = k * (f32(0.31938153) + k * (f32(-0.356563782) + tail))
    w = f32(1) - f32(0.39894228) * np.exp(f32(-0.5) * d * d) * tail
    return f32(1) - w if d < f32(0) else w


@loops
def black_scholes(prices, strikes, years, out):
    for k in prange(len(prices)):
        price, strike, time = prices[k] * f32(100) + f32(1), strikes[k] * f32(100) + f32(1), years[k] + f32(0.1)
        spread = f32(0.3) * np.sqrt(time)
        d = (np.log(price / strike) + f32(0.065) * time) / spread
        out[k] = price * distribution(d) - strike * np.exp(f32(-0.02) * time) * distribution(d - spread)


@loops
def convolution(padded, filter, out):
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            sum = f32(0)
            for a in range(5):
                for b in range(5):
                    sum += padded[i + a, j + b] * filter[a, b]
            out[i, j] = sum


@loops
def fourier_factors(cosines, sines):
    half = len(cosines)
    for k in prange(half):
        angle = f32(-np.pi) * f32(k) / f32(half)
        cosines[k], sines[k] = np.cos(angle), np.sin(angle)


@loops
def fourier_step(x, y, u, v, cosines, sines, s):
    half = len(cosines)
    for k in prange(half):
        r = k & (s - 1)
        to, c, d = 2 * (k - r) + r, cosines[r * (half // s)], sines[r * (half // s)]
        a, b = x[k + half] * c - y[k + half] * d, x[k + half] * d + y[k + half] * c
        u[to], v[to], u[to + s], v[to + s] = x[k] + a, y[k] + b, x[k] - a, y[k] - b


@in_order
def fourier_steps(re, im, room, factors):
    fourier_factors(factors[0], factors[1])
    fourier_step(re, im, room[0], room[1], factors[0], factors[1], 1)
    s, now = 2, 0
    while s < len(re):
        fourier_step(room[now], room[now + 1], room[2 - now], room[3 - now], factors[0], factors[1], s)
        s, now = 2 * s, 2 - now
    return now


@loops
def heat_step(x, out):
    for i in prange(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            for k in range(1, x.shape[2] - 1):
                sum = x[i - 1, j, k] + x[i + 1, j, k] + x[i, j - 1, k] + x[i, j + 1, k] + x[i, j, k - 1] + x[i, j, k + 1]
                out[i, j, k] = f32(0.15) * sum + f32(0.1) * x[i, j, k]


@loops
def kmeans_round(points, centres, pieces):
    count, width = centres.shape
    sums, counts = np.zeros((pieces, count, width), np.float32), np.zeros((pieces, count), np.int32)
    for piece in prange(pieces):
        for p in range(len(points) * piece // pieces, len(points) * (piece + 1) // pieces):
            nearest, least = 0, f32(np.inf)
            for c in range(count):
                distance = f32(0)
                for k in range(width):
                    d = points[p, k] - centres[c, k]
                    distance += d * d
                if distance < least:
                    nearest, least = c, distance
            counts[piece, nearest] += 1
            for k in range(width):
                sums[piece, nearest, k] += points[p, k]
    for c in range(count):
        for k in range(width):
            centres[c, k] = sums[:, c, k].sum() / f32(max(counts[:, c].sum(), 1))


@in_order
def kmeans(first, points, centres):
    centres[:] = first
    for _ in range(5):
        kmeans_round(points, centres, threads)


@in_order
def knapsack(weights, values, best):
    best[:] = 0
    for k in range(len(weights)):
        old, new, weight, value = best[k % 2], best[1 - k % 2], weights[k], values[k]
        new[:weight] = old[:weight]
        for r in range(weight, len(old)):
            new[r] = max(old[r], old[r - weight] + value)
    return best[len(weights) % 2, -1]


@loops
def life_round(x, out, sums):
    height, width = x.shape
    for i in prange(height):
        above, below, row = (i - 1) % height, (i + 1) % height, sums[i]
        for j in range(width):
            row[j + 1] = x[above, j] + x[i, j] + x[below, j]
        row[0], row[width + 1] = row[width], row[1]
        for j in range(width):
            # three with the cell itself, or four where that lives
            three = np.uint8(row[j] + row[j + 1] + row[j + 2])
            out[i, j] = np.uint8(three == 3) | (np.uint8(three == 4) & x[i, j])


@loops
def mandelbrot(columns, rows, out):
    for i in prange(len(rows)):
        for j in range(len(columns)):
            re, im = columns[j] * f32(3) - f32(2), rows[i] * f32(2) - f32(1)
            x = y = f32(0)
            k = 0
            while x * x + y * y < f32(4) and k < 200:
                x, y = x * x - y * y + re, f32(2) * x * y + im
                k += 1
            out[i, j] = k


LENGTH, BLOCK = 64, 256


@loops
def monte_carlo(walks):
    sum = f32(0)
    # walks side by side, for vectors
    for block in prange((walks + BLOCK - 1) // BLOCK):
        first, count = block * BLOCK, min(BLOCK, walks - block * BLOCK)
        at, high = np.zeros(BLOCK, np.float32), np.zeros(BLOCK, np.float32)
        for step in range(LENGTH):
            for k in range(count):
                x = u32((first + k) * LENGTH + step)
                x = u32((x ^ x >> u32(16)) * u32(0x7FEB352D))
                x = u32((x ^ x >> u32(15)) * u32(0x846CA68B))
                at[k] += f32(i32((x ^ x >> u32(16)) >> u32(8))) * f32(1 / 8388608) - f32(1)
                high[k] = max(high[k], at[k])
        sum += high.sum()
    return sum / f32(max(walks, 1))


@loops
def nbody(x, y, z, mass, out):
    for i in prange(len(x)):
        a = b = c = f32(0)
        for j in range(len(x)):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            r = dx * dx + dy * dy + dz * dz + f32(0.5)
            s = mass[j] / np.sqrt(r * r * r)
            a += dx * s
            b += dy * s
            c += dz * s
        out[0, i], out[1, i], out[2, i] = a, b, c


@loops
def paths_step(d, k):
    # a copy, which no row overlaps: so there are vectors
    through = d[k].copy()
    for i in prange(len(d)):
        way = d[i, k]
        for j in range(len(through)):
            d[i, j] = min(d[i, j], i32(way + through[j]))


@in_order
def paths(distances, d):
    d[:] = distances
    for k in range(len(d)):
        paths_step(d, k)


@loops
def radix_step(xs, out, shift, pieces):
    """One piece of the keys for each thread: its places begin where those of lower digits, and of this one in pieces before, end."""
    size, places = len(xs), np.zeros((pieces, 256), np.int32)
    for piece in prange(pieces):
        for k in range(size * piece // pieces, size * (piece + 1) // pieces):
            places[piece, xs[k] >> shift & u32(255)] += 1
    before = 0
    for digit in range(256):
        for piece in range(pieces):
            count = places[piece, digit]
            places[piece, digit] = before
            before += count
    for piece in prange(pieces):
        next = places[piece]
        for k in range(size * piece // pieces, size * (piece + 1) // pieces):
            digit = xs[k] >> shift & u32(255)
            out[next[digit]] = xs[k]
            next[digit] += 1


@in_order
def radix_sort(xs, spare, out):
    radix_step(xs, spare, u32(0), threads)
    radix_step(spare, out, u32(8), threads)
    radix_step(out, spare, u32(16), threads)
    radix_step(spare, out, u32(24), threads)


@loops
def search(sorted, keys, out):
    for k in prange(len(keys)):
        low, high = 0, len(sorted)
        while low < high:
            middle = (low + high) // 2
            if sorted[middle] < keys[k]:
                low = middle + 1
            else:
                high = middle
        out[k] = low


@loops
def segments(xs, out, pieces):
    """First what each piece but the last leaves to the next."""
    size, before = len(xs), np.zeros(pieces + 1, np.int32)
    begins = np.zeros(pieces + 1, np.bool_)
    for piece in prange(pieces - 1):
        sum = i32(0)
        for k in range(size * piece // pieces, size * (piece + 1) // pieces):
            begin = xs[k] & 63 == 0
            sum = i32(xs[k] + (i32(0) if begin else sum))
            begins[piece + 1] |= begin
        before[piece + 1] = sum
    for piece in range(1, pieces):
        if not begins[piece]:
            before[piece] += before[piece - 1]
    for piece in prange(pieces):
        sum = before[piece]
        for k in range(size * piece // pieces, size * (piece + 1) // pieces):
            sum = i32(xs[k] + (i32(0) if xs[k] & 63 == 0 else sum))
            out[k] = sum


@in_order
def sieve(prime):
    prime[:] = 1
    k = 2
    while k * k < len(prime):
        if prime[k]:
            for multiple in range(k * k, len(prime), k):
                prime[multiple] = 0
        k += 1
    count = 0
    for k in range(2, len(prime)):
        count += prime[k]
    return count


@loops
def sparse(values, columns, x, out):
    for i in prange(len(values)):
        sum = f32(0)
        for k in range(values.shape[1]):
            sum += values[i, k] * x[columns[i, k] & 131071]
        out[i] = sum


@in_order
def subsequence(a, b, rows):
    """Anti-diagonals of the table, of which the last two are kept."""
    n, m = len(a), len(b)
    backwards, a = b[::-1] & np.uint8(3), a & np.uint8(3)
    rows[:] = 0
    for d in range(n + m):
        next, one, two = rows[d % 3], rows[(d + 2) % 3], rows[(d + 1) % 3]
        first, last = max(1, d + 1 - m), min(n, d)
        if d < m:
            next[0] = next[d + 1] = 0
        cells, left, above, corner = next[first : last + 1], one[first - 1 : last], one[first : last + 1], two[first - 1 : last]
        # beside the letters of the first word, those of the second in reverse
        letters, others = a[first - 1 : last], backwards[m - 1 - d + first :]
        for k in range(len(cells)):
            longer, same = max(left[k], above[k]), i32(corner[k] + 1)
            cells[k] = same if letters[k] == others[k] else longer
    return rows[(n + m - 1) % 3, n]


def stepping(step, count, data, *room):
    """A run of some steps from one array to another and back."""
    first, second = data.copy(), data.copy()

    def run():
        # what steps leave as it is, is in the second from the start
        first[:] = data
        now, next = first, second
        for _ in range(count):
            step(now, next, *room)
            now, next = next, now
        return now

    return run


def fourier(re, im):
    room, factors = np.empty((4, len(re)), np.float32), np.empty((2, len(re) // 2), np.float32)

    def run():
        now = fourier_steps(re, im, room, factors)
        return room[now], room[now + 1]

    return run


def like(function):
    """Fills an array like the first one."""
    return lambda *data: into(function, np.empty_like(data[0]), *data)


def convolution_of(image, filter):
    padded, out = np.zeros([size + 4 for size in image.shape], image.dtype), np.empty_like(image)

    def run():
        padded[2:-2, 2:-2] = image
        convolution(padded, filter, out)
        return out

    return run


def nbody_of(*data):
    filled = into(nbody, np.empty((3, len(data[0])), np.float32), *data)
    return lambda: tuple(filled())


def within(function, room, *data):
    """A run whose result is a number, with room for what is between."""
    return lambda: function(*data, room)


functions = [batch, binomial, bitonic, black_scholes, kmeans, paths]
serve(
    {function.__name__: like(function) for function in functions}
    | {
        "convolution": convolution_of,
        "fourier": fourier,
        "heat": lambda block: stepping(heat_step, 10, block),
        "knapsack": lambda weights, values: within(knapsack, np.empty((2, 8192), np.int32), weights, values),
        "life": lambda cells: stepping(life_round, 50, cells, np.empty((len(cells), cells.shape[1] + 2), np.uint8)),
        "mandelbrot": lambda columns, rows: into(mandelbrot, np.empty((len(rows), len(columns)), np.int32), columns, rows),
        "monte_carlo": lambda walks: lambda: monte_carlo(walks),
        "nbody": nbody_of,
        "radix_sort": lambda xs: into(radix_sort, np.empty_like(xs), xs, np.empty_like(xs)),
        "search": lambda sorted, keys: into(search, np.empty(len(keys), np.int64), sorted, keys),
        "segments": lambda xs: into(lambda xs, out: segments(xs, out, threads), np.empty_like(xs), xs),
        "sieve": lambda n: within(sieve, np.empty(n, np.uint8)),
        "sparse": lambda values, columns, x: into(sparse, np.empty_like(x), values, columns, x),
        "subsequence": lambda a, b: within(subsequence, np.empty((3, len(a) + 1), np.int32), a, b),
    }
)
