// Further programs of this folder in C; `reference.c` calls this for what it does not have itself.
#include "reference.h"

enum { STEPS = 20, NX = 60, NY = 60, NZ = 75, FLOWS = 19, CELLS = NX * NY * NZ };

static const int ways[FLOWS][3] = {{0, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0},
    {-1, -1, 0}, {0, 1, 1}, {0, 1, -1}, {0, -1, 1}, {0, -1, -1}, {1, 0, 1}, {1, 0, -1}, {-1, 0, 1}, {-1, 0, -1}};
static const int back[FLOWS] = {0, 2, 1, 4, 3, 6, 5, 10, 9, 8, 7, 14, 13, 12, 11, 18, 17, 16, 15};
static float *grids[2];

static inline float weight(int q) { return q == 0 ? 1.0f / 3 : q < 7 ? 1.0f / 18 : 1.0f / 36; }
static inline int within(int size, int k) { return k < 0 ? 0 : k < size ? k : size - 1; }

void lbm_start(void) {
    grids[0] = block(sizeof(float) * FLOWS * CELLS);
    grids[1] = block(sizeof(float) * FLOWS * CELLS);
}

// A row of cells at a time, each direction by itself, so that the cells of a row are the lanes of vectors.
static void flow(const float *restrict from, float *restrict to, int z, int y) {
    const int side = z == 0 || z == NZ - 1 || y == 0 || y == NY - 1;
    const int moves = (z == 1 || z == NZ - 2) && y > 1 && y < NY - 2;
    float into[FLOWS][NX];
    for (int q = 0; q < FLOWS; q++) {
        const float *plane = from + (size_t)q * CELLS + (within(NZ, z - ways[q][2]) * NY + within(NY, y - ways[q][1])) * NX;
        const int right = ways[q][0];
        for (int x = 1; x < NX - 1; x++) {
            into[q][x] = plane[x - right];
        }
        into[q][0] = plane[within(NX, 0 - right)];
        into[q][NX - 1] = plane[within(NX, NX - 1 - right)];
    }
    float *out = to + (z * NY + y) * NX;
    for (int q = 0; q < FLOWS; q++) {
        out[(size_t)q * CELLS] = into[back[q]][0];
        out[(size_t)q * CELLS + NX - 1] = into[back[q]][NX - 1];
    }
    if (side) {
        for (int q = 0; q < FLOWS; q++) {
            memcpy(out + (size_t)q * CELLS, into[back[q]], sizeof into[q]);
        }
        return;
    }
    float rho[NX], u[3][NX], square[NX];
    for (int x = 1; x < NX - 1; x++) {
        float sum = 0, ux = 0, uy = 0, uz = 0;
#pragma GCC unroll 19
        for (int q = 0; q < FLOWS; q++) {
            sum += into[q][x];
            ux += into[q][x] * (float)ways[q][0];
            uy += into[q][x] * (float)ways[q][1];
            uz += into[q][x] * (float)ways[q][2];
        }
        const int lid = moves && x > 1 && x < NX - 2;
        rho[x] = sum;
        u[0][x] = lid ? 0.005f : ux / sum;
        u[1][x] = lid ? 0.002f : uy / sum;
        u[2][x] = lid ? 0 : uz / sum;
        square[x] = 1.5f * (u[0][x] * u[0][x] + u[1][x] * u[1][x] + u[2][x] * u[2][x]);
    }
    for (int q = 0; q < FLOWS; q++) {
        for (int x = 1; x < NX - 1; x++) {
            const float e = u[0][x] * (float)ways[q][0] + u[1][x] * (float)ways[q][1] + u[2][x] * (float)ways[q][2];
            const float rest = weight(q) * rho[x] * (1 + 3 * e + 4.5f * e * e - square[x]);
            out[(size_t)q * CELLS + x] = (1 - 1.95f) * into[q][x] + 1.95f * rest;
        }
    }
}

