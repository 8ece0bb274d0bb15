#!/usr/bin/env bash
# Patterns of a line or two (bench/patterns), by way of C and by the JIT beside Futhark's C, on one thread: the least times of some runs of each on the same data, which
# Futhark's `dataset` makes, but that the JIT's are of `fun bench`, drawn alike. Prints a markdown table; the last columns are Futhark's time as a multiple of FUN's.
# usage: [RUNS=12] bench/patterns.sh FUN FUTHARK [ENTRY…]        e.g. bench/patterns.sh target/release/fun futhark argmax softmax
#   the second processor runs all, where there is one; needs a C compiler and Futhark
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,5s/^# //p' "$0"; exit 1; }
fun=$(command -v "$1") || { echo "$1 is no executable; build it: cargo build --release -p fun-cli" >&2; exit 1; }
futhark=$(command -v "$2") || { echo "$2 is not installed" >&2; exit 1; }
fun=$(realpath "$fun") futhark=$(realpath "$futhark")
shift 2
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The entry points of a program, each with the types of its data.
entries() { awk '/^-- entry: / { entry = $3 } /^-- notest random input / { gsub(/^.*{ | }$/, ""); gsub(/ /, ","); print entry ":" $0 }' "$1"; }
known=$(for program in bench/patterns/*.fut; do entries "$program"; done)
for entry; do
  grep -q "^$entry:" <<<"$known" || { echo "no such entry: $entry" >&2; exit 1; }
done
pin=()
[ "$(nproc)" = 1 ] || pin=(taskset -c 1)
# Milliseconds of the fastest run of an entry point of an executable, on the data.
least() {
  FUN_NUM_THREADS=1 "${pin[@]}" "$1" -b -e "$2" -r "${RUNS:-12}" -t "$work/times" <"$work/data" >/dev/null &&
    sort -n "$work/times" | awk 'NR == 1 { print $1 / 1000 }'
}
# The same by the JIT, on data of its own.
least_by_jit() {
  "${pin[@]}" "$fun" bench -w --backend jit --threads 1 --runs "${RUNS:-12}" --entry "$1" "$program" >"$work/said" &&
    awk 'match($0, /min [0-9.]+ (ms|µs)/) { split(substr($0, RSTART, RLENGTH), words, " "); print words[3] == "ms" ? words[2] : words[2] / 1000; exit }' "$work/said"
}
printf '| pattern | C, ms | JIT, ms | Futhark, ms | Futhark / C | Futhark / JIT |\n|---|--:|--:|--:|--:|--:|\n'
for program in bench/patterns/*.fut; do
  lines=$(entries "$program")
  if [ $# -gt 0 ]; then
    lines=$(for entry; do grep "^$entry:" <<<"$lines" || true; done)
    [ -n "$lines" ] || continue
  fi
  "$fun" compile -w --backend c --exe -o "$work/c" "$program"
  CFLAGS='-O3 -march=native' "$futhark" c -w "$program" -o "$work/futhark" >&2
  for line in $lines; do
    entry=${line%%:*} types=${line#*:}
    generate=()
    for type in ${types//,/ }; do generate+=(-g "$type"); done
    "$futhark" dataset -b --seed=7 "${generate[@]}" >"$work/data"
    by_c=$(least "$work/c" "$entry")
    by_jit=$(least_by_jit "$entry")
    by_futhark=$(least "$work/futhark" "$entry")
    echo "$entry $by_c $by_jit $by_futhark" |
      tee -a "$work/all" | awk 'NF != 4 { print "no time of " $1; exit 1 } { printf "| `%s` | %.3f | %.3f | %.3f | %.2f | %.2f |\n", $1, $2, $3, $4, $4 / $2, $4 / $3 }'
  done
done
awk '{ c += log($4 / $2); jit += log($4 / $3) } END { printf "\nGeometric means of %d: %.2f by C, %.2f by the JIT.\n", NR, exp(c / NR), exp(jit / NR) }' "$work/all"
