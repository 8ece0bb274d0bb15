#!/usr/bin/env bash
# The plain matrix product on the JIT against the same triple loop in C at -O1, run alternately.
# usage: bench/matmul.sh [N] [PAIRS]      (needs a C compiler; prints milliseconds of each run and the ratio of medians)
set -euo pipefail
# build first: cargo build --release -p fun-cli
cd "$(dirname "$0")/.."
n=${1:-1024} pairs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -O1 -o "$work/matmul" bench/matmul.c
for _ in $(seq "$pairs"); do
  "$work/matmul" "$n" 1 >>"$work/c" 2>>"$work/checksums"
  for threads in 1 2; do
    echo "${n}i64" | FUN_NUM_THREADS=$threads target/release/fun run bench/matmul.fut -t "$work/t" >>"$work/checksums"
    awk '{ printf "%.1f\n", $1 / 1000 }' "$work/t" >>"$work/fun$threads"
  done
done
median() { sort -n "$1" | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }
c=$(median "$work/c")
for threads in 1 2; do
  ours=$(median "$work/fun$threads")
  echo "n=$n: C -O1 $c ms, JIT on $threads thread(s) $ours ms, ratio $(awk "BEGIN { printf \"%.2f\", $ours / $c }")"
done
sort -u "$work/checksums"
