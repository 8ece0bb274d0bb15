"""What the peers of the memory programs have in common: the numbers that programs state, and what they make of a few of them."""

from common import np

u32 = np.uint32


def hashes(seed, k):
    """The programs' hashes of indices, for arrays of NumPy and of JAX."""
    x = k * u32(747796405) + u32((seed * 2891336453 + 1) % 2**32)
    x = (x ^ (x >> 16)) * u32(0x7FEB352D)
    x = (x ^ (x >> 15)) * u32(0x846CA68B)
    return x ^ (x >> 16)


def fractions(seed, k):
    return (hashes(seed, k) >> 8).astype(np.int32).astype(np.float32) * np.float32(1 / 16777216)


def likeness(array):
    """How similar letters are, for `nw`, by NumPy or JAX."""
    letters = array.arange(24, dtype=u32)
    low, high = array.minimum(letters[:, None], letters), array.maximum(letters[:, None], letters)
    return array.where(low == high, np.int32(5), (hashes(3, low * u32(24) + high) % u32(6)).astype(np.int32) - np.int32(4))


def chip(n):
    """Of `hotspot`: the length of a step, what flows between neighbours and what flows out, each per degree."""
    side = 0.016 / n
    capacity, steepest = 0.5 * 1.75e6 * 0.0005 * side * side, 3e6 / (0.5 * 0.0005 * 1.75e6)
    return 0.001 / steepest / capacity, 2 * 100 * 0.0005, 100 * side * side / 0.0005


# Of `lbm`: in x, y and z where each direction flows to, which is the opposite one, and how much there is at rest.
WAYS = np.array([(0, 0, 0)] + [(0, 1, 0), (0, -1, 0), (1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1)]
                + [(1, 1, 0), (-1, 1, 0), (1, -1, 0), (-1, -1, 0), (0, 1, 1), (0, 1, -1), (0, -1, 1), (0, -1, -1)]
                + [(1, 0, 1), (1, 0, -1), (-1, 0, 1), (-1, 0, -1)])  # fmt: skip
BACK = np.array([next(r for r in range(19) if (WAYS[r] == -way).all()) for way in WAYS])
WEIGHTS = np.array([1 / 3] + 6 * [1 / 18] + 12 * [1 / 36], np.float32)

# Of `option_pricing`: degree, inner coefficients and first numbers of the first fifteen dimensions; bits of a Sobol number.
POLYNOMIALS = [(0, 0, ()), (1, 0, (1,)), (2, 1, (1, 3)), (3, 1, (1, 3, 1)), (3, 2, (1, 1, 1)), (4, 1, (1, 1, 3, 3)), (4, 4, (1, 3, 5, 13))]
POLYNOMIALS += [(5, inner, first) for inner, first in ((2, (1, 1, 5, 5, 17)), (4, (1, 1, 5, 5, 5)), (7, (1, 1, 7, 11, 19)), (11, (1, 1, 5, 1, 1)))]
POLYNOMIALS += [(5, 13, (1, 1, 1, 3, 11)), (5, 14, (1, 3, 5, 5, 31)), (3, 1, (1, 1, 7)), (4, 1, (1, 3, 7, 11))]
BITS = 30
MIXTURE = np.array([[1, 0, 0], [0.5, 0.8660254, 0], [0.25, 0.4330127, 0.8660254]])
VOLATILITY, DRIFT = np.array([0.2, 0.25, 0.3]), np.array([0.01, 0.015, 0.02])


def directions(dimensions):
    """The direction numbers of Sobol's sequence."""
    rows = []
    for degree, inner, first in POLYNOMIALS[:dimensions]:
        row = []
        for i in range(BITS):
            if degree == 0 or i < degree:
                row.append((first[i] if degree else 1) << (BITS - 1 - i))
                continue
            x = row[i - degree] ^ row[i - degree] >> degree
            for k in range(degree - 1):
                x ^= row[i - k - 1] if inner >> (degree - 2 - k) & 1 else 0
            row.append(x)
        rows.append(row)
    return np.array(rows, u32)


def sobol_table(of_bits, size):
    """The first numbers of each dimension, a power of two of them. That of the sum of a multiple of `size` and a smaller number is the exclusive
    or of those of both, as Gray codes are."""
    table = np.zeros((len(of_bits), size), u32)
    for k in range(size.bit_length() - 1):
        own = of_bits[:, k] ^ (of_bits[:, k - 1] if k else u32(0))
        table[:, 1 << k : 2 << k] = table[:, : 1 << k] ^ own[:, None]
    return table


def bridge(dates):
    """A Brownian bridge: for each random number its date, those before and after it that are known (-1: none), their weights, and its own."""
    links, known = [(dates - 1, -1, -1, 0.0, 0.0, dates**0.5)], {dates - 1}
    start = 0
    while len(links) < dates:
        start = next(date for date in range(start, dates) if date not in known)
        after = next(date for date in range(start, dates) if date in known)
        at = start + (after - 1 - start) // 2
        below, above = at + 1 - start, after - at
        links.append((at, start - 1, after, above / (below + above), below / (below + above), (below * above / (below + above)) ** 0.5))
        known.add(at)
        start = after + 1 if after + 1 < dates else 0
    return links


def log_prices(dates):
    """The logarithms of prices at each date of each asset as a linear function of the random numbers: a matrix and what is added."""
    places = np.zeros((dates, dates))
    for k, (at, before, after, lower, upper, own) in enumerate(bridge(dates)):
        places[at] = (lower * places[before] if before >= 0 else 0) + (upper * places[after] if after >= 0 else 0)
        places[at, k] = own
    added = np.log(100) + np.arange(1, dates + 1)[:, None] * DRIFT
    return np.kron(places, VOLATILITY[:, None] * MIXTURE), added.ravel()


# Acklam's approximation of the inverse of the normal distribution: numerator and denominator, in the middle and in the tails.
MIDDLE = [-3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.383577518672690e2, -3.066479806614716e1, 2.506628277459239]
UNDER_MIDDLE = [-5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1, 1.0]
TAIL = [-7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783]
UNDER_TAIL = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1.0]
LOW = 0.02425


def grid(m, n, s0=0.03, t=5.0, alpha=0.2, nu=0.6):
    """Of `locvolcalib`: places in both directions, and which of the first has the price."""
    dx, dy = 20 * alpha * s0 * t**0.5 / m, 10 * nu * t**0.5 / n
    at = int(s0 / dx) % m
    return (np.arange(m) - at) * dx + s0, (np.arange(n) - n // 2) * dy + np.log(alpha), at


def second(x):
    """The weights of x[i - 1], x[i] and x[i + 1] in second derivatives, none at the ends."""
    low, high, weights = x[1:-1] - x[:-2], x[2:] - x[1:-1], np.zeros((3, len(x)))
    weights[:, 1:-1] = 2 / low / (low + high), -2 * (1 / low + 1 / high) / (low + high), 2 / high / (low + high)
    return weights
