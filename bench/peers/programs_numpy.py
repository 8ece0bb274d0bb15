"""The twenty programs in NumPy: whole arrays, with results in arrays that are there from the start. What is between is in those, too, or in
pieces that fit into a cache. Sorting, the transform of Fourier and searching are calls of the library, whose algorithms are others."""

from common import np, serve


def batch(a, b):
    out = np.empty_like(a)
    return lambda: np.matmul(a, b, out=out)


def binomial(prices, strikes, steps=256):
    """All trees together; nodes of a step are the rows, so that a step is work on whole rows."""
    f32 = np.float32
    time = f32(1 / steps)
    up, less = np.exp(f32(0.3) * np.sqrt(time)), np.exp(f32(-0.02) * time)
    p = (np.exp(f32(0.02) * time) - 1 / up) / (up - 1 / up)
    powers = up ** np.arange(-steps, steps + 1, dtype=f32)
    price, strike = prices * 20 + 40, strikes * 20 + 40
    worth = np.empty((len(powers), len(prices)), f32)
    values, room = np.empty((steps + 1, len(prices)), f32), np.empty((steps, len(prices)), f32)

    def run():
        # what exercising is worth depends on the power alone
        np.subtract(strike, price * powers[:, None], out=worth)
        np.maximum(worth, 0, out=worth)
        values[:] = worth[::2]
        for step in range(steps - 1, -1, -1):
            now, later, here = values[: step + 1], values[1 : step + 2], room[: step + 1]
            np.multiply(later, less * p, out=here)
            np.multiply(now, less * (1 - p), out=now)
            np.add(now, here, out=now)
            np.maximum(now, worth[steps - step : steps + step + 1 : 2], out=now)
        return values[0]

    return run


def sort(xs):
    """By the library's quicksort in vectors."""
    out = np.empty_like(xs)

    def run():
        out[:] = xs
        out.sort()
        return out

    return run


def black_scholes(prices, strikes, years, piece=8192):
    def distribution(d):
        k = 1 / (1 + np.float32(0.2316419) * np.abs(d))
        tail = np.full_like(k, 1.330274429)
        for factor in (-1.821255978, 1.781477937, -0.356563782, 0.31938153, 0):
            tail *= k
            tail += np.float32(factor)
        w = 1 - np.float32(0.39894228) * np.exp(np.float32(-0.5) * d * d) * tail
        return np.where(d < 0, 1 - w, w)

    out = np.empty_like(prices)

    def run():
        for start in range(0, len(prices), piece):
            some = slice(start, start + piece)
            price, strike, time = prices[some] * 100 + 1, strikes[some] * 100 + 1, years[some] + np.float32(0.1)
            spread = np.float32(0.3) * np.sqrt(time)
            d = (np.log(price / strike) + np.float32(0.065) * time) / spread
            paid = strike * np.exp(np.float32(-0.02) * time) * distribution(d - spread)
            np.subtract(price * distribution(d), paid, out=out[some])
        return out

    return run


def convolution(image, filter, piece=32):
    height, width = image.shape
    padded, out, room = np.zeros((height + 4, width + 4), image.dtype), np.empty_like(image), np.empty((piece, width), image.dtype)

    def run():
        padded[2:-2, 2:-2] = image
        for top in range(0, height, piece):
            rows = out[top : top + piece]
            rows[:] = 0
            for (a, b), factor in np.ndenumerate(filter):
                np.multiply(padded[top + a : top + a + len(rows), b : b + width], factor, out=room[: len(rows)])
                np.add(rows, room[: len(rows)], out=rows)
        return out

    return run


def fourier(re, im):
    wave, real, imaginary = np.empty(len(re), np.complex64), np.empty_like(re), np.empty_like(im)

    def run():
        wave.real, wave.imag = re, im
        np.fft.fft(wave, out=wave)
        real[:], imaginary[:] = wave.real, wave.imag
        return real, imaginary

    return run


