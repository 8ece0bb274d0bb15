"""Of the memory programs in Numba, option_pricing and locvolcalib. What is made of few numbers, as grids, bridges and direction numbers, is
NumPy's, in each run."""

import memory_tables as tables
from common import np
from with_numba import in_order, loops, prange

u32, i32 = np.uint32, np.int32
PATHS, BITS, LOW = 256, tables.BITS, tables.LOW
MIDDLE, UNDER_MIDDLE, TAIL, UNDER_TAIL = (tuple(tables.__dict__[name]) for name in ("MIDDLE", "UNDER_MIDDLE", "TAIL", "UNDER_TAIL"))


@in_order
def tail(p):
    q, m, n = np.sqrt(-2 * np.log(p)), TAIL, UNDER_TAIL
    above = ((((m[0] * q + m[1]) * q + m[2]) * q + m[3]) * q + m[4]) * q + m[5]
    return above / ((((n[0] * q + n[1]) * q + n[2]) * q + n[3]) * q + n[4])


@in_order
def quantiles(first, table, z):
    """Of the numbers of a dimension: the middle in vectors, then the tails, which are few."""
    m, n = MIDDLE, UNDER_MIDDLE
    for k in range(PATHS):
        q = (i32(first ^ table[k]) + 0.5) * 2.0**-BITS - 0.5
        r = q * q
        above = (((((m[0] * r + m[1]) * r + m[2]) * r + m[3]) * r + m[4]) * r + m[5]) * q
        z[k] = above / (((((n[0] * r + n[1]) * r + n[2]) * r + n[3]) * r + n[4]) * r + n[5])
    for k in range(PATHS):
        p = (i32(first ^ table[k]) + 0.5) * 2.0**-BITS
        if p < LOW:
            z[k] = tail(p)
        elif p > 1 - LOW:
            z[k] = -tail(1 - p)


