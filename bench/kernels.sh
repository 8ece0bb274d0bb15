#!/usr/bin/env bash
# The ten kernels of bench/kernels, or the programs of another folder: FUN by the JIT and by way of C, the C reference, and Futhark's c and
# multicore backends where it is installed, all run alternately, on one thread and on two. Prints a markdown table of milliseconds.
# usage: [SET=kernels] [TIME=5] [THREADS="1 2"] [STATISTIC=median] bench/kernels.sh [FUN [FUTHARK [KERNEL …]]]
#   SET: kernels, programs or memory; TIME: seconds for each kernel; STATISTIC: median, or min on a machine that others use too; needs a C compiler
set -euo pipefail
# build first: cargo build --release -p fun-cli
cd "$(dirname "$0")/.."
fun=$(realpath "${1:-target/release/fun}") futhark=${2:-futhark}
set=${SET:-kernels}
case $set in
  kernels) kernels=(dot exp_sum matmul jacobi scan blur nw lu histogram triad) ;;
  *) mapfile -t kernels < <(cd "bench/$set" && printf '%s\n' *.fut | sed 's/\.fut$//') ;;
esac
[ $# -le 2 ] || kernels=("${@:3}")
command -v "$futhark" >/dev/null || futhark=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=("bench/$set/reference.c")
[ ! -f "bench/$set/more.c" ] || sources+=("bench/$set/more.c")
${CC:-cc} -O3 -march=native -ffast-math -fopenmp -o "$work/reference" "${sources[@]}" -lm
printf '| kernel | threads | C | FUN, C backend | of C | FUN, JIT | of C | Futhark c | Futhark multicore |\n|---|---|---|---|---|---|---|---|---|\n'
# What is asked for of a name in the output of `fun bench`.
statistic=${STATISTIC:-median}
figure() {
  awk -v name="$1" -v what="$statistic" '$1 == name && match($0, what " [0-9.]+ (ms|µs)") {
    split(substr($0, RSTART, RLENGTH), words, " ")
    printf "%.3f", words[3] == "ms" ? words[2] : words[2] / 1000
    exit }' "$2"
}
. bench/memory/arguments.sh
for kernel in "${kernels[@]}"; do
  source=bench/$set/$kernel.fut entry=main
  if [ "$set" = memory ]; then
    source=$work/$kernel.fut entry=bench
    with_stanza "$kernel" "$source"
  fi
  for threads in ${THREADS:-1 2}; do
    pin=()
    [ "$threads" != 1 ] || pin=(taskset -c 1)
    for backend in c jit; do
      peers=(--vs "reference=$work/reference $kernel")
      if [ -n "$futhark" ] && [ "$backend" = c ]; then
        [ "$threads" != 1 ] || peers+=(--vs "futhark-c=bench/kernels/futhark.sh $futhark c")
        peers+=(--vs "futhark-multicore=bench/kernels/futhark.sh $futhark multicore")
      fi
      "${pin[@]}" "$fun" bench --backend "$backend" --threads "$threads" --time "${TIME:-5}" --entry "$entry" "${peers[@]}" \
        "$source" >"$work/$backend" || true
    done
    c=$(figure "$entry" "$work/c") jit=$(figure "$entry" "$work/jit")
    of_c() { awk -v a="$(figure reference: "$1")" -v b="$2" 'BEGIN { if (a > 0 && b > 0) printf "%.2f", a / b; else printf "–" }'; }
    printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$kernel" "$threads" "$(figure reference: "$work/c")" \
      "${c:-–}" "$(of_c "$work/c" "$c")" "${jit:-–}" "$(of_c "$work/jit" "$jit")" \
      "$(figure futhark-c: "$work/c")" "$(figure futhark-multicore: "$work/c")"
  done
done
