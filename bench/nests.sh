#!/usr/bin/env bash
# Nests whose inner parallel loops are short (bench/nests) beside the same with sequential loops inside: for rows of 1 to 32 elements, the least time of
# `nest` as a share of that of `loops`, on one thread. Prints a markdown table; above 1.05 the inner parallelism has cost something.
# usage: [ROUNDS=3] [TIME=0.1] [BACKENDS="jit c"] bench/nests.sh [FUN [PROGRAM …]]
#   TIME: seconds for each row length and entry point in a round; rounds of both take turns
set -euo pipefail
# build first: cargo build --release -p fun-cli
cd "$(dirname "$0")/.."
fun=$(realpath "${1:-target/release/fun}")
shift $(($# < 1 ? $# : 1))
[ $# -gt 0 ] || set -- $(cd bench/nests && ls ./*.fut | sed 's|^./||; s|\.fut$||')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The least times in µs, a line each, in the order of the stanzas.
least() {
  awk 'match($0, /min [0-9.]+ (ms|µs)/) { split(substr($0, RSTART, RLENGTH), words, " "); print words[3] == "ms" ? words[2] * 1000 : words[2] }'
}
printf '| program | backend |'
lengths=$(sed -n 's/^-- notest random input { \[[0-9]*\]\[\([0-9]*\)\].*/\1/p' bench/nests/squares.fut | awk '!seen[$0]++')
for m in $lengths; do printf ' %s |' "$m"; done
printf '\n|---|---|'
for _ in $lengths; do printf -- '---|'; done
echo
for program; do
  for backend in ${BACKENDS:-jit c}; do
    rm -f "$work"/*
    for _ in $(seq "${ROUNDS:-3}"); do
      for entry in nest loops; do
        taskset -c 1 "$fun" bench --backend "$backend" --threads 1 --time "${TIME:-0.1}" --entry "$entry" "bench/nests/$program.fut" | least >"$work/now"
        if [ -s "$work/$entry" ]; then
          paste "$work/$entry" "$work/now" | awk '{ print $1 < $2 ? $1 : $2 }' >"$work/both"
          mv "$work/both" "$work/$entry"
        else
          mv "$work/now" "$work/$entry"
        fi
      done
    done
    printf '| %s | %s |' "$program" "$backend"
    paste "$work/nest" "$work/loops" | awk '{ printf " %.2f |", $1 / $2 }'
    echo
  done
done
