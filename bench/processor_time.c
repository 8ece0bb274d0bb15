// Clocks that count processor time: loaded before others, it lets `bench/kernels.sh` compare on one thread while other work runs too.
//   cc -O2 -shared -fPIC -o processor_time.so bench/processor_time.c && LD_PRELOAD=$PWD/processor_time.so THREADS=1 bench/kernels.sh
// (Futhark's servers take the time by another clock.)
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    return (int)syscall(SYS_clock_gettime, clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock, time);
}