// Arrays of directions, not of cells.
double lbm(void) {
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int k = 0; k < FLOWS * CELLS; k++) {
            grids[0][k] = weight(k / CELLS);
        }
        for (int t = 0; t < STEPS; t++) {
#pragma omp for collapse(2) schedule(static)
            for (int z = 0; z < NZ; z++) {
                for (int y = 0; y < NY; y++) {
                    flow(grids[t % 2], grids[1 - t % 2], z, y);
                }
            }
        }
#pragma omp for schedule(static) reduction(+ : sum)
        for (int k = 0; k < FLOWS * CELLS; k++) {
            sum += grids[STEPS % 2][k];
        }
    }
    return sum;
}

enum { PATHS = 1048576, DATES = 5, DIMENSIONS = 3 * DATES, BITS = 30, LANES = 16 };

static const struct {
    int degree, inner;
    uint32_t first[5];
} polynomials[DIMENSIONS] = {{0, 0, {0}}, {1, 0, {1}}, {2, 1, {1, 3}}, {3, 1, {1, 3, 1}}, {3, 2, {1, 1, 1}}, {4, 1, {1, 1, 3, 3}}, {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}}, {5, 4, {1, 1, 5, 5, 5}}, {5, 7, {1, 1, 7, 11, 19}}, {5, 11, {1, 1, 5, 1, 1}}, {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}}, {3, 1, {1, 1, 7}}, {4, 1, {1, 3, 7, 11}}};

static double tail(double q) {
    return (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q + 4.374664141464968) * q +
               2.938163982698783) /
           ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1);
}

// In vectors for the middle of the distribution, then by themselves for the few numbers at its ends.
static void quantiles(const double *restrict p, double *restrict z) {
    int ends = 0;
    for (int l = 0; l < LANES; l++) {
        const double q = p[l] - 0.5, r = q * q;
        z[l] = (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.383577518672690e2) * r -
                    3.066479806614716e1) * r + 2.506628277459239) * q /
               (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r -
                    1.328068155288572e1) * r + 1);
        ends += fabs(q) > 0.5 - 0.02425;
    }
    for (int l = 0; ends > 0 && l < LANES; l++) {
        if (p[l] < 0.02425) {
            z[l] = tail(sqrt(-2 * log(p[l])));
        } else if (p[l] > 1 - 0.02425) {
            z[l] = -tail(sqrt(-2 * log(1 - p[l])));
        }
    }
}

typedef struct {
    int at, before, after;
    double lower, upper, deviation;
} link;

// The last date, then always the middle of what is open.
static void bridge(link links[DATES]) {
    int known[DATES] = {0};
    links[0] = (link){DATES - 1, -1, DATES - 1, 0, 0, sqrt(DATES)};
    known[DATES - 1] = 1;
    for (int i = 1, from = 0; i < DATES; i++) {
        while (known[from]) {
            from++;
        }
        int after = from;
        while (!known[after]) {
            after++;
        }
        const int at = from + (after - 1 - from) / 2;
        const double below = at + 1 - from, above = after - at;
        links[i] = (link){at, from - 1, after, above / (below + above), below / (below + above), sqrt(below * above / (below + above))};
        known[at] = 1;
        from = after + 1 >= DATES ? 0 : after + 1;
    }
}

