"""The ten kernels in NumPy, with results and what is between in arrays that are there from the start."""

from common import np, serve


def dot(a, b):
    return lambda: np.dot(a, b)


def exp_sum(a):
    room = np.empty_like(a)

    def run():
        np.exp(a, out=room)
        np.multiply(room, 2, out=room)
        return np.add(room, 1, out=room).sum()

    return run


def matmul(a, b):
    out = np.empty_like(a)
    return lambda: np.matmul(a, b, out=out)


def jacobi(steps, plate):
    plates, sum = [plate.copy(), plate.copy()], np.empty_like(plate[1:-1, 1:-1])

    def run():
        plates[0][:], plates[1][:] = plate, plate
        for step in range(steps):
            old, new = plates[step % 2], plates[1 - step % 2]
            np.add(old[1:-1, 1:-1], old[:-2, 1:-1], out=sum)
            for side in (old[2:, 1:-1], old[1:-1, :-2], old[1:-1, 2:]):
                np.add(sum, side, out=sum)
            np.multiply(sum, np.float32(0.2), out=new[1:-1, 1:-1])
        return plates[steps % 2]

    return run


def scan(a):
    out = np.empty_like(a)
    return lambda: np.cumsum(a, dtype=a.dtype, out=out)


def blur(image):
    rows = np.empty((image.shape[0], image.shape[1] - 2), image.dtype)
    out = np.empty((image.shape[0] - 2, image.shape[1] - 2), image.dtype)

    def run():
        for parts, total in ((image[:, :-2], image[:, 1:-1], image[:, 2:]), rows), ((rows[:-2], rows[1:-1], rows[2:]), out):
            np.add(parts[0], parts[1], out=total)
            np.add(total, parts[2], out=total)
        return np.multiply(out, np.float32(1 / 9), out=out)

    return run


def nw(similar):
    """Row by row: a gap in the row costs as much for each step, so that with those costs taken out it is a maximum of a prefix."""
    n = len(similar)
    costs = 10 * np.arange(n + 1, dtype=np.int32)
    scores, best = np.empty((n + 1, n + 1), np.int32), np.empty(n + 1, np.int32)

    def run():
        scores[0] = -costs
        for i in range(n):
            best[0] = -costs[i + 1]
            np.maximum(scores[i, :-1] + similar[i], scores[i, 1:] - 10, out=best[1:])
            np.add(best, costs, out=best)
            np.maximum.accumulate(best, out=best)
            np.subtract(best, costs, out=scores[i + 1])
        return scores

    return run


def lu(a):
    """By blocks of columns: each is decomposed by itself, and the rest takes one product for all of its columns."""
    n, width = len(a), 32
    work = np.empty_like(a)

    def run():
        work[:] = a
        for start in range(0, n, width):
            end = start + width
            for k in range(start, end):
                work[k + 1 :, k] /= work[k, k]
                work[k + 1 :, k + 1 : end] -= np.outer(work[k + 1 :, k], work[k, k + 1 : end])
            for k in range(start, end):
                work[k + 1 : end, end:] -= np.outer(work[k + 1 : end, k], work[k, end:])
            work[end:, end:] -= work[end:, start:end] @ work[start:end, end:]
        return work

    return run


def histogram(numbers):
    return lambda: np.bincount(numbers, minlength=1024).astype(np.int32)


def triad(a, b):
    out = np.empty_like(a)

    def run():
        np.multiply(b, 3, out=out)
        return np.add(a, out, out=out)

    return run


serve({f.__name__: f for f in (dot, exp_sum, matmul, jacobi, scan, blur, nw, lu, histogram, triad)})
