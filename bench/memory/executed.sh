#!/usr/bin/env bash
# Allocations that programs of testsuite/memory make when they run on their first input: FUN's heap calls, and those of Futhark's
# c backend, arguments left out. Where the numbers in the text differ (`allocations.sh`), these say which program asks for memory more often.
# usage: bench/memory/executed.sh [FUN] [FUTHARK] [PROGRAM…]      programs as folder/name, all by default
set -euo pipefail
cd "$(dirname "$0")/../.."
fun=$(realpath "${1:-target/release/fun}") futhark=${2:-futhark}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- $(cd testsuite/memory && printf '%s\n' */*.fut | sed 's/\.fut$//')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=0 less=0 more=0
printf '| program | FUN | Futhark |\n|---|---|---|\n'
for name in "$@"; do
  sed '/^-- structure/d' "testsuite/memory/$name.fut" >"$work/program.fut"
  entry=$(sed -n 's/^-- entry: *\([^ ]*\).*/\1/p' "$work/program.fut" | head -n 1)
  sed -n 's/^-- input {\([^}]*\)}.*/\1/p' "$work/program.fut" | head -n 1 >"$work/input"
  [ -s "$work/input" ] || continue
  ours=$("$fun" run --mem -e "${entry:-main}" "$work/program.fut" <"$work/input" 2>&1 >/dev/null | awk '$1 == "heap_calls" { print $2 }')
  "$futhark" c -o "$work/program" "$work/program.fut" >/dev/null 2>&1 || continue
  theirs=$("$work/program" -D -e "${entry:-main}" <"$work/input" 2>&1 >/dev/null | grep '^Allocating' | grep -vc 'for arr->mem' || true)
  [ -n "$ours" ] || continue
  printf '| `%s` | %s | %s |\n' "$name" "$ours" "$theirs"
  programs=$((programs + 1)) less=$((less + (ours < theirs))) more=$((more + (ours > theirs)))
done
printf '\nOf %s programs FUN allocates less often than Futhark in %s, and more often in %s.\n' "$programs" "$less" "$more"
