#!/usr/bin/env bash
# The seventeen programs, the ten kernels and the seven of bench/memory: FUN by way of C (or by the JIT) and Futhark's c and multicore backends, run
# alternately, on one thread and on two. Prints a markdown table of milliseconds, how many times as fast FUN is as the better of Futhark's, the
# geometric mean of that and the worst.
# usage: [BACKEND=c] [TIME=5] [THREADS="1 2"] [STATISTIC=median] bench/futhark.sh [FUN [FUTHARK [PROGRAM …]]]
#   TIME: seconds for each row; STATISTIC: median, or min on a machine that others use too; needs a C compiler and Futhark
set -euo pipefail
# build first: cargo build --release -p fun-cli
cd "$(dirname "$0")/.."
fun=$(realpath "${1:-target/release/fun}") futhark=${2:-futhark}
command -v "$futhark" >/dev/null || { echo "$futhark is not installed" >&2; exit 1; }
programs=(kernels/{dot,exp_sum,matmul,jacobi,scan,blur,nw,lu,histogram,triad} memory/{nw,lud,hotspot,lbm,option_pricing,locvolcalib,nn})
[ $# -le 2 ] || programs=("${@:3}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. bench/memory/arguments.sh
# What is asked for of a name in the output of `fun bench`.
statistic=${STATISTIC:-median}
figure() {
  awk -v name="$1" -v what="$statistic" '$1 == name && match($0, what " [0-9.]+ (ms|µs)") {
    split(substr($0, RSTART, RLENGTH), words, " ")
    printf "%.3f", words[3] == "ms" ? words[2] : words[2] / 1000
    exit }' "$2"
}
printf '| program | threads | FUN | Futhark c | Futhark multicore | times as fast as the better |\n|---|---|---|---|---|---|\n'
for program in "${programs[@]}"; do
  source=bench/$program.fut entry=main
  if [ "${program%/*}" = memory ]; then
    source=$work/${program#*/}.fut entry=bench
    with_stanza "${program#*/}" "$source"
  fi
  for threads in ${THREADS:-1 2}; do
    pin=()
    [ "$threads" != 1 ] || pin=(taskset -c 1)
    "${pin[@]}" "$fun" bench --backend "${BACKEND:-c}" --threads "$threads" --time "${TIME:-5}" --entry "$entry" \
      --vs "futhark-c=bench/kernels/futhark.sh $futhark c" --vs "futhark-multicore=bench/kernels/futhark.sh $futhark multicore" \
      "$source" >"$work/out" || cat "$work/out" >&2
    echo "$program $threads $(figure "$entry" "$work/out") $(figure futhark-c: "$work/out") $(figure futhark-multicore: "$work/out")" |
      tee -a "$work/all" | awk '{
        best = $4 < $5 ? $4 : $5
        printf "| %s | %s | %s | %s | %s | %s |\n", $1, $2, NF == 5 ? $3 : "–", NF == 5 ? $4 : "–", NF == 5 ? $5 : "–",
          NF == 5 ? sprintf("%.2f", best / $3) : "–" }'
  done
done
awk 'NF != 5 { missing++; next }
  { best = ($4 < $5 ? $4 : $5) / $3; sum += log(best); count++
    if (count == 1 || best < worst) { worst = best; where = $1 " on " $2 } }
  END {
    if (count > 0) printf "\nGeometric mean of %d rows: %.2f; the worst: %.2f (%s threads).\n", count, exp(sum / count), worst, where
    if (missing > 0) printf "Without a result: %d rows.\n", missing
    exit missing > 0 }' "$work/all"
