#!/usr/bin/env bash
# The C of every program of the test suite, the examples and the benchmarks, compiled by GCC and Clang (where installed) with warnings as
# errors. Programs that are refused, as some are meant to be, are counted. Takes minutes.
# usage: testsuite/strict_c.sh [FUN] [FOLDER...]      (JOBS: how many at once; all processors when absent)
set -euo pipefail
cd "$(dirname "$0")/.."
fun=$(realpath "${1:-target/release/fun}")
shift || true
folders=("${@:-testsuite}")
if [ $# -eq 0 ]; then folders=(testsuite examples bench); fi
compilers=()
for compiler in gcc clang; do
  if command -v "$compiler" >/dev/null; then compilers+=("$compiler"); else echo "skipped: no $compiler" >&2; fi
done
[ ${#compilers[@]} -gt 0 ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

check() {
  local program=$1 name status=0
  name=$work/$(tr "/" "_" <<<"$program")
  # without what a case expects
  sed -E '/^((--|\/\/) )?---$/,$d' "$program" >"$name.${program##*.}"
  "$fun" compile -w --emit c "$name.${program##*.}" -o "$name.c" 2>"$name.said" || status=$?
  if [ $status -eq 1 ]; then echo refused; return; fi
  if [ $status -ne 0 ]; then echo "failed $program: status $status: $(head -3 "$name.said")"; return; fi
  for compiler in $chosen; do
    if "$compiler" -std=c11 -O1 -Wall -Wextra -Werror -ffp-contract=off -fno-strict-aliasing -c "$name.c" -o /dev/null 2>"$name.said"; then
      echo "compiled by $compiler"
    else
      echo "failed $program by $compiler: $(grep -m1 -E 'error|warning' "$name.said")"
    fi
  done
  rm -f "$name".*
}
export -f check
export fun work chosen="${compilers[*]}"
find "${folders[@]}" \( -name '*.fut' -o -name '*.fun' -o -name '*.funmem' -o -name '*.imp' \) -print0 | sort -z |
  xargs -0 -P "${JOBS:-$(nproc)}" -I{} bash -c 'check "$1"' _ {} >"$work/outcomes"
sed 's/^failed .*/failed/' "$work/outcomes" | sort | uniq -c
if grep '^failed' "$work/outcomes"; then exit 1; fi
