/* Threads for parallel loops. The thread that comes to a loop shares it with those of its context's pool, which look out for work for
   some microseconds after each loop and sleep then. A loop inside of a loop, or of another caller while the threads are busy, runs in
   order. Nobody waits for a thread that has not come yet: those that are there do all of the work. */

/* A word with the number of a loop in the upper 48 bits and a number of pieces in the lower ones. */
#define FUN_WORD(turn, pieces) ((turn) << 16 | (pieces))
#define FUN_WORD_TURN(word) ((word) >> 16)
#define FUN_WORD_COUNT(word) ((word) & 0xffff)

/* A thread of a pool, on a cache line of its own: what it says of the loops that it takes part in, by words that mean nothing for other loops. */
struct fun_seat {
    /* how many pieces of this thread's portion somebody has taken */
    _Alignas(64) _Atomic uint64_t taken;
    /* how many pieces this thread has run, of any portion */
    _Atomic uint64_t done;
    struct fun_pool *pool;
    pthread_t thread;
    uint32_t number;
};

struct fun_pool {
    /* the last loop that was begun, and how many pieces each portion has; what follows is that loop's, and is written only while nobody has
       a piece */
    _Alignas(64) _Atomic uint64_t state;
    fun_loop *loop;
    struct fun_context *context;
    const void *captured;
    int64_t count;
    /* iterations of a portion and of a piece */
    uint64_t portion, piece;
    /* the caller's among them; zero before the first loop, and the same from then on */
    uint32_t threads;
    /* threads that sleep until there is a loop */
    _Alignas(64) _Atomic uint32_t sleeping;
    /* whether the caller sleeps until all pieces are done */
    _Atomic bool waiting;
    _Atomic bool ending;
    /* whether a caller has the pool */
    _Alignas(64) _Atomic bool busy;
    /* the processor that the threads keep away from, the last caller's; negative when there is none */
    int here;
    /* as many as the system has processors where it is zero */
    uint32_t wanted;
    /* what was found then; zero before */
    _Atomic uint32_t found;
    pthread_mutex_t mutex;
    pthread_cond_t begun, finished;
    /* as many as there are threads, the caller's first */
    struct fun_seat *seats;
};

/* Looks before a thread sleeps: about 50 microseconds. */
#define FUN_LOOKS 2000
#define FUN_MOST_THREADS 1024
/* Loops after which the caller looks where it runs, if no thread sleeps. */
#define FUN_TURNS 16
/* Pieces that each thread's portion is taken in at most, so that uneven iterations end at about the same time, and nanoseconds, by
   estimate, that a piece takes at least where there is another: taking one from another thread's portion takes as long as some hundred cells. */
#define FUN_PIECES 8
#define FUN_PIECE_WORK 20000
/* Of many iterations pieces have a multiple of so many, so that those that write a cell each begin on a line of the cache. */
#define FUN_GRAIN 64

