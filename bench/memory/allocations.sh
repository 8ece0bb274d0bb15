#!/usr/bin/env bash
# Static allocations and copies of the programs of testsuite/memory: FUN's default pipeline, the least that their descriptions
# say is possible, and Futhark's sequential pipeline with memory, where futhark is installed. Prints a markdown table.
# usage: bench/memory/allocations.sh [FUN] [FUTHARK]
set -euo pipefail
cd "$(dirname "$0")/../.."
fun=$(realpath "${1:-target/release/fun}") futhark=${2:-futhark}
command -v "$futhark" >/dev/null || futhark=
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Numbers that no program has: the reports say those that are found.
impossible='-- structure funmem { Alloc 999999 Copy 999999 }'
for program in testsuite/memory/*/*.fut; do
  name=${program#testsuite/memory/}
  mkdir -p "$work/$(dirname "$name")"
  sed "s/^-- structure .*/$impossible/; /^-- input/d" "$program" >"$work/$name"
done
"$fun" test -w "$work" >"$work/found" || true
printf '| program | FUN `Alloc` | `Copy` | least `Alloc` | least `Copy` | Futhark `Alloc` |\n|---|---|---|---|---|---|\n'
for program in testsuite/memory/*/*.fut; do
  name=${program#testsuite/memory/}
  read -r allocations copies < <(awk -v name="$name:" '
    index($0, name) { found = 1; next }
    found && /of `Alloc`/ { allocations = $1 }
    found && /of `Copy`/ { print allocations, $1; exit }' "$work/found")
  read -r least_allocations least_copies < <(awk '
    /^-- ideal:/ {
      allocations = copies = 0
      for (i = 3; i < NF; i += 2) {
        if ($i == "Alloc") allocations = $(i + 1)
        if ($i == "/Alloc" && !allocations) allocations = $(i + 1)
        if ($i == "Copy" || $i == "/Kernel/Copy" && !copies) copies = $(i + 1)
      }
      print allocations, copies
    }' "$program") || read -r least_allocations least_copies <<<"$allocations $copies"  # no line: there is no less
  theirs=–
  if [ -n "$futhark" ]; then
    sed '/^-- structure/d' "$program" >"$work/theirs.fut"
    # it may stop with an error of its own
    if "$futhark" dev -w -m --seq-mem "$work/theirs.fut" >"$work/metrics" 2>&1; then
      theirs=$(awk '$1 == "Alloc" { n = $2 } END { print n + 0 }' "$work/metrics")
    else
      theirs=crash
    fi
  fi
  echo "| \`${name%.fut}\` | $allocations | $copies | $least_allocations | $least_copies | $theirs |"
done | tee "$work/rows"
awk -F'|' '{ a += $3; c += $4; la += $5; lc += $6; if ($7 ~ /[0-9]/) { t += $7; o += $3; if ($3 > $7) more++ } }
  END {
    printf "| **total** | %d | %d | %d | %d | %s |\n", a, c, la, lc, t
    if (t) printf "\nFUN has more allocations than Futhark on %d of %d programs.\n", more, NR
  }' "$work/rows"