def heat(block, steps=10):
    """A few planes at a time, whose sums stay in a cache."""
    blocks, piece = [block.copy(), block.copy()], 2
    room = np.empty((piece, block.shape[1] - 2, block.shape[2] - 2), block.dtype)
    inner = slice(1, -1)

    def run():
        blocks[0][:], blocks[1][:] = block, block
        for step in range(steps):
            old, new = blocks[step % 2], blocks[1 - step % 2]
            for top in range(1, len(block) - 1, piece):
                end = min(top + piece, len(block) - 1)
                planes, sum = slice(top, end), room[: end - top]
                np.add(old[top - 1 : end - 1, inner, inner], old[top + 1 : end + 1, inner, inner], out=sum)
                for rows, columns in ((slice(-2), inner), (slice(2, None), inner), (inner, slice(-2)), (inner, slice(2, None))):
                    np.add(sum, old[planes, rows, columns], out=sum)
                np.multiply(sum, np.float32(0.15), out=sum)
                fresh = new[planes, inner, inner]
                np.multiply(old[planes, inner, inner], np.float32(0.1), out=fresh)
                np.add(fresh, sum, out=fresh)
        return blocks[steps % 2]

    return run


def kmeans(first, points, rounds=5):
    """Distances, but for the square of the point, and sums as products of matrices."""
    numbers = np.arange(len(first))[:, None]

    def run():
        centres = first
        for _ in range(rounds):
            distances = (np.float32(-2) * centres) @ points.T
            distances += np.square(centres).sum(axis=1)[:, None]
            mine = (np.argmin(distances, axis=0) == numbers).astype(np.float32)
            centres = mine @ points / np.maximum(mine.sum(axis=1), 1)[:, None]
        return centres

    return run


def knapsack(weights, values, room=8192):
    best, filled = np.empty(room, np.int32), np.empty(room, np.int32)
    things = list(zip(weights.tolist(), values.tolist()))

    def run():
        best[:] = 0
        for weight, value in things:
            np.add(best[: room - weight], value, out=filled[weight:])
            np.maximum(best[weight:], filled[weight:], out=best[weight:])
        return best[-1]

    return run


def life(cells, rounds=50):
    """On cells with a rim of those from the other side."""
    height, width = cells.shape
    field, out = np.empty((height + 2, width + 2), cells.dtype), np.empty_like(cells)
    rows, sums = np.empty((height, width + 2), cells.dtype), np.empty_like(cells)

    def run():
        inner = field[1:-1, 1:-1]
        inner[:] = cells
        for _ in range(rounds):
            field[0, 1:-1], field[-1, 1:-1] = inner[-1], inner[0]
            field[:, 0], field[:, -1] = field[:, -2], field[:, 1]
            np.add(field[:-2], field[1:-1], out=rows)
            np.add(rows, field[2:], out=rows)
            np.add(rows[:, :-2], rows[:, 1:-1], out=sums)
            np.add(sums, rows[:, 2:], out=sums)
            # three with the cell itself, or four where that lives
            np.bitwise_or(sums == 3, (sums == 4) & inner, out=inner)
        out[:] = inner
        return out

    return run


def mandelbrot(columns, rows, most=200, piece=4096):
    """Points that have left are dropped every few steps; until then they only get farther."""
    re, im = (a.ravel() for a in np.meshgrid(columns * 3 - 2, rows * 2 - 1))
    out = np.empty(len(re), np.int32)

    def leave(some):
        at, a, b, counts = np.arange(some.start, some.stop), re[some], im[some], np.zeros(some.stop - some.start, np.int32)
        x, y = np.zeros_like(a), np.zeros_like(a)
        for step in range(most):
            squares = x * x, y * y
            inside = squares[0] + squares[1] < 4
            counts += inside
            if step % 8 == 7:
                out[at] = counts
                if not inside.any():
                    return
                at, a, b, counts, x, y = (array[inside] for array in (at, a, b, counts, x, y))
                squares = tuple(square[inside] for square in squares)
            y *= x
            y += y
            y += b
            np.subtract(*squares, out=x)
            x += a
        out[at] = counts

    def run():
        with np.errstate(over="ignore", invalid="ignore"):
            for start in range(0, len(re), piece):
                leave(slice(start, min(start + piece, len(re))))
        return out.reshape(len(rows), len(columns))

    return run