// LANES paths at once; a Sobol number differs from the one before it by one direction number.
double option_pricing(void) {
    static const double mixture[3][3] = {{1, 0, 0}, {0.5, 0.8660254, 0}, {0.25, 0.4330127, 0.8660254}};
    static const double volatility[3] = {0.2, 0.25, 0.3}, drift[3] = {0.01, 0.015, 0.02};
    uint32_t directions[DIMENSIONS][BITS];
    for (int d = 0; d < DIMENSIONS; d++) {
        const int degree = polynomials[d].degree;
        for (int i = 0; i < BITS; i++) {
            uint32_t x = degree == 0 ? 1u << (BITS - 1 - i) : i < degree ? polynomials[d].first[i] << (BITS - 1 - i) : 0;
            if (degree > 0 && i >= degree) {
                x = directions[d][i - degree] ^ directions[d][i - degree] >> degree;
                for (int k = 0; k < degree - 1; k++) {
                    x ^= (polynomials[d].inner >> (degree - 2 - k) & 1) == 1 ? directions[d][i - k - 1] : 0;
                }
            }
            directions[d][i] = x;
        }
    }
    link links[DATES];
    bridge(links);
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (uint32_t start = 0; start < PATHS; start += LANES) {
        double places[3][DATES][LANES], prices[3][LANES], mean[LANES] = {0};
        for (int i = 0; i < DATES; i++) {
            for (int a = 0; a < 3; a++) {
                const int d = 3 * i + a;
                const uint32_t gray = (start + 1) ^ (start + 1) >> 1;
                uint32_t x = 0;
                for (int k = 0; k < BITS; k++) {
                    x ^= directions[d][k] & -(gray >> k & 1);
                }
                double p[LANES], z[LANES];
                for (uint32_t l = 0; l < LANES; l++) {
                    p[l] = (x + 0.5) / (1u << BITS);
                    x ^= directions[d][__builtin_ctz(start + l + 2)];
                }
                quantiles(p, z);
                const link k = links[i];
                for (int l = 0; l < LANES; l++) {
                    const double low = k.before >= 0 ? k.lower * places[a][k.before][l] : 0;
                    places[a][k.at][l] = low + (i > 0 ? k.upper * places[a][k.after][l] : 0) + k.deviation * z[l];
                }
            }
        }
        for (int i = 0; i < DATES; i++) {
            for (int a = 0; a < 3; a++) {
#pragma omp simd
                for (int l = 0; l < LANES; l++) {
                    double step = 0;
                    for (int b = 0; b <= a; b++) {
                        step += mixture[a][b] * (places[b][i][l] - (i > 0 ? places[b][i - 1][l] : 0));
                    }
                    prices[a][l] = (i == 0 ? 100 : prices[a][l]) * exp(drift[a] + volatility[a] * step);
                }
            }
            for (int l = 0; l < LANES; l++) {
                const double low = prices[0][l] < prices[1][l] ? prices[0][l] : prices[1][l];
                mean[l] += low < prices[2][l] ? low : prices[2][l];
            }
        }
        for (int l = 0; l < LANES; l++) {
            const double over = mean[l] / DATES - 90;
            sum += exp(-0.02 * DATES) * (over > 0 ? over : 0);
        }
    }
    return sum / PATHS;
}

enum { STRIKES = 16, INSTANTS = 64, M = 32, N = 256 };

// x[i - 1], x[i], x[i + 1] for second derivatives.
static void second(const double *x, int n, double (*d)[3]) {
    for (int i = 0; i < n; i++) {
        const double l = i > 0 ? x[i] - x[i - 1] : 1, u = i < n - 1 ? x[i + 1] - x[i] : 1;
        const int inside = i > 0 && i < n - 1;
        d[i][0] = inside ? 2 / l / (l + u) : 0;
        d[i][1] = inside ? -2 * (1 / l + 1 / u) / (l + u) : 0;
        d[i][2] = inside ? 2 / u / (l + u) : 0;
    }
}