/* Between two looks. Now and then others may run: the thread that is waited for may need this processor. */
static void fun_pause(int look) {
    if (look % 64 == 63) {
        sched_yield();
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Tells the caller how many pieces of a loop this thread has run so far. */
static void fun_tell(struct fun_pool *pool, uint32_t number, uint64_t turn, uint64_t mine) {
    atomic_store(&pool->seats[number].done, FUN_WORD(turn, mine));
    if (atomic_load(&pool->waiting)) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_signal(&pool->finished);
        pthread_mutex_unlock(&pool->mutex);
    }
}

/* Takes pieces of the loop that `state` tells of until there are none left, those of this thread's portion first, and runs them; how many it
   had. A piece that was taken is that loop's: it does not end before the piece is done. */
static uint64_t fun_run_pieces(struct fun_pool *pool, uint32_t number, uint64_t state) {
    const uint64_t turn = FUN_WORD_TURN(state), pieces = FUN_WORD_COUNT(state);
    const uint32_t threads = pool->threads;
    uint64_t mine = 0, told = 0;
    for (uint32_t k = 0; k < threads; k++) {
        const uint32_t whose = number + k < threads ? number + k : number + k - threads;
        _Atomic uint64_t *const word = &pool->seats[whose].taken;
        for (uint64_t taken = atomic_load(word);;) {
            /* nobody has taken any where the word is of the loop before; that of a later one tells who comes late */
            const uint64_t next = FUN_WORD_TURN(taken) == turn ? FUN_WORD_COUNT(taken) : 0;
            if (next == pieces || FUN_WORD_TURN(taken) > turn) {
                break;
            }
            if (atomic_compare_exchange_weak(word, &taken, FUN_WORD(turn, next + 1))) {
                const uint64_t count = (uint64_t)pool->count, most = (whose + (uint64_t)1) * pool->portion;
                const uint64_t end = most < count ? most : count;
                const uint64_t from = whose * pool->portion + next * pool->piece;
                const uint64_t to = from + pool->piece < end ? from + pool->piece : end;
                if (from < to && !fun_stopped(pool->context)) {
                    pool->loop(pool->context, pool->captured, (int64_t)from, (int64_t)to);
                }
                mine++;
                taken = atomic_load(word);
            }
        }
        /* (before looking at other threads' portions, which takes a while) */
        if (number > 0 && mine > told) {
            fun_tell(pool, number, turn, mine);
            told = mine;
        }
    }
    return mine;
}

/* The state with a loop to take part in, another than the last, or any state when the pool ends. */
static uint64_t fun_await(struct fun_pool *pool, uint64_t last) {
    uint64_t state;
    for (int k = 0; k < FUN_LOOKS; k++) {
        state = atomic_load(&pool->state);
        if (FUN_WORD_TURN(state) != last) {
            return state;
        }
        fun_pause(k);
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleeping, 1);
    while (state = atomic_load(&pool->state), FUN_WORD_TURN(state) == last && !atomic_load(&pool->ending)) {
        pthread_cond_wait(&pool->begun, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->mutex);
    return state;
}

static void *fun_work(void *place) {
    struct fun_seat *const seat = place;
    struct fun_pool *const pool = seat->pool;
    for (uint64_t last = 0;;) {
        const uint64_t state = fun_await(pool, last);
        if (atomic_load(&pool->ending)) {
            return NULL;
        }
        last = FUN_WORD_TURN(state);
        fun_run_pieces(pool, seat->number, state);
    }
}

/* How many threads run loops: as many as are wanted, or as FUN_NUM_THREADS says, or as there are processors for this process. */
static uint32_t fun_thread_count(struct fun_pool *pool) {
    /* asked again and again by programs with loops for one thread and for several */
    const uint32_t found = atomic_load_explicit(&pool->found, memory_order_relaxed);
    if (found != 0) {
        return found;
    }
    long count = pool->wanted;
    const char *variable = getenv("FUN_NUM_THREADS");
    if (count == 0 && variable != NULL) {
        count = strtol(variable, NULL, 10);
    }
#ifdef __linux__
    cpu_set_t set;
    if (count < 1 && sched_getaffinity(0, sizeof set, &set) == 0) {
        count = CPU_COUNT(&set);
    }
#endif
    if (count < 1) {
        count = sysconf(_SC_NPROCESSORS_ONLN);
    }
    const uint32_t usable = count < 1 ? 1 : count > FUN_MOST_THREADS ? FUN_MOST_THREADS : (uint32_t)count;
    atomic_store_explicit(&pool->found, usable, memory_order_relaxed);
    return usable;
}

/* Starts the threads of a pool: fewer than asked for where the system has no more. */
static void fun_start_threads(struct fun_pool *pool) {
    const uint32_t count = fun_thread_count(pool);
    pool->threads = 1;
    if (count == 1) {
        return;
    }
    pool->seats = aligned_alloc(64, count * sizeof(struct fun_seat));
    if (pool->seats == NULL) {
        return;
    }
    memset(pool->seats, 0, count * sizeof(struct fun_seat));
    /* signals are for the threads of the program that this is part of */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (uint32_t k = 1; k < count; k++) {
        struct fun_seat *seat = &pool->seats[k];
        seat->pool = pool;
        seat->number = k;
        if (pthread_create(&seat->thread, NULL, fun_work, seat) != 0) {
            break;
        }
        pool->threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* A pool of so many threads, the caller's among them, that are started when there is something to do; NULL where there is no memory. */
static struct fun_pool *fun_pool_new(uint32_t wanted) {
    struct fun_pool *pool = aligned_alloc(64, sizeof *pool);
    if (pool != NULL) {
        memset(pool, 0, sizeof *pool);
        pool->wanted = wanted;
        pool->here = -1;
        pthread_mutex_init(&pool->mutex, NULL);
        pthread_cond_init(&pool->begun, NULL);
        pthread_cond_init(&pool->finished, NULL);
    }
    return pool;
}

/* Ends the threads, and returns when the last is gone. */
static void fun_pool_free(struct fun_pool *pool) {
    if (pool == NULL) {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->ending, true);
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t k = 1; k < pool->threads; k++) {
        pthread_join(pool->seats[k].thread, NULL);
    }
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->begun);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->seats);
    free(pool);
}

/* Lets the threads run anywhere but where the caller does, if there is a processor for each. Linux wakes a thread where its waker runs, if
   that has just slept itself: the two would take turns on one processor while another has nothing to do. */
static void fun_keep_away(struct fun_pool *pool) {
#ifdef __linux__
    const int here = sched_getcpu();
    cpu_set_t set;
    if (here == pool->here || here < 0 || sched_getaffinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) < (int)pool->threads) {
        return;
    }
    pool->here = here;
    CPU_CLR(here, &set);
    for (uint32_t k = 1; k < pool->threads; k++) {
        pthread_setaffinity_np(pool->seats[k].thread, sizeof set, &set);
    }
#else
    (void)pool;
#endif
}

