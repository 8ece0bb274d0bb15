#!/usr/bin/env bash
# The programs of bench/applications beside Futhark: time of `main` (the least of all runs), peak memory of the whole process, and the time to make an
# executable, which is mostly the C compiler's. On one thread that is Futhark's c backend and processor time, so that other work on the machine matters
# less; on more the multicore backend and time that passes. What programs give is compared by `fun test bench/applications`. Prints a markdown table.
# usage: [THREADS=1] bench/applications.sh [ROUNDS] [FUN] [FUTHARK] [PROGRAM ...]      (needs /usr/bin/time)
set -euo pipefail
# build first: cargo build --release -p fun-cli
cd "$(dirname "$0")/.."
rounds=${1:-3} fun=$(realpath "${2:-target/release/fun}") futhark=${3:-futhark}
shift $(($# < 3 ? $# : 3))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
threads=${THREADS:-1} backend=c
export OMP_NUM_THREADS=$threads FUN_NUM_THREADS=$threads
# Executables of FUN are static, so it is linked into them; those of Futhark are given it when they run.
clock=$work/clock.so object=$work/clock.o
cc -O2 -shared -fPIC -o "$clock" bench/processor_time.c
cc -O2 -c -o "$object" bench/processor_time.c
[ "$threads" = 1 ] || backend=multicore clock='' object=''
# What `mk` is called with: the arguments of `main` come from it.
sizes='backprop 400000 bfast 2000 bfs_filter 200000 bfs_padded 200000 binomial 200 btree 1000000 canny 512 cfd 60000 components 200000
  crypt 200000 cutcp 1000 fft 256 fluid 256 gaussian 400 hashcat 100000 heartwall 50 heston 50 histo 1000 hotspot3d 256 julia 800 kmeans 50000
  knn 20000 lavamd 5 lbm 200 life 500 lud 400 mandelbrot 500 mergesort 50000 montecarlo 50000 mriq 16384 myocyte 200 nbody 3000 nn 800000
  pagerank 200000 particlefilter 20000 pathfinder 200000 quickhull 200000 ray 300 segsort 100000 series 1000 sgemm 300 smoothlife 200 sor 500
  sparsematmult 100000 spmv 50000 srad 512 stencil 96 streamcluster 8192 tokens 300000 tpacf 1000 trinomial 200 tunnel 1000'
size() { echo "$sizes" | tr -s ' ' '\n' | awk -v name="$1" 'found { print; exit } $0 == name { found = 1 }'; }
milliseconds() { date +%s%3N; }
# run WHO PROGRAM: the microseconds of three runs go to WHO.us, the process's kilobytes to WHO.kb
run() {
  local who=$work/$2.$1
  /usr/bin/time -q -f %M -o "$who.kb" "$who" -b -e main <"$work/$2.in" >/dev/null
  LD_PRELOAD=$clock "$who" -b -e main -r 3 -t "$work/us" <"$work/$2.in" >/dev/null
  cat "$work/us" >>"$who.us"
}
least() { sort -n "$1" | head -n 1; }
[ $# -gt 0 ] || set -- $(cd bench/applications && ls ./*.fut | sed 's|^./||; s|\.fut$||')
printf '| program | size | FUN, ms | Futhark | of Futhark | FUN, MiB | Futhark | of Futhark | compile, s | Futhark |\n|---|---|---|---|---|---|---|---|---|---|\n'
for program; do
  source=bench/applications/$program.fut
  start=$(milliseconds)
  CFLAGS="${CFLAGS:-} $object" "$fun" compile -w --exe "$source" -o "$work/$program.fun"
  middle=$(milliseconds)
  "$futhark" "$backend" -w "$source" -o "$work/$program.peer"
  end=$(milliseconds)
  size "$program" | sed 's/$/i64/' | "$work/$program.peer" -b -e mk >"$work/$program.in"
  for _ in $(seq "$rounds"); do
    run fun "$program"
    run peer "$program"
  done
  awk -v program="$program" -v size="$(size "$program")" -v us="$(least "$work/$program.fun.us")" -v peer="$(least "$work/$program.peer.us")" \
    -v kb="$(tail -n 1 "$work/$program.fun.kb")" -v peer_kb="$(tail -n 1 "$work/$program.peer.kb")" -v ms=$((middle - start)) -v peer_ms=$((end - middle)) \
    'BEGIN {
      row = "| %s | %d | %.2f | %.2f | %.2f | %.1f | %.1f | %.2f | %.1f | %.1f |\n"
      printf row, program, size, us / 1000, peer / 1000, peer / us, kb / 1024, peer_kb / 1024, kb / peer_kb, ms / 1000, peer_ms / 1000
    }'
  awk -v a="$(least "$work/$program.fun.us")" -v b="$(least "$work/$program.peer.us")" -v k="$(tail -n 1 "$work/$program.fun.kb")" \
    -v p="$(tail -n 1 "$work/$program.peer.kb")" 'BEGIN { print log(b / a), log(k / p) }' >>"$work/ratios"
  rm "$work/$program".*
done
awk '{ time += $1; memory += $2 }
  END { printf "\nGeometric means: %.2f times as fast as Futhark, with %.2f of its memory.\n", exp(time / NR), exp(memory / NR) }' "$work/ratios"
