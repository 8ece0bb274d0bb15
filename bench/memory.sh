#!/usr/bin/env bash
# What the memory passes are worth on the seven programs of bench/memory: time of one run, peak memory of the whole process, blocks
# and bytes at run time, with the passes and without (pipeline no-memory), and with Futhark's c backend where it is installed.
# With BACKEND=c, times and peaks are those of executables (`fun compile --exe`), as Futhark's are; with the JIT those of `fun run`, the
# compiler included in the peak.
# Runs alternate, so that ratios within a row are of one go on one machine. Prints a markdown table.
# usage: [BACKEND=c] bench/memory.sh [RUNS] [FUN] [FUTHARK]      (needs /usr/bin/time; without BACKEND, the JIT)
set -euo pipefail
# build first: cargo build --release -p fun-cli
cd "$(dirname "$0")/.."
runs=${1:-3} fun=$(realpath "${2:-target/release/fun}") futhark=${3:-futhark}
command -v "$futhark" >/dev/null || futhark=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# How many threads FUN may use; Futhark's c backend has one.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} FUN_NUM_THREADS=${FUN_NUM_THREADS:-1}
backend=${BACKEND:-jit}
. bench/memory/arguments.sh
# run WHO PROGRAM COMMAND…: appends the run's microseconds to WHO.us and the process's kilobytes to WHO.kb.
run() {
  local who=$work/$2.$1 program=$2
  shift 2
  arguments "$program" >"$work/in"
  /usr/bin/time -q -f %M -o "$work/kb" "$@" -e bench -t "$work/us" <"$work/in" >"$who.out" 2>"$who.err"
  cat "$work/us" >>"$who.us"
  tail -n 1 "$work/kb" >>"$who.kb"
}
median() { sort -n "$1" | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }
number() { awk -v name="$1" '$1 == name { print $2 }' "$2"; }
printf '| program | arguments | ms | without | Futhark | peak MiB | without | Futhark | blocks | without | MiB copied | without | in loops |\n'
printf '|---|---|---|---|---|---|---|---|---|---|---|---|---|\n'
for program in nw lud hotspot lbm option_pricing locvolcalib nn; do
  source=bench/memory/$program.fut
  [ -z "$futhark" ] || "$futhark" c -w "$source" -o "$work/$program" >/dev/null
  with=("$fun" run -w --mem --backend "$backend" "$source")
  without=("${with[@]}" --pipeline no-memory)
  if [ "$backend" = c ]; then
    # what executables don't say: blocks, and bytes copied
    arguments "$program" | "${with[@]}" -e bench 2>"$work/$program.on.counts" >/dev/null
    arguments "$program" | "${without[@]}" -e bench 2>"$work/$program.off.counts" >/dev/null
    "$fun" compile -w --exe "$source" -o "$work/$program.with"
    "$fun" compile -w --exe --pipeline no-memory "$source" -o "$work/$program.without"
    with=("$work/$program.with") without=("$work/$program.without")
  fi
  for _ in $(seq "$runs"); do
    run on "$program" "${with[@]}"
    run off "$program" "${without[@]}"
    [ -z "$futhark" ] || run peer "$program" "$work/$program"
  done
  on=$work/$program.on off=$work/$program.off peer=$work/$program.peer
  [ -f "$on.counts" ] || for who in "$on" "$off"; do cp "$who.err" "$who.counts"; done
  cmp -s "$on.out" "$off.out" || echo "$program: other results without the passes" >&2
  ms() { [ -f "$1.us" ] && median "$1.us" | awk '{ printf "%.0f", $1 / 1000 }' || echo –; }
  mib() { [ -f "$1.kb" ] && median "$1.kb" | awk '{ printf "%.1f", $1 / 1024 }' || echo –; }
  copied() { number copied_bytes "$1.counts" | awk '{ printf "%.1f", $1 / 1048576 }'; }
  blocks() { number heap_calls "$1.counts"; }
  printf '| `%s` | %s |' "$program" "$(arguments "$program" | sed 's/i64//g')"
  printf ' %s |' "$(ms "$on")" "$(ms "$off")" "$(ms "$peer")" "$(mib "$on")" "$(mib "$off")" "$(mib "$peer")" \
    "$(blocks "$on")" "$(blocks "$off")" "$(copied "$on")" "$(copied "$off")" "$(number heap_calls_in_loops "$on.counts")"
  echo
  awk -v a="$(median "$on.us")" -v b="$(median "$off.us")" -v k="$(median "$on.kb")" -v p="$([ -f "$peer.kb" ] && median "$peer.kb" || echo 0)" \
    'BEGIN { print log(b / a), (p > 0 ? log(k / p) : 0) }' >>"$work/ratios"
done
awk -v peer="$futhark" '{ speed += $1; memory += $2 }
  END {
    printf "\nGeometric means: %.2f times as fast with the passes as without", exp(speed / NR)
    if (peer != "") printf "; peak memory %.2f of that of Futhark", exp(memory / NR)
    print "."
  }' "$work/ratios"
