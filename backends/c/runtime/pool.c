/* Threads for parallel loops. The thread that comes to a loop shares it with those of its context's pool, which look out for work for
   some microseconds after each loop and sleep then. A loop inside of a loop, or of another caller while the threads are busy, runs in
   order. Nobody waits for a thread that has not come yet: those that are there do all of the work. */

/* The iterations that one thread begins with, on a cache line of their own. When a thread has none left it takes from others. */
struct fun_portion {
    _Alignas(64) _Atomic int64_t next;
    int64_t end;
};

struct fun_pool {
    /* how often a loop was begun, in the upper half; whether threads may join it; how many have */
    _Alignas(64) _Atomic uint64_t state;
    fun_loop *loop;
    struct fun_context *context;
    const void *captured;
    int64_t chunk;
    /* whether a caller has the pool */
    _Alignas(64) _Atomic bool busy;
    _Atomic bool ending;
    /* whether the caller sleeps until all have left the loop */
    _Atomic bool waiting;
    _Atomic uint32_t sleeping;
    /* the processor that the threads keep away from, the last caller's; negative when there is none */
    int here;
    /* the caller's among them; zero before the first loop */
    uint32_t threads;
    /* as many as the system has processors where it is zero */
    uint32_t wanted;
    /* what was found then; zero before */
    _Atomic uint32_t found;
    pthread_mutex_t mutex;
    pthread_cond_t begun, left;
    struct fun_portion *portions;
    struct fun_seat *seats;
};

/* A thread of a pool. */
struct fun_seat {
    struct fun_pool *pool;
    pthread_t thread;
    uint32_t number;
};

#define FUN_OPEN ((uint64_t)1 << 31)
#define FUN_INSIDE (FUN_OPEN - 1)
/* Looks before a thread sleeps: about 50 microseconds. */
#define FUN_LOOKS 2000
#define FUN_MOST_THREADS 1024
/* Parts that each thread's portion is taken in, so that uneven iterations end at about the same time. */
#define FUN_PARTS 8
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

/* Iterations until there are none left, those of this thread's portion first. */
static void fun_run_portions(struct fun_pool *pool, uint32_t number) {
    for (uint32_t k = 0; k < pool->threads; k++) {
        struct fun_portion *portion = &pool->portions[(number + k) % pool->threads];
        int64_t from = atomic_load_explicit(&portion->next, memory_order_relaxed);
        while (from < portion->end && !fun_stopped(pool->context)) {
            /* (never beyond the end, which may be the last int64_t) */
            const int64_t rest = portion->end - from;
            const int64_t to = from + (rest < pool->chunk ? rest : pool->chunk);
            if (atomic_compare_exchange_weak_explicit(&portion->next, &from, to, memory_order_relaxed, memory_order_relaxed)) {
                pool->loop(pool->context, pool->captured, from, to);
                from = atomic_load_explicit(&portion->next, memory_order_relaxed);
            }
        }
    }
}

/* Whether there is a loop that this thread may join, another than the last. */
static bool fun_is_news(uint64_t state, uint32_t last) {
    return (state & FUN_OPEN) != 0 && (uint32_t)(state >> 32) != last;
}

/* The state with a loop to join, or any state when the pool ends. */
static uint64_t fun_await(struct fun_pool *pool, uint32_t last) {
    uint64_t state;
    for (int k = 0; k < FUN_LOOKS; k++) {
        state = atomic_load(&pool->state);
        if (fun_is_news(state, last)) {
            return state;
        }
        fun_pause(k);
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleeping, 1);
    while (state = atomic_load(&pool->state), !fun_is_news(state, last) && !atomic_load(&pool->ending)) {
        pthread_cond_wait(&pool->begun, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->mutex);
    return state;
}

static void *fun_work(void *seat) {
    struct fun_pool *pool = ((struct fun_seat *)seat)->pool;
    const uint32_t number = ((struct fun_seat *)seat)->number;
    for (uint32_t last = 0;;) {
        uint64_t state = fun_await(pool, last);
        if (atomic_load(&pool->ending)) {
            return NULL;
        }
        if (!atomic_compare_exchange_strong(&pool->state, &state, state + 1)) {
            continue;
        }
        last = (uint32_t)(state >> 32);
        fun_run_portions(pool, number);
        if ((uint32_t)(atomic_fetch_sub(&pool->state, 1) - 1) == 0 && atomic_load(&pool->waiting)) {
            pthread_mutex_lock(&pool->mutex);
            pthread_cond_signal(&pool->left);
            pthread_mutex_unlock(&pool->mutex);
        }
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
    pool->portions = aligned_alloc(64, count * sizeof(struct fun_portion));
    pool->seats = calloc(count, sizeof(struct fun_seat));
    if (pool->portions == NULL || pool->seats == NULL) {
        return;
    }
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
        pthread_cond_init(&pool->left, NULL);
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
    pthread_cond_destroy(&pool->left);
    pthread_cond_destroy(&pool->begun);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->portions);
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

/* Shares out the iterations, takes part, and waits for those who came. */
static void fun_run_loop(struct fun_pool *pool, int64_t count) {
    const int64_t threads = pool->threads, grain = count / FUN_GRAIN / FUN_GRAIN / FUN_PARTS >= threads ? FUN_GRAIN : 1;
    const int64_t units = count / grain + (count % grain != 0), each = units / threads, more = units % threads;
    pool->chunk = (each / FUN_PARTS + 1) * grain;
    int64_t from = 0;
    for (int64_t k = 0; k < threads; k++) {
        atomic_store_explicit(&pool->portions[k].next, from, memory_order_relaxed);
        /* (never beyond the last int64_t) */
        from = k + 1 < threads ? from + (each + (k < more)) * grain : count;
        pool->portions[k].end = from;
    }
    fun_keep_away(pool);
    const uint64_t turn = (uint32_t)(atomic_load(&pool->state) >> 32) + (uint64_t)1;
    atomic_store(&pool->state, turn << 32 | FUN_OPEN);
    if (atomic_load(&pool->sleeping) > 0) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_broadcast(&pool->begun);
        pthread_mutex_unlock(&pool->mutex);
    }
    fun_run_portions(pool, 0);
    atomic_fetch_and(&pool->state, ~FUN_OPEN);
    for (int k = 0; k < FUN_LOOKS && (atomic_load(&pool->state) & FUN_INSIDE) != 0; k++) {
        fun_pause(k);
    }
    if ((atomic_load(&pool->state) & FUN_INSIDE) != 0) {
        pthread_mutex_lock(&pool->mutex);
        atomic_store(&pool->waiting, true);
        while ((atomic_load(&pool->state) & FUN_INSIDE) != 0) {
            pthread_cond_wait(&pool->left, &pool->mutex);
        }
        atomic_store(&pool->waiting, false);
        pthread_mutex_unlock(&pool->mutex);
    }
}

/* How many threads the parallel loops of a run have. */
FUN_RUNTIME int64_t fun_threads(struct fun_context *context) {
    return context->pool == NULL ? 1 : fun_thread_count(context->pool);
}

/* All iterations of a loop, on the threads of the context's pool if they are free. */
FUN_RUNTIME void fun_parallel(struct fun_context *context, int64_t count, fun_loop *loop, const void *captured) {
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
        fun_run_loop(pool, count);
    }
    atomic_store_explicit(&pool->busy, false, memory_order_release);
}

