#!/usr/bin/env bash
# Patterns of a line or two (bench/patterns), by way of C and by the JIT beside Futhark's C, on one thread: the least times of some runs of each on the same data, which
# Futhark's `dataset` makes, but that the JIT's are of `fun bench`, drawn alike. Prints a markdown table; the last columns are Futhark's time as a multiple of FUN's.
# usage: [RUNS=12] bench/patterns.sh FUN FUTHARK [ENTRY…]        e.g. bench/patterns.sh target/release/fun futhark argmax softmax
#   the machine's first processor but one runs all, as programs take turns; needs a C compiler and Futhark
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,5s/^# //p' "$0"; exit 1; }
cd "$(dirname "$0")/.."
fun=$(realpath "$1") futhark=$2
shift 2
command -v "$futhark" >/dev/null || { echo "$futhark is not installed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pin=()
[ "$(nproc)" = 1 ] || pin=(taskset -c 1)
# Milliseconds of the fastest run of an entry point of an executable, on the data.
least() {
  FUN_NUM_THREADS=1 "${pin[@]}" "$1" -b -e "$2" -r "${RUNS:-12}" -t "$work/times" <"$work/data" >/dev/null && sort -n "$work/times" | awk 'NR == 1 { print $1 / 1000 }'
}
# The same by the JIT, on data of its own.
least_by_jit() {
  "${pin[@]}" "$fun" bench -w --backend jit --threads 1 --runs "${RUNS:-12}" --entry "$1" "$program" |
    awk 'match($0, /min [0-9.]+ (ms|µs)/) { split(substr($0, RSTART, RLENGTH), words, " "); print words[3] == "ms" ? words[2] : words[2] / 1000; exit }'
}
printf '| pattern | C, ms | JIT, ms | Futhark, ms | Futhark / C | Futhark / JIT |\n|---|--:|--:|--:|--:|--:|\n'
for program in bench/patterns/*.fut; do
  entries=$(awk '/^-- entry: / { entry = $3 } /^-- notest random input / { gsub(/^.*{ | }$/, ""); gsub(/ /, ","); print entry ":" $0 }' "$program")
  if [ $# -gt 0 ]; then
    entries=$(grep -E "^($(IFS='|'; echo "$*")):" <<<"$entries" || true)
    [ -n "$entries" ] || continue
  fi
  "$fun" compile -w --backend c --exe -o "$work/c" "$program"
  CFLAGS='-O3 -march=native' "$futhark" c -w "$program" -o "$work/futhark" >&2
  for line in $entries; do
    entry=${line%%:*} types=${line#*:}
    generate=()
    for type in ${types//,/ }; do generate+=(-g "$type"); done
    "$futhark" dataset -b --seed=7 "${generate[@]}" >"$work/data"
    echo "$entry $(least "$work/c" "$entry") $(least_by_jit "$entry") $(least "$work/futhark" "$entry")" |
      tee -a "$work/all" | awk '{ printf "| `%s` | %.3f | %.3f | %.3f | %.2f | %.2f |\n", $1, $2, $3, $4, $4 / $2, $4 / $3 }'
  done
done
awk '{ c += log($4 / $2); jit += log($4 / $3) } END { if (NR) printf "\nGeometric means of %d: %.2f by C, %.2f by the JIT.\n", NR, exp(c / NR), exp(jit / NR) }' "$work/all"