/* Whether others have done as many pieces of a loop. */
static bool fun_is_done(struct fun_pool *pool, uint64_t turn, uint64_t pieces) {
    for (uint32_t k = 1; k < pool->threads; k++) {
        const uint64_t done = atomic_load(&pool->seats[k].done);
        pieces -= FUN_WORD_TURN(done) == turn ? FUN_WORD_COUNT(done) : 0;
    }
    return pieces == 0;
}

/* Shares out the iterations, takes part, and waits for those who came. */
static void fun_run_loop(struct fun_pool *pool, int64_t count, double work) {
    const uint64_t threads = pool->threads, iterations = (uint64_t)count;
    const uint64_t grain = iterations / FUN_GRAIN / FUN_GRAIN / FUN_PIECES >= threads ? FUN_GRAIN : 1;
    const double paying = work / (double)threads / FUN_PIECE_WORK;
    const uint64_t most = paying < 1 ? 1 : paying < FUN_PIECES ? (uint64_t)paying : FUN_PIECES;
    const uint64_t units = iterations / grain + (iterations % grain != 0);
    const uint64_t portion = units / threads + (units % threads != 0);
    const uint64_t piece = portion / most + (portion % most != 0);
    const uint64_t pieces = portion / piece + (portion % piece != 0);
    pool->count = count;
    pool->portion = portion * grain;
    pool->piece = piece * grain;
    const uint64_t turn = FUN_WORD_TURN(atomic_load_explicit(&pool->state, memory_order_relaxed)) + 1, state = FUN_WORD(turn, pieces);
    atomic_store(&pool->state, state);
    const bool some_sleep = atomic_load(&pool->sleeping) > 0;
    if (some_sleep || turn % FUN_TURNS == 1) {
        fun_keep_away(pool);
    }
    if (some_sleep) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->begun);
        pthread_mutex_unlock(&pool->mutex);
    }
    const uint64_t others = threads * pieces - fun_run_pieces(pool, 0, state);
    for (int k = 0; k < FUN_LOOKS && !fun_is_done(pool, turn, others); k++) {
        fun_pause(k);
    }
    if (!fun_is_done(pool, turn, others)) {
        pthread_mutex_lock(&pool->mutex);
        atomic_store(&pool->waiting, true);
        while (!fun_is_done(pool, turn, others)) {
            pthread_cond_wait(&pool->finished, &pool->mutex);
        }
        atomic_store(&pool->waiting, false);
        pthread_mutex_unlock(&pool->mutex);
    }
}

/* How many threads the parallel loops of a run have. */
FUN_RUNTIME int64_t fun_threads(struct fun_context *context) {
    return context->pool == NULL ? 1 : fun_thread_count(context->pool);
}

/* All iterations of a loop, which take about `work` nanoseconds together, on the threads of the context's pool if they are free. */
FUN_RUNTIME void fun_parallel(struct fun_context *context, int64_t count, double work, fun_loop *loop, const void *captured) {
    struct fun_pool *pool = context->pool;
    if (pool == NULL || count < 2 || atomic_exchange_explicit(&pool->busy, true, memory_order_acquire)) {
        loop(context, captured, 0, count);
        return;
    }
    if (pool->threads == 0) {
        fun_start_threads(pool);
    }
    if (pool->threads == 1) {
        loop(context, captured, 0, count);
    } else {
        pool->loop = loop;
        pool->context = context;
        pool->captured = captured;
        fun_run_loop(pool, count, work);
    }
    atomic_store_explicit(&pool->busy, false, memory_order_release);
}

/* What is left of a loop when its first iteration has run. */
struct fun_rest {
    fun_loop *loop;
    const void *captured;
};

static void fun_run_rest(struct fun_context *context, const void *captured, int64_t from, int64_t to) {
    const struct fun_rest *rest = captured;
    rest->loop(context, rest->captured, from + 1, to + 1);
}

static double fun_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The same where `work` is a guess, since some of it runs so often as nobody knows: the first iteration tells if it says too little. */
FUN_RUNTIME void fun_parallel_if_it_pays(struct fun_context *context, int64_t count, double work, fun_loop *loop, const void *captured) {
    struct fun_pool *pool = context->pool;
    const bool alone = pool == NULL || count < 3 || pool->threads == 1 || atomic_load_explicit(&pool->busy, memory_order_relaxed);
    if (alone || FUN_PAYS(work)) {
        fun_parallel(context, count, work, loop, captured);
        return;
    }
    const double start = fun_now();
    loop(context, captured, 0, 1);
    const double left = (fun_now() - start) * (double)(count - 1);
    const struct fun_rest rest = {loop, captured};
    if (FUN_PAYS(left) && !fun_stopped(context)) {
        fun_parallel(context, count - 1, left, fun_run_rest, &rest);
    } else if (!fun_stopped(context)) {
        loop(context, captured, 1, count);
    }
}