def monte_carlo(walks, steps=64, piece=8192):
    def highest(first, last):
        counters = np.arange(first * steps, last * steps, steps, dtype=np.uint32)
        at, high, room = np.zeros(last - first, np.float32), np.zeros(last - first, np.float32), np.empty_like(counters)
        for step in range(steps):
            x = counters + np.uint32(step)
            for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
                np.right_shift(x, shift, out=room)
                np.bitwise_xor(x, room, out=x)
                np.multiply(x, np.uint32(factor), out=x)
            np.right_shift(x, 16, out=room)
            np.bitwise_xor(x, room, out=x)
            np.right_shift(x, 8, out=x)
            at += x.astype(np.float32) * np.float32(1 / 8388608) - 1
            np.maximum(high, at, out=high)
        return high.sum()

    return lambda: np.float32(sum(highest(start, min(start + piece, walks)) for start in range(0, walks, piece)) / walks)


def nbody(xs, ys, zs, masses, piece=16):
    """The pulls on a few bodies at a time."""
    out = [np.empty_like(xs) for _ in range(3)]

    def run():
        for start in range(0, len(xs), piece):
            some = slice(start, start + piece)
            apart = [at - at[some, None] for at in (xs, ys, zs)]
            r = np.float32(0.5) + apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]
            s = masses / (r * np.sqrt(r))
            for sum, distance in zip(out, apart):
                np.einsum("ij,ij->i", distance, s, out=sum[some])
        return tuple(out)

    return run


def paths(distances):
    d, through = np.empty_like(distances), np.empty_like(distances)

    def run():
        d[:] = distances
        for k in range(len(d)):
            np.add(d[:, k, None], d[k], out=through)
            np.minimum(d, through, out=d)
        return d

    return run


def segments(xs):
    """Sums without regard to segments, less what was the sum before the segment."""
    sums = np.empty_like(xs)

    def run():
        np.cumsum(xs, dtype=xs.dtype, out=sums)
        starts = np.flatnonzero((xs & 63) == 0)
        before = np.concatenate(([0], sums[starts] - xs[starts])).astype(xs.dtype)
        return np.subtract(sums, np.repeat(before, np.diff(starts, prepend=0, append=len(xs))), out=sums)

    return run


def sieve(n):
    prime = np.empty(n, bool)

    def run():
        prime[:] = True
        for k in range(2, int((n - 1) ** 0.5) + 1):
            if prime[k]:
                prime[k * k :: k] = False
        return np.count_nonzero(prime[2:])

    return run


def sparse(values, columns, x):
    """Some rows at a time, so that what is fetched stays in a cache."""
    out, piece = np.empty(len(values), values.dtype), 2048

    def run():
        for start in range(0, len(values), piece):
            some = slice(start, start + piece)
            np.einsum("ij,ij->i", values[some], x[columns[some] & 131071], out=out[some])
        return out

    return run


def subsequence(a, b):
    """Row by row: what comes from the left is a maximum of a prefix."""
    same = [(b & 3) == letter for letter in range(4)]
    row = np.empty(len(b) + 1, np.int16)

    def run():
        row[:] = 0
        for letter in a & 3:
            np.maximum(row[1:], row[:-1] + same[letter], out=row[1:])
            np.maximum.accumulate(row, out=row)
        return np.int32(row[-1])

    return run


functions = [batch, binomial, black_scholes, convolution, fourier, heat, kmeans, knapsack, life, mandelbrot, monte_carlo, nbody, paths]
functions += [segments, sieve, sparse, subsequence]
library = {"bitonic": sort, "radix_sort": sort, "search": lambda sorted, keys: lambda: np.searchsorted(sorted, keys)}
serve({function.__name__: function for function in functions} | library)
