#!/usr/bin/env bash
# From source to machine code in memory, for all programs of the repository: the median, the worst, and the slowest ten. A time is the
# processor time of `fun run` without input, in the quickest of RUNS runs: the program is read and compiled, then input is missing. So the
# start of the process is in it, and other work on the machine matters little. A program without `main` is compiled for its first entry
# point. Files that are no programs or refused are counted apart.
#
# usage: bench/compile_all.sh [FUN [RUNS]]
set -euo pipefail
cd "$(dirname "$0")/.."
fun=${1:-target/release/fun} runs=${2:-3}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
TIMEFORMAT='%U %S'

for file in $(find examples bench testsuite/memory -name '*.fut' | sort); do
  entry=$(sed -n 's/^entry  *\([A-Za-z_0-9]*\).*/\1/p' "$file" | head -n 1)
  grep -qE '^(entry|def|let)  *main\b' "$file" && entry=main
  for _ in $(seq "$runs"); do
    { time "$fun" run -w -e "${entry:-main}" --time-passes "$file" </dev/null >/dev/null 2>"$work/said" || true; } 2>&1
  done >"$work/times"
  # The last line of the times of passes is there when there is machine code.
  if grep -q '^total ' "$work/said"; then
    awk '{ time = 1000 * ($1 + $2); if (NR == 1 || time < least) least = time } END { printf "%d ", least }' "$work/times"
    echo "$file"
  else
    echo "no program: $file" >&2
  fi
done 2>"$work/none" | sort -n >"$work/sorted"

awk '{ time[NR] = $1; if ($1 >= 500) slow++ }
  END { printf "%d programs: median %d ms, worst %d ms, %d of 500 ms or more\n", NR, time[int((NR + 1) / 2)], time[NR], slow }' "$work/sorted"
echo "$(wc -l <"$work/none") files that are no programs or are refused"
tail -n 10 "$work/sorted"