// One strike. Systems in the first direction are the lanes of vectors as values lie; for the second they are transposed.
static double price(double strike, const double *xs, const double *ys, int at, double t, double nu, double beta) {
    static _Thread_local double values[M][N], v[M][N], u[M][N], factors[M][N], turned[N][M], diagonal[N][M];
    double dx[M][3], dy[N][3], of_x[M], of_y[N];
    second(xs, M, dx);
    second(ys, N, dy);
    for (int i = 0; i < M; i++) {
        of_x[i] = xs[i] > 0 ? exp(2 * beta * log(xs[i])) : 0;
        for (int j = 0; j < N; j++) {
            values[i][j] = xs[i] - strike > 0 ? xs[i] - strike : 0;
        }
    }
    for (int j = 0; j < N; j++) {
        of_y[j] = exp(2 * ys[j]);
    }
    for (int g = INSTANTS - 2; g >= 0; g--) {
        const double time = t * g / (INSTANTS - 1), inverse = 1 / (t * (g + 1) / (INSTANTS - 1) - time), decay = exp(-nu * nu * time);
        for (int i = 0; i < M; i++) {
            const double *row = values[i], *low = values[i > 0 ? i - 1 : i], *high = values[i < M - 1 ? i + 1 : i];
            const double x = of_x[i] * decay;
            v[i][0] = v[i][N - 1] = 0;
            for (int j = 1; j < N - 1; j++) {
                v[i][j] = 0.5 * nu * nu * (dy[j][0] * row[j - 1] + dy[j][1] * row[j] + dy[j][2] * row[j + 1]);
            }
            for (int j = 0; j < N; j++) {
                const double along = 0.5 * x * of_y[j] * (dx[i][0] * low[j] + dx[i][1] * row[j] + dx[i][2] * high[j]);
                u[i][j] = inverse * row[j] + 0.5 * along + v[i][j];
            }
        }
        // forwards and backwards in the first direction, for all of the second
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                const double part = -0.25 * of_x[i] * decay * of_y[j], on = inverse + part * dx[i][1];
                if (i == 0) {
                    factors[i][j] = on;
                } else {
                    const double before = -0.25 * of_x[i - 1] * decay * of_y[j] * dx[i - 1][2];
                    const double by = part * dx[i][0] / factors[i - 1][j];
                    factors[i][j] = on - by * before;
                    u[i][j] -= by * u[i - 1][j];
                }
            }
        }
        for (int i = M - 1; i >= 0; i--) {
            for (int j = 0; j < N; j++) {
                const double above = i < M - 1 ? -0.25 * of_x[i] * decay * of_y[j] * dx[i][2] * u[i + 1][j] : 0;
                u[i][j] = (u[i][j] - above) / factors[i][j];
            }
        }
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                turned[j][i] = inverse * u[i][j] - 0.5 * v[i][j];
            }
        }
        const double part = -0.25 * nu * nu;
        for (int j = 0; j < N; j++) {
            const double by_before = j > 0 ? part * dy[j][0] : 0, before = j > 0 ? part * dy[j - 1][2] : 0;
            for (int i = 0; i < M; i++) {
                const double by = j > 0 ? by_before / diagonal[j - 1][i] : 0;
                diagonal[j][i] = inverse + part * dy[j][1] - by * before;
                turned[j][i] -= j > 0 ? by * turned[j - 1][i] : 0;
            }
        }
        for (int j = N - 1; j >= 0; j--) {
            for (int i = 0; i < M; i++) {
                turned[j][i] = (turned[j][i] - (j < N - 1 ? part * dy[j][2] * turned[j + 1][i] : 0)) / diagonal[j][i];
                values[i][j] = turned[j][i];
            }
        }
    }
    return values[at][N / 2];
}

double locvolcalib(void) {
    const double s0 = 0.03, t = 5, alpha = 0.2, nu = 0.6, beta = 0.5;
    const double apart = 20 * alpha * s0 * sqrt(t) / M, apart_y = 10 * nu * sqrt(t) / N;
    const int at = (int)(s0 / apart) % M;
    double xs[M], ys[N], sum = 0;
    for (int i = 0; i < M; i++) {
        xs[i] = (i - at) * apart + s0;
    }
    for (int j = 0; j < N; j++) {
        ys[j] = (j - N / 2) * apart_y + log(alpha);
    }
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int k = 0; k < STRIKES; k++) {
        sum += price(0.001 * k, xs, ys, at, t, nu, beta);
    }
    return sum;
}