@loops
def option_pricing_of(n, table, of_bits, dates_of, weights, mixture, drift):
    """Paths side by side; those of a piece have numbers that differ in the lowest bits alone."""
    dates, sum = len(weights), 0.0
    for piece in prange(n // PATHS + 1):
        z, places, prices, mean = np.empty(PATHS), np.empty((3, dates + 1, PATHS)), np.full((3, PATHS), 100.0), np.zeros(PATHS)
        gray = piece * PATHS ^ (piece * PATHS >> 1)
        # a place after the last is the start
        places[:, dates] = 0
        for d in range(3 * dates):
            first, i, a = u32(0), d // 3, d % 3
            for k in range(BITS):
                if gray >> k & 1:
                    first ^= of_bits[d, k]
            quantiles(first, table[d], z)
            low, high, at = places[a, dates_of[i, 1]], places[a, dates_of[i, 2]], places[a, dates_of[i, 0]]
            for k in range(PATHS):
                at[k] = weights[i, 0] * low[k] + weights[i, 1] * high[k] + weights[i, 2] * z[k]
        for i in range(dates):
            before = dates if i == 0 else i - 1
            for a in range(3):
                for k in range(PATHS):
                    step = mixture[a, 0] * (places[0, i, k] - places[0, before, k]) + mixture[a, 1] * (places[1, i, k] - places[1, before, k])
                    prices[a, k] *= np.exp(drift[a] + step + mixture[a, 2] * (places[2, i, k] - places[2, before, k]))
            for k in range(PATHS):
                mean[k] += min(prices[0, k], min(prices[1, k], prices[2, k]))
        # numbers are 1 to n
        for k in range(1 if piece == 0 else 0, min(PATHS, n + 1 - piece * PATHS)):
            sum += max(mean[k] / dates - 90, 0.0)
    return np.exp(-0.02 * dates) * sum / n


@in_order
def price(strike, steps, xs, dx, dy, of_x, of_y, t, nu, at, values, v, u, factors, turned, on):
    """Systems in x are the lanes of vectors as the values lie; for those in y they are turned."""
    m, n = values.shape
    for i in range(m):
        values[i] = max(xs[i] - strike, 0.0)
    in_y = 0.25 * nu * nu
    for g in range(steps - 2, -1, -1):
        time = t * g / (steps - 1)
        inverse, decay = 1 / (t * (g + 1) / (steps - 1) - time), 0.25 * np.exp(-nu * nu * time)
        for i in range(m):
            row, low, high, part = values[i], values[max(i - 1, 0)], values[min(i + 1, m - 1)], of_x[i] * decay
            v[i, 0] = v[i, n - 1] = 0
            for j in range(1, n - 1):
                v[i, j] = 2 * in_y * (dy[0, j] * row[j - 1] + dy[1, j] * row[j] + dy[2, j] * row[j + 1])
            for j in range(n):
                u[i, j] = inverse * row[j] + part * of_y[j] * (dx[0, i] * low[j] + dx[1, i] * row[j] + dx[2, i] * high[j]) + v[i, j]
            if i == 0:
                for j in range(n):
                    factors[0, j] = inverse - part * of_y[j] * dx[1, 0]
            else:
                above = of_x[i - 1] * decay * dx[2, i - 1]
                for j in range(n):
                    by = -part * of_y[j] * dx[0, i] / factors[i - 1, j]
                    factors[i, j] = inverse - part * of_y[j] * dx[1, i] + by * above * of_y[j]
                    u[i, j] -= by * u[i - 1, j]
        for i in range(m - 1, -1, -1):
            after, factor = u[min(i + 1, m - 1)], of_x[i] * decay * (dx[2, i] if i < m - 1 else 0.0)
            for j in range(n):
                u[i, j] = (u[i, j] + factor * of_y[j] * after[j]) / factors[i, j]
        for j in range(n):
            on[j] = inverse - in_y * dy[1, j]
            for i in range(m):
                turned[j, i] = inverse * u[i, j] - 0.5 * v[i, j]
            if j > 0:
                by = -in_y * dy[0, j] / on[j - 1]
                on[j] += by * in_y * dy[2, j - 1]
                for i in range(m):
                    turned[j, i] -= by * turned[j - 1, i]
        for j in range(n - 1, -1, -1):
            after, factor, share = turned[min(j + 1, n - 1)], in_y * dy[2, j] if j < n - 1 else 0.0, 1 / on[j]
            for i in range(m):
                turned[j, i] = (turned[j, i] + factor * after[i]) * share
                values[i, j] = turned[j, i]
    return values[at, n // 2]


@loops
def locvolcalib_of(outer, steps, xs, ys, dx, dy, at, t, nu, beta):
    m, n, sum = len(xs), len(ys), 0.0
    of_x, of_y = np.zeros(m), np.exp(2 * ys)
    for i in range(m):
        of_x[i] = np.exp(2 * beta * np.log(xs[i])) if xs[i] > 0 else 0.0
    for k in prange(outer):
        room = np.empty((4, m, n))
        values, v, u, factors = room[0], room[1], room[2], room[3]
        sum += price(0.001 * k, steps, xs, dx, dy, of_x, of_y, t, nu, at, values, v, u, factors, np.empty((n, m)), np.empty(n))
    return sum


def option_pricing(n, dates):
    def run():
        of_bits, links = tables.directions(3 * dates), tables.bridge(dates)
        dates_of = np.array([[dates if date < 0 else date for date in link[:3]] for link in links])
        weights, mixture = np.array([link[3:] for link in links]), tables.VOLATILITY[:, None] * tables.MIXTURE
        return option_pricing_of(n, tables.sobol_table(of_bits, PATHS), of_bits, dates_of, weights, mixture, tables.DRIFT)

    return run


def locvolcalib(outer, steps, m, n):
    def run():
        xs, ys, at = tables.grid(m, n)
        return locvolcalib_of(outer, steps, xs, ys, tables.second(xs), tables.second(ys), at, 5.0, 0.6, 0.5)

    return run
